// The copies on a GPU that bench_cuda checks and times: ours, and CCCL's where libbench_cccl.so is.
#pragma once

#include <cstddef>
#include <cstdlib>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <dlspec/optimized/cuda/library.h>
#include <dlspec/optimized/cuda/rearrange.h>

#include "peer_cccl.h"
#include "rearrange_cases.h"

namespace dlspec::bench {

inline constexpr std::size_t margin = 256;  // bytes of guard on both sides of a tensor

// Device memory between guards. Ends the program if there is none.
class DeviceBuffer {
 public:
  DeviceBuffer(const optimized::cuda::LibraryTable& table, std::size_t bytes);
  ~DeviceBuffer() { static_cast<void>(table_.release(memory_)); }
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;
  [[nodiscard]] std::byte* data() const { return start() + margin; }
  [[nodiscard]] std::byte* start() const { return static_cast<std::byte*>(memory_); }

 private:
  const optimized::cuda::LibraryTable& table_;
  void* memory_ = nullptr;
};

// Enqueues one copy between element (0, ..., 0) of both operands on a stream; false: CUDA reports an error.
using Copy = std::function<bool(std::byte* to, const std::byte* from, void* stream)>;

// Empty if there is no plan.
[[nodiscard]] Copy our_copy(const optimized::cuda::Rearrangement& plan);

class Cccl {
 public:
  // Loads libbench_cccl.so from ../lib beside the program.
  Cccl();
  [[nodiscard]] bool is_there() const { return enqueue_ != nullptr; }
  // "CCCL 3.0.1", or "CCCL: " and why it is not there.
  [[nodiscard]] std::string text() const;
  // The copy of coalesced axes, as a user of CCCL would ask for it; empty if it has no kernel for that.
  [[nodiscard]] Copy copy(const optimized::Geometry& geometry, std::int64_t element_size) const;

 private:
  CcclVersion version_ = nullptr;
  CcclEnqueue enqueue_ = nullptr;
};

// Calls visit with every small layout up to rank 2, every hundredth of rank 3, and random ones up to rank 64; of all of
// these with every `step`-th.
void each_corpus_layout(std::int64_t step, const std::function<void(const RearrangeCase&)>& visit);

// These return the exit status of the program.
[[nodiscard]] int check_corpus(const optimized::cuda::LibraryTable& table, std::int64_t step);
[[nodiscard]] int check_cases(const optimized::cuda::LibraryTable& table, const std::vector<RearrangeCase>& cases,
                              std::int64_t max_extent);
[[nodiscard]] int time_cases(const optimized::cuda::LibraryTable& table, const std::vector<RearrangeCase>& cases,
                             std::string_view prefix);

}  // namespace dlspec::bench
