#include <dlspec/optimized/rearrange/rearrange.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include <dlspec/optimized/rearrange/engines/engine.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::optimized {
namespace {

using Bytes = std::vector<std::uint8_t>;
using Numbers = std::vector<std::int64_t>;

TEST(Rearrange, OntoItselfDoesNothing) {
  Bytes bytes{1, 2, 3, 4, 5, 6};
  const Numbers shape{2, 1, 3}, strides{3, 77, 1}, other_strides{3, -5, 1};
  EXPECT_EQ(rearrange({{kDLInt, 8, 1}, shape, strides.data()}, bytes.data(),
                      {{kDLInt, 8, 1}, shape, other_strides.data()}, bytes.data()),
            Status::ok);
  EXPECT_EQ(bytes, (Bytes{1, 2, 3, 4, 5, 6}));
}

// Interleaved operands share no byte: every engine must leave the other operand's bytes unchanged.
TEST(Rearrange, BetweenInterleavedOperands) {
  const Numbers shape{40}, strides{2};
  const View view({kDLInt, 16, 1}, shape, strides.data());
  for (const Engine& engine : engines()) {
    if (!engine.available()) continue;
    std::vector<std::uint16_t> elements(80), expected(80);
    for (std::size_t i = 0; i < 80; ++i) {
      elements[i] = static_cast<std::uint16_t>(1000 + i);
      expected[i] = static_cast<std::uint16_t>(1000 + i / 2 * 2);
    }
    Plan plan;
    ASSERT_EQ(make_plan(view, view, plan, {.engine = &engine}), Status::ok);
    EXPECT_EQ(execute(plan, elements.data() + 1, elements.data()), Status::ok);
    EXPECT_EQ(elements, expected) << engine.name;
  }
}

// A thread may write nothing beyond its own tiles.
TEST(Rearrange, OfEveryEngineOnThreads) {
  const Numbers shape{20, 3001, 3}, mirrored{9003, -3, 1}, planes{3001, 1, 60'020};
  Bytes from(180'060);
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = static_cast<std::uint8_t>(i % 251);
  for (const Numbers& strides : {mirrored, planes}) {
    const View view({kDLUInt, 8, 1}, shape, nullptr), source({kDLUInt, 8, 1}, shape, strides.data());
    const std::uint8_t* const start = from.data() + (strides[1] < 0 ? 9000 : 0);
    Bytes expected;
    for (const Engine& engine : engines()) {
      if (!engine.available()) continue;
      Bytes to(from.size());
      Plan plan;
      ASSERT_EQ(make_plan(view, source, plan, {.engine = &engine, .threads = 3, .bytes_per_thread = 1}), Status::ok);
      EXPECT_GT(plan.threads, 1) << engine.name;
      ASSERT_EQ(execute(plan, to.data(), start), Status::ok);
      if (expected.empty()) expected = to;
      EXPECT_TRUE(to == expected) << engine.name;
    }
  }
}

TEST(Rearrange, APlanThatWasNotMadeCopiesNothing) {
  Plan plan;
  EXPECT_EQ(execute(plan, nullptr, nullptr), Status::ok);
  const Numbers shape{2}, strides{0};
  const View overlapping({kDLInt, 8, 1}, shape, strides.data());
  ASSERT_EQ(make_plan(overlapping, overlapping, plan), Status::destination_overlap);
  EXPECT_EQ(execute(plan, nullptr, nullptr), Status::ok);
}

// A plan that make_plan() must accept.
Plan planned(abi::DataType dtype, const Numbers& shape, const Numbers& to, const Numbers& from,
             const PlanOptions& options) {
  Plan plan;
  EXPECT_EQ(make_plan({dtype, shape, to.data()}, {dtype, shape, from.data()}, plan, options), Status::ok);
  return plan;
}

// The blocks of one axis are shared among the threads: none may get only a small tail.
TEST(Rearrange, GivesThreadsEqualBlocks) {
  struct Case {
    Numbers shape, to, from;
  };
  const std::int64_t floats = (std::int64_t{1} << 16) + 100;
  const Case cases[] = {{{floats}, {1}, {1}},                 // a copy
                        {{700, 257}, {257, 1}, {300, 1}},     // runs
                        {{floats, 2}, {2, 1}, {1, floats}}};  // byte shuffles, with some engines
  for (const Engine& engine : engines()) {
    for (const auto& [shape, to, from] : cases) {
      const Plan plan =
          planned({kDLFloat, 32, 1}, shape, to, from, {.engine = &engine, .threads = 3, .bytes_per_thread = 1});
      const bool along_a = plan.a.extent > plan.block_a;
      const std::int64_t extent = along_a ? plan.a.extent : plan.b.extent,
                         block = along_a ? plan.block_a : plan.block_b;
      if (plan.method == Method::transpose || plan.blocks < 2) continue;
      const std::int64_t blocks = (extent + block - 1) / block;
      EXPECT_EQ(blocks % 3, 0) << engine.name;
      EXPECT_LT(blocks * block - extent, plan.method == Method::copy ? 64 * blocks : blocks) << engine.name;
    }
  }
}

// Transposes too: the threads share the rows if there are enough, else the elements of each row.
TEST(Rearrange, GivesThreadsPartsOfTransposes) {
  for (const Engine& engine : engines()) {
    if (engine.width == 0) continue;
    for (const std::int64_t rows : {16, 256, 4096}) {
      const std::int64_t columns = 65536 / rows;
      const Plan plan = planned({kDLFloat, 32, 1}, {rows, columns}, {columns, 1}, {1, rows},
                                {.engine = &engine, .threads = 2, .bytes_per_thread = 1 << 16});
      EXPECT_EQ(plan.threads, 2) << engine.name << " " << rows;
      EXPECT_EQ(plan.blocks % 2, 0) << engine.name << " " << rows;
    }
  }
}

// Twice the stride of an axis overflows int64, but the span does not.
TEST(Rearrange, PlansSourcesWithTheLargestSpan) {
  const Numbers shape{2, 2}, to{2, 1}, from{0, std::int64_t{1} << 62}, back{1, -(std::int64_t{1} << 62)};
  for (const Engine& engine : engines()) {
    for (const Numbers& strides : {from, back}) {
      EXPECT_EQ(planned({kDLInt, 8, 1}, shape, to, strides, {.engine = &engine}).geometry.rank, 2u);
    }
  }
}

// One more row would overflow int64: sanitizers report arithmetic that wraps.
TEST(Rearrange, PlansDestinationsWithTheLargestSpan) {
  const Numbers shape{64, 64}, to{std::int64_t{1} << 55, 1}, from{1, 64};
  for (const Engine& engine : engines()) {
    EXPECT_EQ(planned({kDLFloat, 32, 1}, shape, to, from, {.engine = &engine, .stream_from = 0}).geometry.rank, 2u);
  }
}

// 20 of every 32 bytes: five cache lines hold sixteen such rows.
TEST(Rearrange, ShortRowsAreCopiedInLines) {
  const Engine* const engine = find_engine("avx512");
  if (engine == nullptr || !engine->available()) GTEST_SKIP() << "no byte permutes";
  const Plan plan = planned({kDLFloat, 32, 1}, {100, 5}, {5, 1}, {8, 1},
                            {.engine = engine, .methods = methods_of(Method::line_shuffle)});
  EXPECT_EQ(plan.method, Method::line_shuffle);
  EXPECT_TRUE(plan.byte_shuffle.whole_lines);
  EXPECT_EQ(plan.byte_shuffle.destinations, 5u);
  EXPECT_EQ(plan.byte_shuffle.full_tiles, 6);
  EXPECT_TRUE(plan.byte_shuffle.has_tail);
}

// A line whose bytes are all in one window lists it twice: no window is empty.
TEST(Rearrange, LinesWithinOneWindowListItTwice) {
  const Engine* const engine = find_engine("avx512");
  if (engine == nullptr || !engine->available()) GTEST_SKIP() << "no byte permutes";
  const Plan plan = planned({kDLUInt, 8, 1}, {400, 3}, {3, 1}, {0, 1},
                            {.engine = engine, .methods = methods_of(Method::line_shuffle)});
  ASSERT_TRUE(plan.byte_shuffle.whole_lines);
  for (std::size_t i = 0; i < plan.byte_shuffle.sources; ++i) EXPECT_EQ(plan.byte_shuffle.source[i].mask, 7u);
}

TEST(Rearrange, NullStridesAreCompact) {
  const Bytes from{1, 2, 3, 4, 5, 6};
  const Numbers shape{2, 3}, columns{1, 2};
  Bytes to(6);
  ASSERT_EQ(
      rearrange({{kDLInt, 8, 1}, shape, columns.data()}, to.data(), {{kDLInt, 8, 1}, shape, nullptr}, from.data()),
      Status::ok);
  EXPECT_EQ(to, (Bytes{1, 4, 2, 5, 3, 6}));
}

// Interleave, deinterleave, flip, gather: engines with byte permutes do not copy these element by element.
TEST(Engine, UsesByteShufflesIfItHasPermutes) {
  struct Layout {
    std::uint8_t bits;
    Numbers shape, to, from;
  };
  const Layout layouts[] = {
      {8, {3, 60, 100}, {6000, 100, 1}, {1, 300, 3}},
      {8, {60, 100, 3}, {300, 3, 1}, {100, 1, 6000}},
      {8, {1000}, {1}, {-1}},
      {8, {100, 3}, {3, 1}, {-3, 1}},
      {8, {100, 3}, {3, 1}, {1, 0}},
      {32, {1000}, {1}, {2}},
      {32, {100, 5}, {5, 1}, {-5, -1}},
      {32, {1000, 2}, {2, 1}, {1, 1000}},
  };
  for (const Engine& engine : engines()) {
    if (engine.kernels->byte_shuffle == nullptr && engine.kernels->lane_shuffle == nullptr) continue;
    for (const Layout& layout : layouts) {
      const abi::DataType dtype{kDLUInt, layout.bits, 1};
      const Plan plan = planned(dtype, layout.shape, layout.to, layout.from, {.engine = &engine});
      EXPECT_NE(methods_of(plan.method) & shuffles, 0u) << engine.name << ", layout " << &layout - layouts;
    }
  }
#if defined(__x86_64__)
  EXPECT_NE(find_engine("avx2")->kernels->lane_shuffle, nullptr);
#endif
}

TEST(Engine, IsFoundByNameAndLimited) {
  EXPECT_STREQ(best_engine("scalar").name, "scalar");
  EXPECT_EQ(find_engine("mmx"), nullptr);
  const Engine* best = nullptr;
  for (const Engine& engine : engines()) {
    EXPECT_EQ(find_engine(engine.name), &engine);
    if (engine.available()) best = &engine;
  }
  EXPECT_EQ(&best_engine(""), best);
  EXPECT_EQ(&best_engine("mmx"), best);
  EXPECT_EQ(&best_engine(engines().back().name), best);
}

}  // namespace
}  // namespace dlspec::optimized
