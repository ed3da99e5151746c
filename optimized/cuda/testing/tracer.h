// Counts what the memory system of a GPU does for the accesses of whole warps: 32-byte sectors of global requests, and
// cycles in which the banks of shared memory serve them.
#pragma once

#include <cstdint>
#include <vector>

namespace dlspec::optimized::cuda::testing {

// Sums over warps' requests. A request is one access instruction of a warp.
struct Traffic {
  std::int64_t requests = 0;
  std::int64_t units = 0;  // sectors, or cycles of the banks
  std::int64_t ideal = 0;  // the fewest possible for so many distinct bytes
  std::int64_t bytes = 0;  // distinct ones of each request

  [[nodiscard]] double per_ideal() const {
    return ideal == 0 ? 1 : static_cast<double>(units) / static_cast<double>(ideal);
  }
};

class Tracer {
 public:
  enum class Kind : std::uint8_t { load, store, shared_load, shared_store };

  // An access of a thread. Those of the same site and step belong to one request of a warp.
  void record(Kind kind, int site, std::uint32_t step, std::uint32_t thread, std::int64_t offset, std::uint32_t width) {
    const std::uint64_t request = std::uint64_t{thread / 32} << 48 | static_cast<std::uint64_t>(kind) << 40 |
                                  static_cast<std::uint64_t>(site) << 32 | step;
    accesses_.push_back({request, thread % 32, width, offset});
  }
  // After each phase of a block.
  void count();

  [[nodiscard]] const Traffic& loads() const { return traffic_[0]; }
  [[nodiscard]] const Traffic& stores() const { return traffic_[1]; }
  [[nodiscard]] const Traffic& shared_loads() const { return traffic_[2]; }
  [[nodiscard]] const Traffic& shared_stores() const { return traffic_[3]; }

 private:
  struct Access {
    std::uint64_t request;
    std::uint32_t lane;
    std::uint32_t width;
    std::int64_t offset;
  };
  static void count_sectors(const Access* begin, const Access* end, Traffic& traffic);
  static void count_cycles(const Access* begin, const Access* end, Traffic& traffic);

  std::vector<Access> accesses_;
  Traffic traffic_[4];
};

}  // namespace dlspec::optimized::cuda::testing
