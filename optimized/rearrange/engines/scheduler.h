// Kernel selection: the method, the two axes of the kernel, and the block sizes. A heuristic on sizes and strides that
// measures nothing at run time.
#pragma once

#include <cstddef>
#include <cstdint>

#include <dlspec/optimized/rearrange/engines/engine.h>
#include <dlspec/optimized/rearrange/engines/loops.h>
#include <dlspec/optimized/rearrange/plan/make_byte_shuffle.h>
#include <dlspec/optimized/rearrange/plan/plan.h>
#include <dlspec/optimized/rearrange/rearrange.h>

namespace dlspec::optimized {

inline constexpr std::size_t no_axis = max_rank;
inline constexpr std::int64_t cache_line = 64;   // bytes
inline constexpr std::int64_t block_row = 1024;  // bytes of a block's row where a transpose favours long rows
// payload in bytes that exceeds an L3 of 128 MiB or more, source and destination counted
inline constexpr std::int64_t large_l3_stream_from = 24 << 20;
inline constexpr std::int64_t l2_size = 2 << 20;  // bytes

// For one plan with a complete geometry.
class Scheduler {
 public:
  Scheduler(Plan& plan, const Engine& engine, const PlanOptions& options);

  // Sets everything but the loops.
  void choose();
  [[nodiscard]] std::int64_t threads() const { return threads_; }

  // Makes the loops over the blocks of a and b, and along every other axis.
  void loops() { make_loops(plan_, kernel_axes_); }

 private:
  // Helpers of all methods.
  [[nodiscard]] bool streams_from(std::int64_t from) const {
    return geometry_.bytes >= (options_.stream_from < 0 ? from : options_.stream_from);
  }
  void set_kernel(Kernel plain) {
    plan_.streaming = false;
    plan_.kernel = plain;
  }
  void set_kernel(Kernel plain, Kernel streaming, bool large) {
    plan_.streaming = large && streaming != nullptr;
    plan_.kernel = plan_.streaming ? streaming : plain;
  }
  void set_axis(Axis& target, std::size_t axis) {
    if (axis == no_axis) return;
    target = geometry_.axes[axis];
    kernel_axes_ |= std::uint64_t{1} << axis;
  }
  void set_a(std::size_t axis, std::int64_t block) {
    set_axis(plan_.a, axis);
    plan_.block_a = block;
  }
  void set_b(std::size_t axis, std::int64_t block) {
    set_axis(plan_.b, axis);
    plan_.block_b = block;
  }
  // Threads to balance the innermost axis for: further axes, if there are any, provide enough blocks.
  [[nodiscard]] std::int64_t inner_axis_parts() const { return geometry_.rank == 1 ? threads_ : 1; }
  // While source and destination fit L3, one thread's ordinary stores are as fast as non-temporal ones.
  [[nodiscard]] bool stays_in_l3() const { return has_large_l3() && threads_ == 1; }

  // Methods; those that may not apply return whether they do.
  void copy();
  void runs();
  void fill();
  void strided();
  bool byte_shuffle(const ShuffleTile& tile);
  void set_single_tile_kernel();

  // Transposes: schedule_transposes.cc.
  [[nodiscard]] bool has_short_runs() const;
  void triple_transpose();
  void triple_tiles(std::size_t size, std::size_t across);
  std::int64_t filled_per_tile(std::int64_t max_elements, bool may_split, TileAxes& axes);
  [[nodiscard]] bool has_tail(std::size_t axis, std::int64_t extent) const;
  bool indexed_transpose_in_lanes();
  bool indexed_transpose(std::size_t across, bool only_in_lanes);
  [[nodiscard]] bool suits_lanes(std::int64_t rows, std::int64_t columns) const;
  [[nodiscard]] bool has_high_lane_use(std::int64_t rows, std::int64_t columns) const;
  void transpose(std::size_t across);
  void packed_transpose(std::size_t across, bool aligned);
  [[nodiscard]] bool packing_pays(std::size_t across, bool aligned) const;
  [[nodiscard]] bool is_sequential(std::size_t across) const;
  [[nodiscard]] bool fits_l2_by_plane(std::size_t across) const;

  // Properties of the axes.
  [[nodiscard]] bool strides_are_whole_lines(std::size_t except) const;
  [[nodiscard]] bool is_lane_transpose() const;
  [[nodiscard]] bool writes_whole_lines(const ShuffleTile& tile) const;
  [[nodiscard]] std::size_t unit_stride_source_axis() const;
  [[nodiscard]] std::size_t min_stride_axis(std::size_t except) const;
  [[nodiscard]] std::size_t page_stride_axis(std::size_t except) const;
  [[nodiscard]] std::size_t min_source_stride_axis() const;
  [[nodiscard]] bool keeps_source_in_l2() const;

  Plan& plan_;
  const Geometry& geometry_;
  const Kernels& kernels_;
  const Kernels* l1_kernels_;
  const PlanOptions& options_;
  std::int64_t width_;
  std::size_t size_index_;
  std::int64_t threads_;  // maximum that pays
  bool may_shuffle_;
  std::uint64_t kernel_axes_ = 0;  // axes without a loop, but for the one over the blocks of a and b
};

}  // namespace dlspec::optimized
