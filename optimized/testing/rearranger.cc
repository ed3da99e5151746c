#include <dlspec/optimized/testing/rearranger.h>

#include <algorithm>
#include <cstring>

#include <dlspec/reference/rearrange/rearrange.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::optimized::testing {
namespace {

constexpr std::size_t margin = 80;  // bytes on both sides of the destination that must not change
constexpr std::uint8_t untouched = 0xA5;

std::string list(const Numbers& numbers) {
  std::string text = "(";
  for (const std::int64_t number : numbers) text += (text.size() > 1 ? "," : "") + std::to_string(number);
  return text + ")";
}

// A prime period reveals swapped pieces.
std::uint8_t paint(std::size_t i) { return static_cast<std::uint8_t>(i % 251 + 1); }

// Whole pages between guard pages, without a gap at either end.
dlspec::testing::GuardedBuffer make_buffer(std::size_t capacity) {
  const std::size_t size = capacity + 2 * margin, page = 4096;
  return *dlspec::testing::GuardedBuffer::make((size + page - 1) / page * page,
                                               dlspec::testing::GuardedBuffer::Edge::back);
}

std::size_t size_of(const ByteRange& range) { return static_cast<std::size_t>(range.end - range.begin); }

reference::Axes axes(const Numbers& shape, const Numbers& strides) { return {shape, strides.data()}; }

}  // namespace

std::string Pair::text() const {
  return dtype_name(dtype) + " " + list(shape) + " to " + list(to) + " from " + list(from);
}

// Methods with kernels that differ between processors (Core).
constexpr Method methods_by_core[] = {Method::runs, Method::fill, Method::indexed_transpose};

// This processor's caches with the costs of the others.
const std::vector<Machine>& other_machines() {
  static const std::vector<Machine> all = [] {
    std::vector<Machine> result;
    for (std::size_t i = 0; i < core_count; ++i) {
      Machine machine = detected_machine();
      const auto core = static_cast<Core>(i);
      if (instructions_of(core) != core || core == instructions_of(machine.core)) continue;
      machine.core = core;
      result.push_back(machine);
    }
    return result;
  }();
  return all;
}

// Caches that hold next to nothing, for kernels of what comes from beyond L2.
constexpr Machine small_caches{.l1 = 1 << 10, .l2 = 1 << 10, .l3 = 1 << 12};

const std::vector<Way>& ways() {
  static const std::vector<Way> all = [] {
    std::vector<Way> result;
    for (const Engine& engine : engines()) {
      if (!engine.available()) continue;
      const std::string name = engine.name;
      result.push_back({name, {.engine = &engine, .threads = 1}});
      result.push_back({name + ", streaming", {.engine = &engine, .threads = 1, .stream_from = 0}});
    }
    for (const Engine& engine : engines()) {
      if (!engine.available()) continue;
      for (Methods method = 1; method < all_methods; method *= 2) {
        const PlanOptions options{.engine = &engine, .threads = 1, .methods = method, .narrower = false};
        result.push_back({std::string(engine.name) + ", method " + std::to_string(method), options});
      }
      const PlanOptions elements{
          .engine = &engine, .threads = 1, .methods = methods_of(Method::strided), .machine = &small_caches};
      result.push_back({std::string(engine.name) + ", small caches", elements});
      for (const Machine& machine : other_machines()) {
        for (const Method method : methods_by_core) {
          PlanOptions options{.engine = &engine, .threads = 1, .methods = methods_of(method), .narrower = false};
          options.machine = &machine;
          result.push_back({std::string(engine.name) + ", " + core_name(machine.core), options});
        }
      }
    }
    const Engine& best = best_engine("");
    result.push_back({"3 threads", {.engine = &best, .threads = 3, .bytes_per_thread = 1}});
    result.push_back(
        {"5 threads, streaming", {.engine = &best, .threads = 5, .stream_from = 0, .bytes_per_thread = 1}});
    return result;
  }();
  return all;
}

// Those of many threads stand behind the others.
std::span<const Way> ways_of_one_thread() {
  const std::span<const Way> all = ways();
  const auto first = std::ranges::find_if(all, [](const Way& way) { return way.options.threads > 1; });
  return all.first(static_cast<std::size_t>(first - all.begin()));
}

std::span<const Way> ways_of_many_threads() { return std::span(ways()).subspan(ways_of_one_thread().size()); }

const std::vector<BufferPlacement>& buffer_placements() {
  static const std::vector<BufferPlacement> all{{true, 0, 0}, {false, 0, 0}, {true, 1, 0}, {false, 0, 3}};
  return all;
}

// One operand of a pair in memory.
struct Rearranger::Operand {
  std::uint8_t* first;  // lowest byte
  std::size_t size;
  std::uint8_t* data;  // element (0, ..., 0)

  Operand(const dlspec::testing::GuardedBuffer& buffer, const ByteRange& range, bool at_end, std::size_t shift)
      : first(at_end ? buffer.bytes().data() + buffer.bytes().size() - size_of(range) - shift
                     : buffer.bytes().data() + shift),
        size(size_of(range)),
        data(first - range.begin) {}
};

Rearranger::Rearranger(std::size_t capacity)
    : to_(make_buffer(capacity)), from_(make_buffer(capacity)), painted_(to_.bytes().size()) {
  for (std::size_t i = 0; i < painted_.size(); ++i) painted_[i] = paint(i);
}

// Runs the reference once; false for pairs that are too large.
bool Rearranger::expect(const Pair& pair) {
  const View to(pair.dtype, pair.shape, pair.to.data()), from(pair.dtype, pair.shape, pair.from.data());
  if (byte_range(to, to_range_) != Status::ok || byte_range(from, from_range_) != Status::ok) return false;
  if (std::max(size_of(to_range_), size_of(from_range_)) > to_.bytes().size() - 2 * margin) return false;
  expected_.assign(size_of(to_range_), untouched);
  std::uint8_t nowhere = 0;  // an address for empty vectors
  const bool empty = size_of(from_range_) == 0;
  status_ = reference::rearrange(
      {pair.dtype, axes(pair.shape, pair.to), empty ? &nowhere : expected_.data() - to_range_.begin},
      {pair.dtype, axes(pair.shape, pair.from), empty ? &nowhere : painted_.data() - from_range_.begin});
  return true;
}

std::string Rearranger::compare_at(const Plan& plan, const Operand& to, const Operand& from,
                                   const BufferPlacement& place) {
  const std::size_t before = std::min(margin, static_cast<std::size_t>(to.first - to_.bytes().data()));
  const std::size_t after =
      std::min(margin, static_cast<std::size_t>(to_.bytes().data() + to_.bytes().size() - to.first) - to.size);
  std::memset(to.first - before, untouched, before + to.size + after);
  if (from.size != 0) std::memcpy(from.first, painted_.data(), from.size);
  ++compared_;
  if (const Status status = execute(plan, to.data, from.data); status != Status::ok) return describe(status);
  const auto where = [&](std::ptrdiff_t at, const char* what) {
    return std::string(what) + " at byte " + std::to_string(at) + (place.at_end ? ", end" : ", begin") +
           " shifted by " + std::to_string(place.to_shift) + " and " + std::to_string(place.from_shift);
  };
  for (std::size_t i = 0; i < before; ++i) {
    if (to.first[-1 - static_cast<std::ptrdiff_t>(i)] != untouched)
      return where(-1 - static_cast<std::ptrdiff_t>(i), "written before");
  }
  for (std::size_t i = 0; i < after; ++i) {
    if (to.first[to.size + i] != untouched) return where(static_cast<std::ptrdiff_t>(to.size + i), "written behind");
  }
  if (to.size != 0 && std::memcmp(to.first, expected_.data(), to.size) != 0) {
    return where(std::mismatch(expected_.begin(), expected_.end(), to.first).second - to.first, "differs");
  }
  if (from.size != 0 && std::memcmp(from.first, painted_.data(), from.size) != 0) return where(0, "source written");
  return "";
}

std::string Rearranger::compare(const Pair& pair, const Way& way, const std::vector<BufferPlacement>& places) {
  const View to(pair.dtype, pair.shape, pair.to.data()), from(pair.dtype, pair.shape, pair.from.data());
  Plan plan;
  if (const Status status = make_plan(to, from, plan, way.options); status != status_) {
    return std::string(describe(status)) + ", but the reference: " + describe(status_);
  }
  if (status_ != Status::ok) {
    ++refused_;
    return "";
  }
  if (plan.method != Method::nothing && (methods_of(plan.method) & way.options.methods) == 0) {
    left_out_ += static_cast<std::int64_t>(places.size());
    return "";
  }
  for (const BufferPlacement& place : places) {
    const std::string answer = compare_at(plan, Operand(to_, to_range_, place.at_end, place.to_shift),
                                          Operand(from_, from_range_, place.at_end, place.from_shift), place);
    if (!answer.empty()) return answer;
  }
  return "";
}

std::string Rearranger::difference(const Pair& pair) { return difference(pair, buffer_placements()); }

std::string Rearranger::difference(const Pair& pair, const std::vector<BufferPlacement>& places) {
  return difference(pair, places, ways());
}

std::string Rearranger::difference(const Pair& pair, const std::vector<BufferPlacement>& places,
                                   std::span<const Way> chosen) {
  if (!expect(pair)) return "";
  for (const Way& way : chosen) {
    const std::string answer = compare(pair, way, places);
    if (!answer.empty()) return pair.text() + ", " + way.name + ": " + answer;
  }
  return "";
}

}  // namespace dlspec::optimized::testing
