// The loop nest around a kernel: its loops and their order.
#include <dlspec/optimized/rearrange/engines/loops.h>

#include <dlspec/optimized/rearrange/plan/arithmetic.h>

namespace dlspec::optimized {
namespace {

constexpr std::int64_t max_tlb_pages = 1500;  // pages whose translations the L2 TLB holds

// The loop with the smaller stride in either operand goes inside. Non-temporal stores are insensitive to locality: of
// loops with equal strides it is the one that is closer in the source.
bool is_inner_loop(const Plan& plan, const Loop& one, const Loop& other) {
  if (plan.by_destination) return one.to < other.to;
  const std::int64_t stride_one = min_stride(one.to, one.from), stride_other = min_stride(other.to, other.from);
  if (stride_one != stride_other || !plan.streaming) return stride_one < stride_other;
  return magnitude(one.from) < magnitude(other.from);
}

void add(Plan& plan, const Loop& loop) {
  std::size_t place = plan.depth++;
  for (; place > 0 && is_inner_loop(plan, loop, plan.loops[place - 1]); --place) {
    plan.loops[place] = plan.loops[place - 1];
  }
  plan.loops[place] = loop;
  plan.blocks *= loop.count;
}

void add_block_loop(Plan& plan, const Axis& step, std::int64_t block, BlockedAxis blocked) {
  // A single block needs no stride, which may overflow int64.
  if (step.extent <= block) return;
  add(plan, {div_round_up(step.extent, block), block * step.to, block * step.from, blocked});
}

// The largest divisor of `count` up to `most`.
std::int64_t largest_divisor(std::int64_t count, std::int64_t most) {
  std::int64_t found = min(count, most);
  while (found > 1 && count % found != 0) --found;
  return max(found, 1);
}

// TLB blocking. Of two loops one has a small stride in the source and the other in the destination, so that each
// crosses pages on the other side. Tiles both so that their pages stay in the TLB.
void block_for_tlb(Plan& plan) {
  std::size_t first = 0;
  while (first < plan.depth && plan.loops[first].blocked != BlockedAxis::none) ++first;
  if (first + 1 >= plan.depth || plan.loops[first + 1].blocked != BlockedAxis::none) return;
  Loop& inner = plan.loops[first];
  Loop& outer = plan.loops[first + 1];
  const bool from_page_to_page = inner.to >= page_size && magnitude(outer.from) >= page_size;
  if (!from_page_to_page || magnitude(inner.from) >= page_size || outer.to >= page_size) return;
  const std::int64_t rows = min(plan.block_a, plan.a.extent) + min(plan.block_b, plan.b.extent);
  const std::int64_t inside = largest_divisor(inner.count, max_tlb_pages / rows),
                     outside = largest_divisor(outer.count, max_tlb_pages / rows);
  if (inside == 1 || outside == 1) return;
  for (std::size_t i = plan.depth; i-- > first + 2;) plan.loops[i + 2] = plan.loops[i];
  plan.depth += 2;
  plan.loops[first + 2] = {inner.count / inside, inside * inner.to, inside * inner.from, BlockedAxis::none};
  plan.loops[first + 3] = {outer.count / outside, outside * outer.to, outside * outer.from, BlockedAxis::none};
  inner.count = inside;
  outer.count = outside;
}

}  // namespace

void make_loops(Plan& plan, std::uint64_t done) noexcept {
  plan.depth = 0;
  plan.blocks = 1;
  add_block_loop(plan, plan.a, plan.block_a, BlockedAxis::a);
  add_block_loop(plan, plan.b, plan.block_b, BlockedAxis::b);
  for (std::size_t i = 0; i < plan.geometry.rank; ++i) {
    const Axis& axis = plan.geometry.axes[i];
    if ((done >> i & 1) == 0) add(plan, {axis.extent, axis.to, axis.from, BlockedAxis::none});
  }
  if (plan.streaming) block_for_tlb(plan);
}

}  // namespace dlspec::optimized
