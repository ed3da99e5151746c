// Layouts against the reference, in poisoned memory: whole buffers are compared.
#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdio>
#include <span>
#include <thread>

#include <dlspec/optimized/rearrange/engines/engine.h>
#include <dlspec/optimized/rearrange/rearrange.h>
#include <dlspec/reference/rearrange/rearrange.h>
#include <dlspec/vocabulary/dtype.h>

#include "gpu_copies.h"

namespace dlspec::bench {
namespace {

namespace cuda = optimized::cuda;
using Bytes = std::vector<std::uint8_t>;

constexpr std::uint8_t poison = 0xA5;
constexpr std::int64_t most_shrunk = 1 << 15;  // elements of a case that is shrunk
constexpr std::int64_t large = 64 << 20;       // bytes; more are copied at aligned addresses only

// Bytes by which the operands' addresses miss those of an allocation.
struct Shift {
  std::size_t to, from;
};
constexpr Shift shifts[] = {{0, 0}, {1, 0}, {0, 3}, {4, 8}, {2, 2}};

// One case, and what the reference makes of it.
struct Expected {
  explicit Expected(const RearrangeCase& the_case) : made(the_case) {
    source.resize(made.from_size());
    for (std::size_t i = 0; i < source.size(); ++i) {
      source[i] = static_cast<std::uint8_t>(i * 0x9E3779B97F4A7C15u >> 56);
    }
    result.assign(made.to_size(), poison);
    const abi::DataType dtype{kDLUInt, 8, made.element_size};
    status = reference::rearrange({dtype, {made.shape, made.to.data()}, result.data() + to_offset()},
                                  {dtype, {made.shape, made.from.data()}, source.data() + from_offset()});
  }
  [[nodiscard]] std::int64_t to_offset() const { return made.to_offset * made.element_size; }
  [[nodiscard]] std::int64_t from_offset() const { return made.from_offset * made.element_size; }
  // Between guards, for operands that are shifted.
  [[nodiscard]] Bytes guarded(std::size_t shift) const {
    Bytes all(result.size() + 2 * margin, poison);
    std::copy(result.begin(), result.end(), all.begin() + static_cast<std::ptrdiff_t>(margin + shift));
    return all;
  }

  const RearrangeCase& made;
  Bytes source, result;
  Status status;
};

// How many copies of one kind were made, and how many of them are wrong.
struct Tally {
  int copies = 0;
  int wrong = 0;

  void add(const Tally& other) {
    copies += other.copies;
    wrong += other.wrong;
  }
  void add(const Expected& expected, const char* by, Shift shift, const std::string& answer) {
    ++copies;
    if (answer.empty()) return;
    ++wrong;
    std::printf("%s by %s, shifted by %zu and %zu: %s\n", expected.made.name.c_str(), by, shift.to, shift.from,
                answer.c_str());
  }
};

// Empty, or what is wrong.
std::string difference(const cuda::LibraryTable& table, const Expected& expected, Shift shift, const Copy& copy) {
  const Bytes guarded = expected.guarded(shift.to);
  Bytes result(guarded.size(), poison);
  const DeviceBuffer to(table, expected.result.size()), from(table, expected.source.size());
  bool ok = table.copy(to.start(), result.data(), result.size()) == cuda::answer_ok &&
            table.copy(from.data() + shift.from, expected.source.data(), expected.source.size()) == cuda::answer_ok;
  ok = ok &&
       copy(to.data() + shift.to + expected.to_offset(), from.data() + shift.from + expected.from_offset(), nullptr) &&
       table.synchronize() == cuda::answer_ok &&
       table.copy(result.data(), to.start(), result.size()) == cuda::answer_ok;
  if (!ok) return "CUDA reports an error";
  return result == guarded ? "" : "differs";
}

std::string difference(const Expected& expected, const optimized::Engine& engine) {
  const RearrangeCase& made = expected.made;
  optimized::Plan plan;
  if (make_plan(made.to_view(), made.from_view(), plan, {.engine = &engine, .threads = 1}) != Status::ok) {
    return "no plan";
  }
  Bytes result(expected.result.size() + 2 * margin, poison);
  if (execute(plan, result.data() + margin + expected.to_offset(), expected.source.data() + expected.from_offset()) !=
      Status::ok) {
    return "refused";
  }
  return result == expected.guarded(0) ? "" : "differs";
}

RearrangeCase shrunk(RearrangeCase made, std::int64_t max_extent) {
  // Strides stay: the layout has gaps then, which are compared, too.
  std::int64_t elements = 1;
  for (std::int64_t& extent : made.shape) elements *= extent = std::min(extent, max_extent);
  // Then the outermost axes, so that the innermost ones still cross the borders of boxes.
  for (std::int64_t& extent : made.shape) {
    const std::int64_t others = elements / extent;
    extent = std::clamp<std::int64_t>(most_shrunk / others, std::min<std::int64_t>(extent, 2), extent);
    elements = others * extent;
  }
  return made;
}

class Checker {
 public:
  Checker(const cuda::LibraryTable& table, const Cccl& cccl) : table_(table), cccl_(cccl) {}

  void check(const RearrangeCase& made, std::span<const Shift> at) {
    ++layouts_;
    const Expected expected(made);
    cuda::Rearrangement plan;
    if (expected.status != Status::ok || make_plan(made.to_view(), made.from_view(), plan) != Status::ok) {
      return ours_.add(expected, "us", shifts[0], "refused");
    }
    for (const Shift shift : at) {
      ours_.add(expected, "us", shift, difference(table_, expected, shift, our_copy(plan)));
    }
    for (const optimized::Engine& engine : optimized::engines()) {
      if (engine.available()) engines_.add(expected, engine.name, shifts[0], difference(expected, engine));
    }
    if (!cccl_.is_there()) return;
    const Copy copy = cccl_.copy(plan.geometry, made.element_size);
    without_kernel_ += copy ? 0 : 1;
    if (copy) theirs_.add(expected, "CCCL", shifts[0], difference(table_, expected, shifts[0], copy));
  }

  void add(const Checker& other) {
    ours_.add(other.ours_);
    engines_.add(other.engines_);
    theirs_.add(other.theirs_);
    layouts_ += other.layouts_;
    without_kernel_ += other.without_kernel_;
  }

  // The exit status.
  [[nodiscard]] int report(const char* layouts) const {
    std::printf("- on the GPU: %d copies of %d %s, %d differ\n", ours_.copies, layouts_, layouts, ours_.wrong);
    std::printf("- by the CPU's engines: %d copies, %d differ\n", engines_.copies, engines_.wrong);
    std::printf("- %s", cccl_.text().c_str());
    if (cccl_.is_there()) {
      std::printf(": %d copies, %d differ, %d without a kernel", theirs_.copies, theirs_.wrong, without_kernel_);
    }
    std::printf("\n");
    return ours_.wrong + engines_.wrong + theirs_.wrong == 0 ? 0 : 1;
  }

 private:
  const cuda::LibraryTable& table_;
  const Cccl& cccl_;
  Tally ours_, engines_, theirs_;
  int layouts_ = 0;
  int without_kernel_ = 0;
};

}  // namespace

// The reference takes most of the time: a case per thread, the largest ones first.
int check_cases(const cuda::LibraryTable& table, const std::vector<RearrangeCase>& cases, std::int64_t max_extent) {
  const Cccl cccl;
  std::vector<RearrangeCase> made;
  for (const RearrangeCase& each : cases) made.push_back(max_extent > 0 ? shrunk(each, max_extent) : each);
  std::stable_sort(made.begin(), made.end(), [](const auto& a, const auto& b) { return a.bytes() > b.bytes(); });
  std::vector<Checker> checkers(std::max(std::thread::hardware_concurrency(), 1u), Checker(table, cccl));
  std::atomic<std::size_t> next = 0;
  {
    std::vector<std::jthread> threads;
    for (Checker& checker : checkers) {
      threads.emplace_back([&] {
        for (std::size_t i = next++; i < made.size(); i = next++) {
          checker.check(made[i], std::span(shifts).first(made[i].bytes() > large ? 1 : std::size(shifts)));
        }
      });
    }
  }
  for (std::size_t i = 1; i < checkers.size(); ++i) checkers[0].add(checkers[i]);
  return checkers[0].report("cases");
}

int check_corpus(const cuda::LibraryTable& table, std::int64_t step) {
  const Cccl cccl;
  Checker checker(table, cccl);
  std::size_t number = 0;
  each_corpus_layout(step, [&](const RearrangeCase& made) {
    const Shift shift[] = {shifts[number++ % std::size(shifts)]};
    checker.check(made, shift);
  });
  return checker.report("small and random layouts");
}

}  // namespace dlspec::bench
