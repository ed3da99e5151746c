// Kernel selection for byte shuffles: of full vectors, whole lines or 128-bit lanes.
#include <dlspec/optimized/rearrange/engines/engine.h>
#include <dlspec/optimized/rearrange/engines/scheduler.h>
#include <dlspec/optimized/rearrange/plan/arithmetic.h>
#include <dlspec/optimized/rearrange/plan/dword_shuffle.h>

namespace dlspec::optimized {
namespace {

// Cycles of the best plan from which planning lane shuffles of narrower engines pays.
constexpr double min_lane_cycles = 200;

}  // namespace

// The kernel axes of a shuffle: a counts tiles, b the rows of these.
void Scheduler::shuffle_axes(bool in_lanes) {
  std::int64_t bytes = geometry_.run;
  for (std::size_t i = 0; i < geometry_.rank; ++i) {
    bytes *= tile_.extents[i];
    plan_.kernel_axes |= std::uint64_t{tile_.extents[i] != 1} << i;
  }
  if (tile_.axis != no_axis) {
    const Axis& axis = geometry_.axes[tile_.axis];
    const std::int64_t extent = tile_.extents[tile_.axis];
    // A lane shuffle handles the tail together with the last full tile.
    plan_.a = {plan_.byte_shuffle.full_tiles + (plan_.byte_shuffle.has_tail && !in_lanes ? 1 : 0), extent * axis.to,
               extent * axis.from};
    plan_.kernel_axes |= std::uint64_t{1} << tile_.axis;
  }
  std::size_t next = 0;
  while (next < geometry_.rank && (next == tile_.axis || tile_.extents[next] != 1)) ++next;
  const bool has_rows = next < geometry_.rank;
  plan_.block_a = balanced_block(plan_.a.extent, max(1, rows_block / bytes), has_rows ? 1 : threads_);
  set_b(has_rows ? next : no_axis, max(1, plan_.block_a / plan_.a.extent));
}

void Scheduler::byte_shuffle_kernel() {
  shuffle_axes(false);
  set_kernel(kernels_->byte_shuffle, writes_whole_lines() ? kernels_->byte_shuffle_streaming : nullptr);
  plan_.peel_axis = tile_.axis;
  work_ = byte_shuffle_cycles();
}

// False if shuffles of so many cycles for `width` bytes take no fewer instructions than the best method so far.
bool Scheduler::may_pay(double each, std::int64_t width) const {
  return best_.candidate == nullptr ||
         static_cast<double>(geometry_.bytes) * each < best_.work * static_cast<double>(width);
}

// Once for the kernels of all engines.
bool Scheduler::find_byte_shuffle() {
  if (shuffle_method_ != Method::byte_shuffle) {
    shuffle_method_ = Method::byte_shuffle;
    has_byte_shuffle_ = make_byte_shuffle(geometry_, shuffle_tile_, plan_.byte_shuffle);
  }
  if (has_byte_shuffle_) tile_ = shuffle_tile_;
  return has_byte_shuffle_;
}

bool Scheduler::line_shuffle() {
  const KernelCycles& each = *each_;
  if (kernels_->byte_shuffle == nullptr || !may_pay(each.shuffle_step + each.shuffle_store, width_)) return false;
  shuffle_method_ = Method::line_shuffle;
  if (!make_line_shuffle(geometry_, tile_, plan_.byte_shuffle)) return false;
  byte_shuffle_kernel();
  return true;
}

bool Scheduler::byte_shuffle() {
  const KernelCycles& each = *each_;
  if (kernels_->byte_shuffle == nullptr || !may_pay(each.shuffle_step + each.shuffle_store, width_)) return false;
  if (!find_byte_shuffle()) return false;
  byte_shuffle_kernel();
  return true;
}

bool Scheduler::lane_shuffle() {
  const KernelCycles& each = *each_;
  if (kernels_->lane_shuffle == nullptr || !may_pay(each.shuffle_step + each.shuffle_store, width_)) return false;
  if (row_ != &engine_ && is_best_below(min_lane_cycles)) return false;
  if (!find_byte_shuffle()) return false;
  const LaneShuffle& shuffle = plan_.lane_shuffle;
  if (!make_lane_shuffle(geometry_, tile_, plan_.byte_shuffle, width_, plan_.lane_shuffle)) return false;
  shuffle_axes(true);
  set_kernel(kernels_->lane_shuffle);
  const double rows = elements() / static_cast<double>(plan_.a.extent),
               steps = static_cast<double>(shuffle.first[shuffle.vectors]);
  double tiles = static_cast<double>(plan_.a.extent) + (plan_.byte_shuffle.has_tail ? 1 : 0);
  for (std::size_t i = 0; i < geometry_.rank; ++i) tiles /= static_cast<double>(tile_.extents[i]);
  work_ = rows * tiles * (steps * each_->shuffle_step + static_cast<double>(shuffle.vectors) * each_->shuffle_store);
  return true;
}

// Tiles at the ends of a row have masked loads.
double Scheduler::byte_shuffle_cycles() const {
  const ByteShuffle& shuffle = plan_.byte_shuffle;
  const KernelCycles& each = *each_;
  const auto steps = static_cast<double>(shuffle.first_step[shuffle.destinations]);
  const double rows = [&] {
    double count = elements();
    for (std::size_t i = 0; i < geometry_.rank; ++i) count /= static_cast<double>(tile_.extents[i]);
    return tile_.axis == no_axis ? count
                                 : count * static_cast<double>(tile_.extents[tile_.axis]) /
                                       static_cast<double>(geometry_.axes[tile_.axis].extent);
  }();
  const auto masked = static_cast<double>(min(shuffle.full_tiles, shuffle.masked_head + shuffle.masked_tail) +
                                          (shuffle.has_tail ? 1 : 0));
  const double fast = static_cast<double>(shuffle.full_tiles + (shuffle.has_tail ? 1 : 0)) - masked;
  double stores = 0;
  for (std::size_t i = 0; i < shuffle.destinations; ++i)
    stores += shuffle.destination[i].mask == ~std::uint64_t{0} ? each.shuffle_store : each.partial_store;
  const double masked_stores = static_cast<double>(shuffle.destinations) * each.partial_store;
  const double unrolled_tile = steps * each.shuffle_step + stores;
  // A single tile has a kernel of its own.
  if (shuffle.is_unrolled && rows * static_cast<double>(shuffle.full_tiles) == 1) return unrolled_tile;
  const bool is_fast = shuffle.is_unrolled || shuffle.whole_lines;
  return rows *
         (each.shuffle_row + (masked == 0 ? 0 : each.masked_row + masked * (steps * each.masked_step + masked_stores)) +
          fast * (is_fast ? unrolled_tile : steps * each.slow_step + masked_stores));
}

// Kernels for a single tile, which sets nothing up.
void Scheduler::set_single_tile_kernel(const Kernels& kernels) {
  const bool is_single = !plan_.streaming && plan_.a.extent == 1 && plan_.b.extent == 1 && plan_.blocks == 1;
  if (!is_single) return;
  if (plan_.method == Method::lane_shuffle && plan_.lane_shuffle.tail_to == 0) set_kernel(kernels.lane_shuffle_single);
  ByteShuffle& shuffle = plan_.byte_shuffle;
  if (plan_.method != Method::byte_shuffle || !shuffle.is_unrolled) return;
  const bool in_dwords = has_dword_granularity(geometry_);
  if (in_dwords) convert_to_dwords(shuffle);
  const KernelsByWindows& single = in_dwords ? kernels.dword_shuffle_single : kernels.byte_shuffle_single;
  set_kernel(single.of[shuffle.sources - 1][shuffle.destinations - 1]);
}

// True if every tile writes whole cache lines, provided that the first one is aligned.
bool Scheduler::writes_whole_lines() const {
  const ByteShuffle& shuffle = plan_.byte_shuffle;
  if ((!shuffle.is_unrolled && !shuffle.whole_lines) || plan_.a.to % cache_line != 0) return false;
  for (std::size_t i = 0; i < shuffle.destinations; ++i) {
    if (shuffle.destination[i].mask != ~std::uint64_t{0} || shuffle.destination[i].offset % cache_line != 0)
      return false;
  }
  for (std::size_t i = 0; i < geometry_.rank; ++i) {
    if (tile_.extents[i] == 1 && i != tile_.axis && geometry_.axes[i].to % cache_line != 0) return false;
  }
  return true;
}

}  // namespace dlspec::optimized
