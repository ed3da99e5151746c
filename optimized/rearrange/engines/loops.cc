// The loops around a kernel: which there are, and in which order.
#include <dlspec/optimized/rearrange/engines/loops.h>

#include <dlspec/optimized/rearrange/plan/numbers.h>

namespace dlspec::optimized {
namespace {

constexpr std::int64_t pages_known = 1500;  // whose places the processor remembers

// Stores past the caches do not mind where they go: then what goes on in the source comes before what goes on in the
// destination, if both go on equally close.
bool is_further_inside(const Loop& one, const Loop& other, bool streaming) {
  const std::int64_t near_one = closeness(one.to, one.from), near_other = closeness(other.to, other.from);
  if (near_one != near_other || !streaming) return near_one < near_other;
  return magnitude(one.from) < magnitude(other.from);
}

void add(Plan& plan, const Loop& loop) {
  std::size_t place = plan.depth++;
  for (; place > 0 && is_further_inside(loop, plan.loops[place - 1], plan.streaming); --place) {
    plan.loops[place] = plan.loops[place - 1];
  }
  plan.loops[place] = loop;
  plan.blocks *= loop.count;
}

void add_cut(Plan& plan, const Step& step, std::int64_t block, Cut cut) {
  // Of one block the steps do not matter, and need not be representable.
  if (step.extent <= block) return;
  add(plan, {in_blocks(step.extent, block), block * step.to, block * step.from, cut});
}

// The largest that is not above `most`.
std::int64_t divisor(std::int64_t count, std::int64_t most) {
  std::int64_t found = lesser(count, most);
  while (found > 1 && count % found != 0) --found;
  return greater(found, 1);
}

// Two loops, one of which goes on in the source and the other in the destination, lead from page to page on the other
// side: in squares, whose pages the processor still knows when it comes back to them.
void go_in_squares(Plan& plan) {
  std::size_t first = 0;
  while (first < plan.depth && plan.loops[first].cut != Cut::none) ++first;
  if (first + 1 >= plan.depth || plan.loops[first + 1].cut != Cut::none) return;
  Loop& inner = plan.loops[first];
  Loop& outer = plan.loops[first + 1];
  const bool from_page_to_page = inner.to >= page && magnitude(outer.from) >= page;
  if (!from_page_to_page || magnitude(inner.from) >= page || outer.to >= page) return;
  const std::int64_t rows = lesser(plan.block_a, plan.a.extent) + lesser(plan.block_b, plan.b.extent);
  const std::int64_t inside = divisor(inner.count, pages_known / rows),
                     outside = divisor(outer.count, pages_known / rows);
  if (inside == 1 || outside == 1) return;
  for (std::size_t i = plan.depth; i-- > first + 2;) plan.loops[i + 2] = plan.loops[i];
  plan.depth += 2;
  plan.loops[first + 2] = {inner.count / inside, inside * inner.to, inside * inner.from, Cut::none};
  plan.loops[first + 3] = {outer.count / outside, outside * outer.to, outside * outer.from, Cut::none};
  inner.count = inside;
  outer.count = outside;
}

}  // namespace

void make_loops(Plan& plan, std::uint64_t done) noexcept {
  plan.depth = 0;
  plan.blocks = 1;
  add_cut(plan, plan.a, plan.block_a, Cut::a);
  add_cut(plan, plan.b, plan.block_b, Cut::b);
  for (std::size_t i = 0; i < plan.geometry.rank; ++i) {
    const Step& axis = plan.geometry.axes[i];
    if ((done >> i & 1) == 0) add(plan, {axis.extent, axis.to, axis.from, Cut::none});
  }
  if (plan.streaming) go_in_squares(plan);
}

}  // namespace dlspec::optimized
