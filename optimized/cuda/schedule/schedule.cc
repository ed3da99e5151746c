#include <dlspec/optimized/cuda/schedule/schedule.h>

#include <algorithm>
#include <limits>

#include <dlspec/optimized/cuda/schedule/box_plans.h>
#include <dlspec/optimized/cuda/schedule/register_tiles.h>

namespace dlspec::optimized::cuda {
namespace {

constexpr std::int64_t max_width = 16;
constexpr std::int64_t contig_batch = 64;  // bytes of each thread of the contig kernel
constexpr std::int64_t min_fill_row = 64;  // bytes; in shorter rows few words of 16 bytes are whole
constexpr std::int64_t max_grid = (std::int64_t{1} << 31) - 1;

std::int64_t lowest_bit(std::int64_t number) { return number & -number; }

// The widest access that every run, stride and address allows.
std::int64_t width_for(const Geometry& geometry, Alignment alignment) {
  std::int64_t all = max_width | geometry.run | alignment.to | alignment.from;
  for (std::size_t i = 0; i < geometry.rank; ++i) all |= geometry.axes[i].to | geometry.axes[i].from;
  return lowest_bit(all);
}

bool is_single_piece(std::int64_t run) { return run <= max_width && (run & (run - 1)) == 0; }

// 32-byte sectors, in bytes, that a warp touches for each byte of rows of `row` bytes that are `stride` bytes apart.
double sector_bytes(std::int64_t row, std::int64_t stride) {
  const std::int64_t apart = magnitude_of(stride);
  if (apart == 0 || row >= 4096) return 1;
  const bool aligned = row % min_row == 0 && apart % min_row == 0;
  const std::int64_t pieces = (row + min_row - 1) / min_row + (aligned ? 0 : 1);
  const double whole = static_cast<double>(pieces) * min_row;
  return std::max(std::min(whole, static_cast<double>(apart)) / static_cast<double>(row), 1.0);
}

// Instructions per byte, in the same unit: an access of 16 bytes costs an eighth of a byte of traffic per byte.
double access_cost(std::int64_t width) { return 2.0 / static_cast<double>(width); }

// Estimated traffic per byte of payload of the direct kernel: whole chains of the destination, and of the source only
// what these have in the same order.
double direct_cost(const BoxAxes& axes, std::int64_t width) {
  std::int64_t to = width, from = width, to_stride = 0, from_stride = 0;
  for (int i = 0; i < axes.size(); ++i) {
    if (to_stride == 0 && axes[i].to == to) {
      to *= axes[i].extent;
    } else if (to_stride == 0) {
      to_stride = axes[i].to;
    }
    if (axes[i].from == 0 || from_stride != 0) continue;
    if (magnitude_of(axes[i].from) == from) {
      from *= axes[i].extent;
    } else {
      from_stride = axes[i].from;
    }
  }
  return sector_bytes(to, to_stride) + sector_bytes(from, from_stride) + access_cost(width);
}

// The same of the shared tile with this box; rows of the box that are not the end of a chain lie far apart.
double tile_cost(const BoxAxes& axes, std::int64_t width) {
  const std::int64_t word = std::max<std::int64_t>(width, 4);
  return sector_bytes(axes.to_row(), max_span) + sector_bytes(axes.from_row(), max_span) + access_cost(word) +
         access_cost(width) / 2;
}

void plan_contig(CudaPlan& plan) {
  plan.kernel = Kernel::contig;
  plan.width = max_width;
  plan.threads = max_threads;
  plan.to_alignment = plan.from_alignment = 1;
  plan.blocks = std::max<std::int64_t>((plan.bytes + contig_batch * max_threads - 1) / (contig_batch * max_threads), 1);
}

void plan_boxes(const Geometry& geometry, Alignment alignment, CudaPlan& plan) {
  BoxAxes axes(geometry, plan.width);
  const bool has_rows = geometry.axes[0].extent * geometry.run >= min_fill_row;
  if (plan.layout_class == Class::fill && geometry.run == plan.width && has_rows)
    return plan_fill(axes, alignment, plan);
  BoxAxes tile = axes;
  tile.grow_tile(128, 1024, 16 << 10);
  const bool reorders = tile_cost(tile, plan.width) < direct_cost(axes, plan.width);
  if (reorders) return plan_shared_tile(axes, alignment, plan);
  plan_direct(axes, plan);
}

// Does every offset of the plan, also of threads beyond the end of an axis, fit 32 bits?
bool is_narrow(const Geometry& geometry, const CudaPlan& plan) {
  if (plan.blocks > max_grid) return false;
  std::int64_t to = 0, from = 0;
  for (const Walk* walk : {&plan.load, &plan.store}) {
    for (int i = 0; i < walk->thread_axes + walk->step_axes; ++i) {
      const WalkAxis& axis = walk->axes[i];
      if (std::max(magnitude_of(axis.to), magnitude_of(axis.from)) > max_narrow_span) return false;
      to = std::max(to, axis.extent.divisor * magnitude_of(axis.to));
      from = std::max(from, axis.extent.divisor * magnitude_of(axis.from));
    }
  }
  const std::int64_t to_span = geometry.to_range.end - geometry.to_range.begin;
  const std::int64_t from_span = geometry.from_range.end - geometry.from_range.begin;
  const std::int64_t threads = static_cast<std::int64_t>(plan.threads) * contig_batch;
  return std::max({to_span, from_span, to * 4, from * 4, plan.bytes + threads}) <= max_narrow_span;
}

}  // namespace

Class classify(const Geometry& geometry) noexcept {
  if (geometry.bytes == 0) return Class::empty;
  if (geometry.rank == 0) return Class::contig;
  const Axis& first = geometry.axes[0];
  if (first.to == geometry.run && first.from == 0 && is_single_piece(geometry.run)) return Class::fill;
  if (geometry.run >= min_row) return Class::rows;
  if (first.to == geometry.run) {
    for (std::size_t i = 1; i < geometry.rank; ++i) {
      const Axis& axis = geometry.axes[i];
      if (magnitude_of(axis.from) != geometry.run) continue;
      return std::min(first.extent, axis.extent) < min_tile_extent ? Class::tile_small : Class::tile2d;
    }
  }
  return is_single_piece(geometry.run) ? Class::generic : Class::rows;
}

const char* name_of(Class layout_class) noexcept {
  switch (layout_class) {
    case Class::empty: return "empty";
    case Class::contig: return "contig";
    case Class::rows: return "rows";
    case Class::tile2d: return "tile2d";
    case Class::tile_small: return "tile_small";
    case Class::fill: return "fill";
    case Class::generic: return "generic";
  }
  return "unknown";
}

const char* name_of(Kernel kernel) noexcept {
  switch (kernel) {
    case Kernel::none: return "none";
    case Kernel::contig: return "contig";
    case Kernel::direct: return "direct";
    case Kernel::fill: return "fill";
    case Kernel::register_tile: return "register_tile";
    case Kernel::shared_tile: return "shared_tile";
  }
  return "unknown";
}

Status schedule(const Geometry& geometry, Alignment alignment, CudaPlan& plan) noexcept {
  plan = {};
  plan.layout_class = classify(geometry);
  if (plan.layout_class == Class::empty) return Status::ok;
  const ByteRange &to = geometry.to_range, &from = geometry.from_range;
  if (to.end - to.begin > max_span || from.end - from.begin > max_span || geometry.bytes > max_span) {
    return Status::size_overflow;
  }
  plan.bytes = geometry.bytes;
  plan.to_begin = to.begin - geometry.to_start;
  plan.to_end = to.end - geometry.to_start;
  plan.from_begin = from.begin - geometry.from_start;
  plan.from_end = from.end - geometry.from_start;
  if (plan.layout_class == Class::contig) {
    plan_contig(plan);
  } else if (!plan_register_tile(geometry, alignment, plan)) {
    const std::int64_t width = width_for(geometry, alignment);
    plan.width = static_cast<std::uint8_t>(width);
    plan.to_alignment = plan.from_alignment = plan.width;
    plan_boxes(geometry, alignment, plan);
  }
  plan.wide = is_narrow(geometry, plan) ? 0 : 1;
  return Status::ok;
}

bool is_launchable(const CudaPlan& plan) noexcept {
  const bool has_threads = plan.threads >= 32 && plan.threads <= max_threads && plan.threads % 32 == 0;
  return plan.kernel != Kernel::none && has_threads && plan.blocks >= 1 &&
         (plan.wide != 0 || plan.blocks <= max_grid) && plan.shared_bytes <= max_shared_bytes;
}

std::uint32_t grid_size(const CudaPlan& plan) noexcept {
  return static_cast<std::uint32_t>(std::min(plan.blocks, max_grid));
}

}  // namespace dlspec::optimized::cuda
