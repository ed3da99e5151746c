#include <dlspec/optimized/cuda/schedule/register_tiles.h>

#include <algorithm>

#include <dlspec/optimized/cuda/phases/register_tile.h>
#include <dlspec/optimized/cuda/schedule/walks.h>

namespace dlspec::optimized::cuda {
namespace {

constexpr std::uint32_t max_warps_log2 = 3;

std::int64_t word_for(std::int64_t width) { return width == 1 ? tile_word<1> : tile_word<16>; }

// log2, rounded down.
std::uint32_t log2_of(std::int64_t number) {
  std::uint32_t bits = 0;
  while (number >> (bits + 1) != 0) ++bits;
  return bits;
}

// The index of the source's unit-stride axis, or 0 if the layout is no transpose for these kernels.
std::size_t source_axis(const Geometry& geometry, Alignment alignment) {
  const std::int64_t width = geometry.run;
  if (width > 16 || (width & (width - 1)) != 0 || geometry.rank < 2 || geometry.axes[0].to != width) return 0;
  const std::int64_t word = word_for(width);
  if (alignment.to < word || alignment.from < word) return 0;
  std::size_t found = 0;
  for (std::size_t i = geometry.rank; i-- > 1;) {
    if (geometry.axes[i].from == width) found = i;
  }
  if (found == 0 || geometry.axes[0].from == 0) return 0;
  for (std::size_t i = 0; i < geometry.rank; ++i) {
    const Axis& axis = geometry.axes[i];
    // The strides of the other side, and all others, lead to whole words.
    if (i != 0 && axis.to % word != 0) return 0;
    if (i != found && axis.from % word != 0) return 0;
    const bool is_unit = i == 0 || i == found;
    if (is_unit && (axis.extent * width % word != 0 || axis.extent * width < min_row)) return 0;
  }
  return found;
}

// Threads of a warp, and warps of a block, along both axes of the tile.
void shape_block(std::int64_t a, std::int64_t b, std::int64_t batch, CudaPlan& plan) {
  plan.lanes_b = std::min(3u, log2_of(b));
  plan.lanes_a = 5 - plan.lanes_b;
  if (log2_of(a) < plan.lanes_a) {
    plan.lanes_a = std::max(log2_of(a), 2u);
    plan.lanes_b = 5 - plan.lanes_a;
  }
  std::int64_t tile_a = std::int64_t{1} << plan.lanes_a, tile_b = std::int64_t{1} << plan.lanes_b;
  const auto blocks = [&] { return (a + tile_a - 1) / tile_a * ((b + tile_b - 1) / tile_b) * batch; };
  std::uint32_t warps = 0;
  for (; warps < max_warps_log2 && blocks() >= 2 * min_blocks; ++warps) {
    const bool grows_a = tile_a < a && (tile_a <= tile_b || tile_b >= b);
    if (!grows_a && tile_b >= b) break;
    (grows_a ? tile_a : tile_b) *= 2;
    if (grows_a) ++plan.warps_a;
  }
  plan.threads = static_cast<std::uint16_t>(32u << warps);
  plan.splits[0].block = static_cast<std::uint32_t>(tile_a);
  plan.splits[1].block = static_cast<std::uint32_t>(tile_b);
}

void set_split(Split& split, const Axis& axis, std::int64_t side, CudaPlan& plan) {
  split.block = static_cast<std::uint32_t>(split.block * side);
  split.extent = axis.extent;
  const std::int64_t blocks = (axis.extent + split.block - 1) / split.block;
  if (blocks < 2) return;
  split.blocks = blocks;
  split.to = split.block * axis.to;
  split.from = split.block * axis.from;
  plan.blocks *= blocks;
  if (blocks >= std::int64_t{1} << 31) return;
  const Divisor divisor = make_divisor(static_cast<std::uint32_t>(blocks));
  split.magic = divisor.magic;
  split.shift = divisor.shift;
}

}  // namespace

bool plan_register_tile(const Geometry& geometry, Alignment alignment, CudaPlan& plan) {
  const std::size_t across = source_axis(geometry, alignment);
  if (across == 0) return false;
  const Axis &a = geometry.axes[0], &b = geometry.axes[across];
  const std::int64_t width = geometry.run, word = word_for(width), side = word / width;
  plan.kernel = Kernel::register_tile;
  plan.width = static_cast<std::uint8_t>(width);
  plan.to_alignment = plan.from_alignment = static_cast<std::uint8_t>(word);
  shape_block(a.extent / side, b.extent / side, geometry.bytes / (a.extent * b.extent * width), plan);
  // Everything that is no axis of the tile is an axis of the grid.
  plan.blocks = 1;
  BoxAxes rest(geometry, width);
  rest[0].box = rest[0].extent;
  rest[static_cast<int>(across)].box = rest[static_cast<int>(across)].extent;
  set_grid(rest, plan);
  set_split(plan.splits[0], a, side, plan);
  set_split(plan.splits[1], b, side, plan);
  plan.load.axes[0].from = a.from;
  plan.store.axes[0].to = b.to;
  return true;
}

}  // namespace dlspec::optimized::cuda
