// Copies on a GPU: checks them against the CPU, and times them against a copy within the device.
//
//   bench_cuda check [SHRUNK]   every case, at addresses of several alignments, into poisoned memory; whole buffers are
//                               compared. SHRUNK: no extent above this number (for compute-sanitizer)
//   bench_cuda time [NAME]      cases whose names begin so
//
// Exit status 77 without a GPU or without libdlspec_cuda.so, 1 if a copy differs or CUDA reports an error.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <dlspec/optimized/cuda/library.h>
#include <dlspec/optimized/cuda/rearrange.h>
#include <dlspec/optimized/cuda/schedule/schedule.h>
#include <dlspec/optimized/rearrange/engines/engine.h>
#include <dlspec/optimized/rearrange/rearrange.h>

#include "rearrange_cases.h"

namespace dlspec::bench {
namespace {

namespace cuda = optimized::cuda;

constexpr std::size_t margin = 256;  // bytes of guard on both sides of a tensor
constexpr int rounds = 7;
constexpr std::int64_t timed_bytes = std::int64_t{4} << 30;  // of each round, in as many copies as that takes
constexpr std::size_t buffers = 4;                           // copies in turn, so that L2 does not keep the source

class DeviceBuffer {
 public:
  DeviceBuffer(const cuda::LibraryTable& table, std::size_t bytes) : table_(table) {
    if (table.allocate(&memory_, bytes + 2 * margin) != cuda::answer_ok) {
      std::fprintf(stderr, "out of device memory\n");
      std::exit(3);
    }
  }
  ~DeviceBuffer() { static_cast<void>(table_.release(memory_)); }
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;
  [[nodiscard]] std::byte* data() const { return static_cast<std::byte*>(memory_) + margin; }
  [[nodiscard]] std::byte* start() const { return static_cast<std::byte*>(memory_); }

 private:
  const cuda::LibraryTable& table_;
  void* memory_ = nullptr;
};

RearrangeCase shrunk(RearrangeCase made, std::int64_t most) {
  // Strides stay: the layout has gaps then, which are compared, too.
  for (std::int64_t& extent : made.shape) extent = std::min(extent, most);
  return made;
}

std::int64_t lowest(const RearrangeCase& made, const std::vector<std::int64_t>& strides) {
  std::int64_t low = 0;
  for (std::size_t i = 0; i < strides.size(); ++i) low += std::min<std::int64_t>((made.shape[i] - 1) * strides[i], 0);
  return low;
}

// Empty, or what is wrong.
std::string difference(const cuda::LibraryTable& table, const RearrangeCase& made, std::size_t to_shift,
                       std::size_t from_shift) {
  const std::size_t to_size = made.to_size(), from_size = made.from_size();
  std::vector<std::uint8_t> source(from_size + 2 * margin), poison(to_size + 2 * margin, 0xA5), result(poison.size());
  for (std::size_t i = 0; i < source.size(); ++i) source[i] = static_cast<std::uint8_t>(i % 251 + 1);
  std::vector<std::uint8_t> expected = poison;
  const auto to_offset = static_cast<std::size_t>(made.to_offset * made.element_size) + to_shift;
  const auto from_offset = static_cast<std::size_t>(made.from_offset * made.element_size) + from_shift;
  if (lowest(made, made.to) + made.to_offset < 0 || lowest(made, made.from) + made.from_offset < 0) return "bad case";
  optimized::Plan plan;
  const optimized::Engine* const scalar = optimized::find_engine("scalar");
  if (make_plan(made.to_view(), made.from_view(), plan, {.engine = scalar, .threads = 1}) != Status::ok)
    return "no plan";
  if (execute(plan, expected.data() + margin + to_offset, source.data() + margin + from_offset) != Status::ok) {
    return "the CPU refuses";
  }
  const DeviceBuffer to(table, to_size), from(table, from_size);
  cuda::Rearrangement copy;
  if (make_plan(made.to_view(), made.from_view(), copy) != Status::ok) return "no plan for the GPU";
  bool ok = table.copy(to.start(), poison.data(), poison.size()) == cuda::answer_ok &&
            table.copy(from.start(), source.data(), source.size()) == cuda::answer_ok;
  ok = ok && execute(copy, to.data() + to_offset, from.data() + from_offset, nullptr).launch == cuda::Launch::ok &&
       table.synchronize() == cuda::answer_ok &&
       table.copy(result.data(), to.start(), result.size()) == cuda::answer_ok;
  if (!ok) return "CUDA reports an error";
  return result == expected ? "" : "differs";
}

int check(const cuda::LibraryTable& table, const std::vector<RearrangeCase>& cases, std::int64_t most) {
  constexpr std::size_t shifts[][2] = {{0, 0}, {1, 0}, {0, 3}, {4, 8}, {2, 2}};
  int wrong = 0, copies = 0;
  for (const RearrangeCase& each : cases) {
    const RearrangeCase made = most > 0 ? shrunk(each, most) : each;
    for (const auto& shift : shifts) {
      const std::string answer = difference(table, made, shift[0], shift[1]);
      ++copies;
      if (answer.empty()) continue;
      ++wrong;
      std::printf("%s shifted by %zu and %zu: %s\n", made.name.c_str(), shift[0], shift[1], answer.c_str());
    }
  }
  std::printf("%d copies of %zu cases, %d differ\n", copies, cases.size(), wrong);
  return wrong == 0 ? 0 : 1;
}

// Median nanoseconds of one call of `enqueue(i)`; negative where one of them fails.
template <class Enqueue>
double median_time(const cuda::LibraryTable& table, std::int64_t bytes, const Enqueue& enqueue) {
  bool ok = true;
  const auto calls = static_cast<std::size_t>(std::clamp<std::int64_t>(timed_bytes / bytes / 4, 20, 2000));
  std::vector<double> times;
  for (int round = 0; round <= rounds; ++round) {  // the first one warms up
    ok = table.synchronize() == cuda::answer_ok && ok;
    const auto start = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < calls; ++i) ok = enqueue(i % buffers) && ok;
    ok = table.synchronize() == cuda::answer_ok && ok;
    const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
    if (round > 0) times.push_back(took.count() / static_cast<double>(calls));
  }
  std::nth_element(times.begin(), times.begin() + rounds / 2, times.end());
  return ok ? times[rounds / 2] : -1;
}

int time_cases(const cuda::LibraryTable& table, const std::vector<RearrangeCase>& cases, std::string_view prefix) {
  std::printf("| case | class | kernel | us | GB/s | of device copy |\n|---|---|---|---:|---:|---:|\n");
  for (const RearrangeCase& each : cases) {
    if (each.name.rfind(prefix, 0) != 0) continue;
    cuda::Rearrangement copy;
    if (make_plan(each.to_view(), each.from_view(), copy) != Status::ok) {
      std::printf("\n%s: no plan for the GPU\n", each.name.c_str());
      return 1;
    }
    const std::int64_t bytes = each.bytes();
    std::vector<std::unique_ptr<DeviceBuffer>> to, from;
    for (std::size_t i = 0; i < buffers; ++i) {
      to.push_back(std::make_unique<DeviceBuffer>(table, std::max(each.to_size(), static_cast<std::size_t>(bytes))));
      from.push_back(
          std::make_unique<DeviceBuffer>(table, std::max(each.from_size(), static_cast<std::size_t>(bytes))));
    }
    const double ceiling = median_time(table, bytes, [&](std::size_t i) {
      const auto size = static_cast<std::size_t>(bytes);
      return table.enqueue_copy(to[i]->data(), from[i]->data(), size, nullptr) == cuda::answer_ok;
    });
    const double took = median_time(table, bytes, [&](std::size_t i) {
      std::byte* const destination = to[i]->data() + each.to_offset * each.element_size;
      const std::byte* const source = from[i]->data() + each.from_offset * each.element_size;
      return execute(copy, destination, source, nullptr).launch == cuda::Launch::ok;
    });
    if (ceiling < 0 || took < 0) {
      std::printf("\n%s: CUDA reports an error\n", each.name.c_str());
      return 1;
    }
    std::printf("| %s | %s | %s | %.2f | %.0f | %.3f |\n", each.name.c_str(), cuda::name_of(copy.plan.layout_class),
                cuda::name_of(copy.plan.kernel), took / 1000, 2 * static_cast<double>(bytes) / took, ceiling / took);
    std::fflush(stdout);
  }
  return 0;
}

}  // namespace
}  // namespace dlspec::bench

int main(int argc, char** argv) {
  using namespace dlspec::bench;
  const std::string_view mode = argc > 1 ? argv[1] : "";
  if (mode != "check" && mode != "time") {
    std::fprintf(stderr, "usage: bench_cuda check [SHRUNK] | time [NAME]\n");
    return 2;
  }
  const dlspec::optimized::cuda::LibraryTable* const table = dlspec::optimized::cuda::library();
  int devices = 0;
  if (table == nullptr || table->count_devices(&devices) != dlspec::optimized::cuda::answer_ok) {
    std::fprintf(stderr, "%s\n", table == nullptr ? "libdlspec_cuda.so is not there" : "no driver or no GPU");
    return 77;
  }
  const std::vector<RearrangeCase> cases = read_cases(DLSPEC_BENCH_CASES);
  const std::string argument = argc > 2 ? argv[2] : "";
  if (mode == "check") return check(*table, cases, argument.empty() ? 0 : std::atoll(argument.c_str()));
  return time_cases(*table, cases, argument);
}
