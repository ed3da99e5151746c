// Ours and CCCL's copies against a copy within the device.
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <memory>

#include <dlspec/optimized/cuda/schedule/schedule.h>

#include "gpu_copies.h"

namespace dlspec::bench {
namespace {

namespace cuda = optimized::cuda;

constexpr int rounds = 7;
constexpr std::int64_t timed_bytes = std::int64_t{1} << 30;  // of each round, in as many copies as that takes
constexpr std::size_t buffers = 4;                           // copies in turn, so that L2 does not keep the source

// Enqueues copy number i.
using Enqueue = std::function<bool(std::size_t i)>;

// Nanoseconds of one call, or a negative number if one fails.
double time_of(const cuda::LibraryTable& table, std::size_t calls, const Enqueue& enqueue) {
  bool ok = table.synchronize() == cuda::answer_ok;
  const auto start = std::chrono::steady_clock::now();
  for (std::size_t i = 0; i < calls; ++i) ok = enqueue(i % buffers) && ok;
  ok = table.synchronize() == cuda::answer_ok && ok;
  const std::chrono::duration<double, std::nano> took = std::chrono::steady_clock::now() - start;
  return ok ? took.count() / static_cast<double>(calls) : -1;
}

double median_of(std::vector<double> times) {
  std::sort(times.begin(), times.end());
  return times.front() < 0 ? -1 : times[times.size() / 2];
}

// Median nanoseconds of each. Measured in rounds, so that a slow phase of the machine affects all, and each round
// begins with another one; the first round warms up.
std::vector<double> median_times(const cuda::LibraryTable& table, std::int64_t bytes, const std::vector<Enqueue>& all) {
  const auto calls = static_cast<std::size_t>(std::clamp<std::int64_t>(timed_bytes / bytes, 20, 2000));
  std::vector<std::vector<double>> times(all.size());
  for (std::size_t round = 0; round <= rounds; ++round) {
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::size_t which = (i + round) % all.size();
      const double took = time_of(table, calls, all[which]);
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
    for (std::size_t i = 0; i < buffers; ++i) {
      to_.push_back(std::make_unique<DeviceBuffer>(table, std::max(made.to_size(), bytes)));
      from_.push_back(std::make_unique<DeviceBuffer>(table, std::max(made.from_size(), bytes)));
    }
  }
  [[nodiscard]] Enqueue device_copy() const {
    return [this](std::size_t i) {
      const auto bytes = static_cast<std::size_t>(made_.bytes());
      return table_.enqueue_copy(to_[i]->data(), from_[i]->data(), bytes, nullptr) == cuda::answer_ok;
    };
  }
  [[nodiscard]] Enqueue between(Copy copy) const {
    return [this, copy = std::move(copy)](std::size_t i) {
      return copy(to_[i]->data() + made_.to_offset * made_.element_size,
                  from_[i]->data() + made_.from_offset * made_.element_size);
    };
  }

 private:
  const cuda::LibraryTable& table_;
  const RearrangeCase& made_;
  std::vector<std::unique_ptr<DeviceBuffer>> to_, from_;
};

// A row of the table, or false if it cannot be measured.
bool time_case(const cuda::LibraryTable& table, const RearrangeCase& made, const Cccl& cccl) {
  cuda::Rearrangement plan;
  if (make_plan(made.to_view(), made.from_view(), plan) != Status::ok) {
    std::printf("\n%s: no plan for the GPU\n", made.name.c_str());
    return false;
  }
  const Operands operands(table, made);
  std::vector<Enqueue> all{operands.device_copy(), operands.between(our_copy(plan))};
  if (const Copy theirs = cccl.copy(plan.geometry, made.element_size)) all.push_back(operands.between(theirs));
  const std::vector<double> took = median_times(table, made.bytes(), all);
  if (*std::min_element(took.begin(), took.end()) < 0) {
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
  std::printf("%s%s\n\n", cccl.text().c_str(), cccl.is_there() ? ", with coalesced axes" : "");
  std::printf("| case | class | kernel | us | GB/s | of device copy |%s\n|---|---|---|---:|---:|---:|%s\n",
              cccl.is_there() ? " CCCL us | times as fast as CCCL |" : "", cccl.is_there() ? "---:|---:|" : "");
  for (const RearrangeCase& each : cases) {
    if (each.name.rfind(prefix, 0) == 0 && !time_case(table, each, cccl)) return 1;
  }
  return 0;
}

}  // namespace dlspec::bench
