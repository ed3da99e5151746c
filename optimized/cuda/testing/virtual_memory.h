// Global memory that does not exist, for tensors beyond any memory: each byte of the source is a function of its
// offset, and each byte that is written is traced back to the source by the geometry.
#pragma once

#include <cstdint>
#include <unordered_set>

#include <dlspec/optimized/cuda/testing/emulated_memory.h>
#include <dlspec/optimized/rearrange/plan/geometry.h>

namespace dlspec::optimized::cuda::testing {

class VirtualMemory {
 public:
  // For destinations whose axes are nested. `to_residue` and `from_residue`: addresses of the first runs modulo 128.
  explicit VirtualMemory(const Geometry& geometry, std::uint32_t to_residue = 0, std::uint32_t from_residue = 0)
      : geometry_(geometry), to_residue_(to_residue), from_residue_(from_residue) {}

  void begin(const CudaPlan&) { written_.clear(); }
  [[nodiscard]] std::uint32_t to_residue() const { return to_residue_; }
  [[nodiscard]] std::uint32_t from_residue() const { return from_residue_; }

  void read(Faults&, std::int64_t offset, void* into, std::uint32_t width) const {
    for (std::uint32_t i = 0; i < width; ++i) static_cast<std::uint8_t*>(into)[i] = content(offset + i);
  }
  void write(Faults& faults, std::int64_t offset, const void* value, std::uint32_t width) {
    for (std::uint32_t i = 0; i < width; ++i) {
      std::int64_t from = 0;
      if (!trace(offset + i, from)) {
        faults.note(faults.out_of_range, "byte written between elements", offset + i);
      } else if (static_cast<const std::uint8_t*>(value)[i] != content(from)) {
        faults.note(faults.wrong_value, "wrong byte", offset + i);
      }
      if (!written_.insert(offset + i).second) faults.note(faults.written_twice, "byte written twice", offset + i);
    }
  }
  [[nodiscard]] std::size_t bytes_written() const { return written_.size(); }

  // Some byte that depends on all bits of the offset.
  [[nodiscard]] static std::uint8_t content(std::int64_t offset) {
    return static_cast<std::uint8_t>(static_cast<std::uint64_t>(offset) * 0x9E3779B97F4A7C15u >> 56);
  }

 private:
  // The source offset of a destination offset, both relative to the first runs; false if no element is there.
  [[nodiscard]] bool trace(std::int64_t to, std::int64_t& from) const {
    from = 0;
    if (to < 0) return false;
    for (std::size_t i = geometry_.rank; i-- > 0;) {
      const Axis& axis = geometry_.axes[i];
      const std::int64_t index = to / axis.to;
      if (index >= axis.extent) return false;
      to -= index * axis.to;
      from += index * axis.from;
    }
    from += to;
    return to < geometry_.run;
  }

  const Geometry& geometry_;
  std::uint32_t to_residue_;
  std::uint32_t from_residue_;
  std::unordered_set<std::int64_t> written_;
};

}  // namespace dlspec::optimized::cuda::testing
