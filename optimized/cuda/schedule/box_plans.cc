#include <dlspec/optimized/cuda/schedule/box_plans.h>

#include <algorithm>

#include <dlspec/optimized/cuda/schedule/walks.h>

namespace dlspec::optimized::cuda {
namespace {

constexpr std::int64_t fill_word = 16;

// At most `per_block` bytes, and less where the grid would have too few blocks.
std::int64_t box_bytes_for(const CudaPlan& plan, std::int64_t per_block) {
  return std::clamp<std::int64_t>(plan.bytes / min_blocks, std::int64_t{32} * plan.width, per_block);
}

bool rows_are_words(const BoxAxes& axes) {
  for (int i = 1; i < axes.size(); ++i) {
    if (axes[i].to % fill_word != 0) return false;
  }
  return true;
}

// Without shared memory: the axes from `first` on along which a box spans several elements.
void add_axes(const BoxAxes& axes, int first, WalkBuilder& walk) {
  for (int i = first; i < axes.size(); ++i) {
    const BoxAxis& axis = axes[i];
    if (axis.box > 1) walk.add({axis.box, 0, axis.to, axis.from, axis.split});
  }
}

}  // namespace

void plan_direct(BoxAxes& axes, CudaPlan& plan) {
  plan.kernel = Kernel::direct;
  // 8 pieces of each thread, but at most 64 bytes.
  axes.grow_rows(box_bytes_for(plan, max_threads * std::min(std::int64_t{8} * plan.width, std::int64_t{64})));
  axes.finish();
  WalkBuilder walk(plan.store);
  add_axes(axes, 0, walk);
  walk.finish();
  set_grid(axes, plan);
  set_threads(plan);
}

void plan_fill(BoxAxes& axes, Alignment alignment, CudaPlan& plan) {
  plan.kernel = Kernel::fill;
  const std::int64_t pieces = fill_word / plan.width;
  axes.grow_rows(box_bytes_for(plan, std::int64_t{4} * max_threads * fill_word));
  BoxAxis& row = axes[0];
  // Blocks of whole words: only the ends of rows are written piece by piece.
  if (row.is_partial()) row.box = std::max(row.box / pieces, std::int64_t{1}) * pieces;
  if (row.box >= row.extent) row.box = row.extent;
  axes.finish();
  const bool split = row.split != no_split;
  Split& first = plan.splits[0];
  first.skew = split ? static_cast<std::uint32_t>(pieces - 1) : 0;
  if (split) plan.to_base -= first.skew * row.to;
  plan.store.chain_split = split ? 0 : -1;
  plan.store.chain_inner = 1;
  plan.store.chain_pieces = static_cast<std::uint32_t>(row.box);
  // A row that begins at a word boundary spans no extra word.
  const bool aligned = !split && alignment.to >= fill_word && rows_are_words(axes);
  if (aligned) plan.to_alignment = fill_word;
  const std::int64_t words = split ? row.box / pieces : (row.box + (aligned ? 1 : 2) * (pieces - 1)) / pieces;
  WalkBuilder walk(plan.store);
  walk.add({words, 0, 0, 0, word_coordinate});
  add_axes(axes, 1, walk);
  walk.finish();
  set_grid(axes, plan);
  set_threads(plan);
}

}  // namespace dlspec::optimized::cuda
