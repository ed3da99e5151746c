// Plans of tensors beyond any memory. Nothing is copied: the kernel records its blocks, and each destination offset is
// traced back to its index and from there to the source.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cstdint>
#include <vector>

#include <dlspec/optimized/rearrange/engines/engine.h>
#include <dlspec/optimized/rearrange/rearrange.h>
#include <dlspec/optimized/testing/huge_layouts.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::optimized::testing {
namespace {

using Numbers = std::vector<std::int64_t>;

struct Huge {
  std::int64_t element_size;
  Numbers shape, to, from;
};

std::vector<Block>& noted() {
  static std::vector<Block> blocks;
  return blocks;
}
void note(const Plan&, const Block& block) noexcept { noted().push_back(block); }

// The source offset that belongs to a destination offset, both in elements from element (0, ..., 0); false if the
// destination has no element there. Its axes are nested.
bool trace(const Huge& huge, std::int64_t to, std::int64_t& from) {
  std::vector<std::size_t> order;
  for (std::size_t axis = 0; axis < huge.shape.size(); ++axis) {
    if (huge.shape[axis] > 1) order.push_back(axis);
    if (huge.to[axis] < 0 && huge.shape[axis] > 1) to -= (huge.shape[axis] - 1) * huge.to[axis];
  }
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return std::abs(huge.to[a]) > std::abs(huge.to[b]); });
  from = 0;
  for (const std::size_t axis : order) {
    const std::int64_t step = std::abs(huge.to[axis]), up = to / step;
    const std::int64_t index = huge.to[axis] < 0 ? huge.shape[axis] - 1 - up : up;
    if (to < 0 || index < 0 || index >= huge.shape[axis]) return false;
    to -= up * step;
    from += index * huge.from[axis];
  }
  return to == 0;
}

// Both corners of a block: the first element, and the last along a and b.
void expect_traced(const Huge& huge, const Plan& plan, const Block& block) {
  const auto base = reinterpret_cast<std::byte*>(std::uintptr_t{1} << 62);
  const bool whole = plan.method != Method::byte_shuffle && plan.method != Method::indexed_transpose;
  for (const std::int64_t last : {0, 1}) {
    if (last == 1 && !whole) continue;
    const std::int64_t i = last * (block.a - 1), j = last * (block.b - 1);
    const std::int64_t to = block.to - base + plan.geometry.to_start + i * plan.a.to + j * plan.b.to;
    const std::int64_t from = block.from - base + plan.geometry.from_start + i * plan.a.from + j * plan.b.from;
    if (to % huge.element_size != 0) continue;  // inside an element of a long run
    std::int64_t expected = 0;
    ASSERT_TRUE(trace(huge, to / huge.element_size, expected)) << plan.engine << " block to " << to;
    ASSERT_EQ(from, expected * huge.element_size) << plan.engine << " block to " << to;
  }
}

void expect_right(const Huge& huge, const Engine& engine, std::uint64_t where) {
  const abi::DataType dtype{kDLUInt, 8, static_cast<std::uint16_t>(huge.element_size)};
  Plan plan;
  ASSERT_EQ(
      make_plan({dtype, huge.shape, huge.to.data()}, {dtype, huge.shape, huge.from.data()}, plan, {.engine = &engine}),
      Status::ok);
  plan.kernel = note;
  const auto base = reinterpret_cast<std::byte*>(std::uintptr_t{1} << 62);
  const auto blocks = static_cast<std::uint64_t>(plan.blocks);
  for (const std::uint64_t first : {std::uint64_t{0}, where % blocks, blocks - 1}) {
    noted().clear();
    const auto begin = static_cast<std::int64_t>(first);
    const std::int64_t end = std::min(begin + 3, plan.blocks);
    run_blocks(plan, base, base, begin, end);
    ASSERT_EQ(noted().size(), static_cast<std::size_t>(end - begin));
    for (const Block& block : noted()) expect_traced(huge, plan, block);
  }
}

Huge any_huge() {
  Huge huge;
  huge.element_size = *rc::gen::element<std::int64_t>(1, 2, 3, 4, 8, 16);
  huge.shape = huge_shape(huge.element_size);
  huge.to = huge_strides(huge.shape, false);
  huge.from = huge_strides(huge.shape, true);
  return huge;
}

RC_GTEST_PROP(RearrangeHuge, BlocksLieWhereTheyBelong, (std::uint64_t where)) {
  const Huge huge = any_huge();
  for (const Engine& engine : engines()) {
    expect_right(huge, engine, where);
    RC_ASSERT(!::testing::Test::HasFatalFailure());
  }
}

TEST(RearrangeHuge, MoreThanTwoToThe31Elements) {
  for (const Engine& engine : engines()) {
    expect_right({1, {3'000'000'000, 2}, {2, 1}, {1, 3'000'000'000}}, engine, 1'234'567'890'123);
    expect_right({4, {70'000, 70'000}, {70'000, 1}, {1, 70'000}}, engine, 9'876'543'210'987);
    expect_right({2, {100'000, 100'000, 3}, {300'000, 3, 1}, {0, -1, 100'000}}, engine, 5'555'555'555);
    expect_right({1, {std::int64_t{1} << 52}, {1}, {1}}, engine, 77'777'777'777);
  }
}

}  // namespace
}  // namespace dlspec::optimized::testing
