// Kernel selection. A geometry is offered to every method in turn, with the kernels of the engine and of the narrower
// ones; each that can do it sets its axes and blocks and counts its instructions. The cost model (cost.h) adds what its
// loops fetch, and the cheapest is chosen. Depends on sizes, strides and the machine's parameters alone.
#pragma once

#include <cstddef>
#include <cstdint>

#include <dlspec/optimized/rearrange/engines/cost.h>
#include <dlspec/optimized/rearrange/engines/engine.h>
#include <dlspec/optimized/rearrange/engines/loops.h>
#include <dlspec/optimized/rearrange/plan/make_byte_shuffle.h>
#include <dlspec/optimized/rearrange/plan/plan.h>
#include <dlspec/optimized/rearrange/plan/tile_offsets.h>
#include <dlspec/optimized/rearrange/rearrange.h>

namespace dlspec::optimized {

inline constexpr std::size_t no_axis = max_rank;
inline constexpr std::int64_t cache_line = 64;                     // bytes
inline constexpr std::int64_t rows_block = std::int64_t{1} << 16;  // bytes of a block of rows
inline constexpr std::int64_t block_row = 1024;  // bytes of a block's row where a transpose favours long rows

// Cycles to copy one element of a row with steps.
[[nodiscard]] constexpr double strided_cycles(std::int64_t size) {
  if ((size & (size - 1)) == 0 && size <= 16) return 0.55;
  return size == 3 || size == 6 || size == 12 || size == 24 ? 1 : 4.4;
}

// For one plan with a complete geometry.
class Scheduler {
 public:
  Scheduler(Plan& plan, const Engine& engine, const PlanOptions& options);

  // Sets everything but the number of threads.
  void choose();
  [[nodiscard]] std::int64_t threads() const { return threads_; }

 private:
  // One method: `plan` sets the choice and the counts below; false if it cannot do the geometry, or surely is not the
  // best.
  struct Candidate {
    Method method;
    bool (Scheduler::*plan)();
    bool narrower;  // its kernels of narrower engines may be faster
  };
  static const Candidate candidates[];

  void consider(Methods methods);
  void consider(const Candidate& candidate, const Engine& row);
  void restore_tables();
  [[nodiscard]] bool is_best_below(double cycles) const { return best_.candidate != nullptr && best_.cycles < cycles; }
  [[nodiscard]] bool make(const Candidate& candidate, const Engine& row, bool may_stream);
  [[nodiscard]] double cycles() const;

  // Helpers of all methods.
  void set_kernel(Kernel plain) {
    plan_.streaming = false;
    plan_.kernel = plain;
  }
  void set_kernel(Kernel plain, Kernel streaming) {
    plan_.streaming = may_stream_ && streaming != nullptr;
    plan_.kernel = plan_.streaming ? streaming : plain;
  }
  void set_axis(Axis& target, std::size_t axis) {
    if (axis == no_axis) return;
    target = geometry_.axes[axis];
    plan_.kernel_axes |= std::uint64_t{1} << axis;
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
  [[nodiscard]] double elements() const {
    return static_cast<double>(geometry_.bytes) / static_cast<double>(geometry_.run);
  }

  // Copies and rows: schedule_rows.cc.
  bool copy();
  bool runs();
  bool runs_by_destination();
  bool runs_along(std::size_t along);
  [[nodiscard]] bool must_stream() const {
    return options_.stream_from >= 0 && geometry_.bytes >= options_.stream_from;
  }
  [[nodiscard]] bool copies_by_string() const;
  bool fill();
  bool fill_by_source();
  bool fill_along(std::size_t across);
  bool strided();
  bool strided_by_source();
  bool strided_by_destination();
  bool strided_along(std::size_t along, std::size_t across);

  // Byte shuffles: schedule_shuffles.cc.
  bool line_shuffle();
  bool byte_shuffle();
  bool lane_shuffle();
  bool find_byte_shuffle();
  [[nodiscard]] bool may_pay(double each, std::int64_t width) const;
  void shuffle_axes(bool in_lanes);
  void byte_shuffle_kernel();
  void set_single_tile_kernel(const Kernels& kernels);
  [[nodiscard]] double byte_shuffle_cycles() const;

  // Transposes: schedule_transposes.cc.
  bool transpose();
  bool indexed_transpose();
  bool triple_transpose(std::size_t across);
  void triple_tiles(std::size_t size, std::size_t across);
  std::int64_t filled_per_tile(std::int64_t max_elements, bool may_split, TileAxes& axes);
  [[nodiscard]] bool has_tail(std::size_t axis, std::int64_t extent) const;
  [[nodiscard]] bool suits_lanes(std::int64_t rows, std::int64_t columns) const;
  [[nodiscard]] double indexed_block_cycles(bool in_lanes) const;
  [[nodiscard]] double indexed_tile_cycles(std::int64_t rows, std::int64_t columns) const;
  [[nodiscard]] double tile_cycles(std::int64_t rows, std::int64_t columns, bool in_lanes) const;
  [[nodiscard]] double full_tile_cycles() const;
  void transpose_tiles(std::size_t across);
  void packed_transpose(std::size_t across, bool aligned);
  [[nodiscard]] bool packing_pays(std::size_t across, bool aligned) const;
  [[nodiscard]] bool fits_l2_by_plane(std::size_t across) const;

  // Properties of the axes.
  [[nodiscard]] bool is_fill() const;
  [[nodiscard]] bool strides_are_whole_lines(std::size_t except) const;
  [[nodiscard]] bool writes_whole_lines() const;
  [[nodiscard]] bool reads_lines_once(const Axis& row) const;
  [[nodiscard]] std::size_t unit_stride_source_axis() const;
  [[nodiscard]] bool has_order_of_destination(std::size_t first) const;
  [[nodiscard]] std::size_t min_stride_axis(std::size_t except) const;
  [[nodiscard]] std::size_t page_stride_axis(std::size_t except) const;
  [[nodiscard]] std::size_t min_source_stride_axis() const;

  Plan& plan_;
  const Geometry& geometry_;
  const PlanOptions& options_;
  const Machine& machine_;
  const Engine& engine_;
  const Engine* row_;  // whose kernels are being considered
  const Kernels* kernels_;
  const KernelCycles* each_;  // its cycles on the machine
  std::int64_t width_;
  std::size_t size_index_;
  bool prefetching_;
  std::int64_t threads_;  // maximum that pays

  // The method being considered.
  bool may_stream_ = false;               // with non-temporal stores, if it has any
  double work_ = 0;                       // cycles of its instructions
  double instructions_ = 0;               // from one source line to the next, if it touches them one by one
  double streamed_part_ = 1;              // of the lines of the destination, if any are
  std::int64_t tile_a_ = 1, tile_b_ = 1;  // elements of a and b that the kernel handles before it goes on along a
  ShuffleTile tile_;                      // the elements of each axis in a step: of a shuffle, or a tile

  struct Best {
    double cycles = 0;
    double work = 0;
    const Candidate* candidate = nullptr;
    const Engine* row = nullptr;
    Choice choice;
  };
  Best best_;
  // What the plan's tables hold: of the last method that filled them.
  Method shuffle_method_ = Method::nothing;  // byte_shuffle
  bool has_byte_shuffle_ = false;            // if that is Method::byte_shuffle: there is one, with this tile
  ShuffleTile shuffle_tile_;
  const Engine* offsets_row_ = nullptr;  // tile_offsets
};

}  // namespace dlspec::optimized
