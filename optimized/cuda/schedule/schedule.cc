#include <dlspec/optimized/cuda/schedule/schedule.h>

#include <algorithm>
#include <limits>

#include <dlspec/optimized/cuda/schedule/box_plans.h>
#include <dlspec/optimized/cuda/schedule/costs.h>
#include <dlspec/optimized/cuda/schedule/register_tiles.h>
#include <dlspec/optimized/rearrange/plan/arithmetic.h>

namespace dlspec::optimized::cuda {
namespace {

constexpr std::int64_t max_width = 16;
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

void plan_contig(CudaPlan& plan) {
  plan.kernel = Kernel::contig;
  plan.width = max_width;
  plan.threads = max_threads;
  plan.to_alignment = plan.from_alignment = 1;
  plan.blocks = std::max<std::int64_t>(div_round_up(plan.bytes, max_width * max_threads), 1);
}

void plan_boxes(const Geometry& geometry, Alignment alignment, Preference preference, CudaPlan& plan) {
  BoxAxes axes(geometry, plan.width);
  const bool has_rows = geometry.axes[0].extent * geometry.run >= min_fill_row;
  if (plan.layout_class == Class::fill && geometry.run == plan.width && has_rows)
    return plan_fill(axes, alignment, plan);
  CudaPlan tile = plan;
  BoxAxes tile_axes = axes;
  plan_direct(axes, plan);
  const bool prefers_tile = preference == Preference::shared_tile;
  const double direct = direct_cost(plan);
  if (!prefers_tile && direct <= least_shared_tile_cost(plan)) return;
  plan_shared_tile(tile_axes, alignment, tile);
  if (prefers_tile || shared_tile_cost(tile, tile_axes) < direct) plan = tile;
}

// Does every offset of the plan, also of threads beyond the end of an axis, fit 32 bits?
bool is_narrow(const Geometry& geometry, const CudaPlan& plan) {
  if (plan.blocks > max_grid || plan.grid_axes > max_narrow_grid_axes) return false;
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
  const std::int64_t threads = static_cast<std::int64_t>(plan.threads) * max_width;
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

Status schedule(const Geometry& geometry, Alignment alignment, CudaPlan& plan, Preference preference) noexcept {
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
    plan_boxes(geometry, alignment, preference, plan);
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
