// Ours and CCCL's copies against a copy within the device.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <memory>
#include <random>

#include <dlspec/optimized/cuda/schedule/schedule.h>

#include "gpu_copies.h"
#include "gpu_graph.h"

namespace dlspec::bench {
namespace {

namespace cuda = optimized::cuda;

constexpr int rounds = 7;
constexpr std::int64_t timed_bytes = std::int64_t{1} << 30;  // of each round, in as many copies as that takes
constexpr std::int64_t turned_bytes = std::int64_t{1}
                                      << 28;  // of all buffers together, so that L2 keeps no source (tiny ones stay)
constexpr std::int64_t most_buffers = 512;
constexpr double most_nanoseconds = 2e7;  // of a round of one kind of copy: some peers are a thousand times slower

double median_of(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times.front() < 0 ? -1 : times[times.size() / 2];
}

// Median nanoseconds of each; negative numbers for what fails. Measured in rounds, so that a slow phase of the machine
// affects all, and each round begins with another one; the first round warms up.
std::vector<double> median_times(const Timer& timer, std::int64_t bytes, const std::vector<Enqueue>& all) {
  std::vector<std::unique_ptr<Repeated>> repeated;
  for (const Enqueue& each : all) {
    const std::unique_ptr<Repeated> once = timer.repeated(1, each);
    const double fits = once ? most_nanoseconds / std::max(once->time(), 1.0) : 1;
    const std::int64_t most = std::clamp<std::int64_t>(timed_bytes / bytes, 20, 1000);
    const std::int64_t calls = std::clamp<std::int64_t>(static_cast<std::int64_t>(fits), 1, most);
    repeated.push_back(timer.repeated(static_cast<std::size_t>(calls), each));
  }
  std::vector<std::vector<double>> times(all.size());
  for (std::size_t round = 0; round <= rounds; ++round) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::size_t which = (i + round) % all.size();
      const double took = repeated[which] ? repeated[which]->time() : -1;
      if (round > 0 || took < 0) times[which].push_back(took);
    }
  }
  std::vector<double> medians;
  for (const std::vector<double>& each : times) medians.push_back(median_of(each));
  return medians;
}

class Operands {
 public:
  Operands(const cuda::LibraryTable& table, const RearrangeCase& made) : table_(table), made_(made) {
    const auto bytes = static_cast<std::size_t>(made.bytes());
    const std::size_t to = std::max(made.to_size(), bytes), from = std::max(made.from_size(), bytes);
    const auto both = static_cast<std::int64_t>(to + from);
    const std::int64_t count = std::clamp<std::int64_t>(turned_bytes / both, 2, most_buffers);
    for (std::int64_t i = 0; i < count; ++i) {
      to_.push_back(std::make_unique<DeviceBuffer>(table, to));
      from_.push_back(std::make_unique<DeviceBuffer>(table, from));
    }
    // Zeros may be copied faster than other data: they take less power.
    std::vector<std::uint64_t> random(from / sizeof(std::uint64_t) + 1);
    std::mt19937_64 engine(from);  // NOLINT(cert-msc51-cpp): the same data each time
    std::generate(random.begin(), random.end(), std::ref(engine));
    for (const auto& each : from_)
      filled_ = table.copy(each->data(), random.data(), from) == cuda::answer_ok && filled_;
  }
  [[nodiscard]] Enqueue device_copy() const {
    return [this](std::size_t call, void* stream) {
      const auto bytes = static_cast<std::size_t>(made_.bytes());
      const std::size_t i = call % to_.size();
      return table_.enqueue_copy(to_[i]->data(), from_[i]->data(), bytes, stream) == cuda::answer_ok;
    };
  }
  [[nodiscard]] Enqueue between(Copy copy) const {
    return [this, copy = std::move(copy)](std::size_t call, void* stream) {
      const std::size_t i = call % to_.size();
      return copy(to_[i]->data() + made_.to_offset * made_.element_size,
                  from_[i]->data() + made_.from_offset * made_.element_size, stream);
    };
  }

  [[nodiscard]] bool filled() const { return filled_; }

 private:
  const cuda::LibraryTable& table_;
  const RearrangeCase& made_;
  bool filled_ = true;
  std::vector<std::unique_ptr<DeviceBuffer>> to_, from_;
};

// A row of the table, or false if it cannot be measured.
bool time_case(const cuda::LibraryTable& table, const Timer& timer, const RearrangeCase& made, const Cccl& cccl) {
  cuda::Rearrangement plan;
  if (make_plan(made.to_view(), made.from_view(), plan) != Status::ok) {
    std::printf("\n%s: no plan for the GPU\n", made.name.c_str());
    return false;
  }
  const Operands operands(table, made);
  std::vector<Enqueue> all{operands.device_copy(), operands.between(our_copy(plan))};
  if (const Copy theirs = cccl.copy(plan.geometry, made.element_size)) all.push_back(operands.between(theirs));
  const std::vector<double> took = median_times(timer, made.bytes(), all);
  if (!operands.filled() || *std::min_element(took.begin(), took.end()) < 0) {
    std::printf("\n%s: CUDA reports an error\n", made.name.c_str());
    return false;
  }
  std::printf("| %s | %s | %s | %.2f | %.0f | %.3f |", made.name.c_str(), cuda::name_of(plan.plan.layout_class),
              cuda::name_of(plan.plan.kernel), took[1] / 1000, 2 * static_cast<double>(made.bytes()) / took[1],
              took[0] / took[1]);
  if (took.size() > 2) {
    std::printf(" %.2f | %.2f |\n", took[2] / 1000, took[2] / took[1]);
  } else {
    std::printf("%s", cccl.is_there() ? " no kernel | |\n" : "\n");
  }
  std::fflush(stdout);
  return true;
}

}  // namespace

int time_cases(const cuda::LibraryTable& table, const std::vector<RearrangeCase>& cases, std::string_view prefix) {
  const Cccl cccl;
  // The driver's library works on the device on which this allocates.
  const DeviceBuffer first(table, 1);
  const Timer timer(table);
  const std::string_view how = timer.text();
  std::printf("%s%s; %.*s\n\n", cccl.text().c_str(), cccl.is_there() ? ", with coalesced axes" : "",
              static_cast<int>(how.size()), how.data());
  std::printf("| case | class | kernel | us | GB/s | of device copy |%s\n|---|---|---|---:|---:|---:|%s\n",
              cccl.is_there() ? " CCCL us | times as fast as CCCL |" : "", cccl.is_there() ? "---:|---:|" : "");
  for (const RearrangeCase& each : cases) {
    if (each.name.rfind(prefix, 0) == 0 && !time_case(table, timer, each, cccl)) return 1;
  }
  return 0;
}

}  // namespace dlspec::bench
