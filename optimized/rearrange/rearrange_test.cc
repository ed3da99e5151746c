#include <dlspec/optimized/rearrange/rearrange.h>

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <vector>

#include <dlspec/optimized/rearrange/engines/engine.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::optimized {
namespace {

using Bytes = std::vector<std::uint8_t>;
using Numbers = std::vector<std::int64_t>;

constexpr std::int64_t max_int64 = std::numeric_limits<std::int64_t>::max();

// A valid pair of operands; each test invalidates one property.
class RearrangeRefusal : public ::testing::Test {
 protected:
  Bytes from_ = Bytes(64, 1);
  Bytes to_ = Bytes(64, 2);
  abi::DataType source_type_{kDLInt, 16, 1}, destination_type_{kDLInt, 16, 1};
  Numbers source_shape_{3, 4}, destination_shape_{3, 4}, source_strides_{4, 1}, destination_strides_{1, 3};
  const std::uint8_t* source_ = from_.data();
  std::uint8_t* destination_ = to_.data();

  [[nodiscard]] View source() const { return {source_type_, source_shape_, source_strides_.data()}; }
  [[nodiscard]] View destination() const {
    return {destination_type_, destination_shape_, destination_strides_.data()};
  }

  // make_plan() with execute(), and rearrange(), must return the same status, and write only if it is ok.
  Status answer() {
    Plan plan;
    Status planned = make_plan(destination(), source(), plan);
    if (planned == Status::ok) planned = execute(plan, destination_, source_);
    if (planned != Status::ok) {
      EXPECT_EQ(to_, Bytes(64, 2)) << "written in spite of a refusal";
      EXPECT_EQ(from_, Bytes(64, 1));
    }
    EXPECT_EQ(rearrange(destination(), destination_, source(), source_), planned);
    return planned;
  }

  void set_shape(const Numbers& shape) { source_shape_ = destination_shape_ = shape; }
};

TEST_F(RearrangeRefusal, NotOfTheValidPair) {
  EXPECT_EQ(answer(), Status::ok);
  EXPECT_EQ(to_[0], 1);
}

TEST_F(RearrangeRefusal, OfOtherDtypes) {
  source_type_.code = kDLUInt;
  EXPECT_EQ(answer(), Status::dtype_mismatch);
}

TEST_F(RearrangeRefusal, OfDtypesWithoutStorage) {
  for (const abi::DataType dtype : {abi::DataType{kDLInt, 0, 1}, {kDLInt, 16, 0}, {kDLInt, 12, 1}}) {
    source_type_ = destination_type_ = dtype;
    EXPECT_EQ(answer(), Status::bad_dtype);
  }
}

TEST_F(RearrangeRefusal, OfPackedElementsUnlessTheyFillBytes) {
  source_type_ = destination_type_ = {kDLInt, 4, 1};
  EXPECT_EQ(answer(), Status::unsupported_dtype);
  source_type_ = destination_type_ = {kDLFloat6_e3m2fn, 6, 2};
  EXPECT_EQ(answer(), Status::unsupported_dtype);
  source_type_ = destination_type_ = {kDLInt, 4, 2};
  EXPECT_EQ(answer(), Status::ok);
}

TEST_F(RearrangeRefusal, OfOtherShapes) {
  source_shape_ = {4, 3};
  EXPECT_EQ(answer(), Status::shape_mismatch);
  source_shape_ = {3, 4, 1};
  source_strides_ = {4, 1, 1};
  EXPECT_EQ(answer(), Status::shape_mismatch);
}

TEST_F(RearrangeRefusal, OfRanksAbove64) {
  set_shape(Numbers(65, 1));
  source_strides_ = destination_strides_ = Numbers(65, 7);
  EXPECT_EQ(answer(), Status::bad_rank);
  set_shape(Numbers(64, 1));
  EXPECT_EQ(answer(), Status::ok);
}

TEST_F(RearrangeRefusal, OfNegativeExtents) {
  set_shape({3, -4});
  EXPECT_EQ(answer(), Status::bad_extent);
  set_shape({0, -4});
  EXPECT_EQ(answer(), Status::bad_extent);
}

TEST_F(RearrangeRefusal, OfNullDataUnlessThereAreNoElements) {
  source_ = nullptr;
  EXPECT_EQ(answer(), Status::null_pointer);
  source_ = from_.data();
  destination_ = nullptr;
  EXPECT_EQ(answer(), Status::null_pointer);
  set_shape({0, 4});
  source_ = nullptr;
  EXPECT_EQ(answer(), Status::ok);
}

TEST_F(RearrangeRefusal, OfExtentsThatOverflow) {
  set_shape({max_int64, 2});
  source_strides_ = {0, 0};
  destination_strides_ = {1, 0};
  EXPECT_EQ(answer(), Status::size_overflow);
  set_shape({max_int64 / 2 + 1, 1});
  source_strides_ = destination_strides_ = {1, 1};
  EXPECT_EQ(answer(), Status::size_overflow);
}

TEST_F(RearrangeRefusal, OfElementsOutsideTheAddressSpace) {
  set_shape({2, 1});
  source_strides_ = destination_strides_ = {-(std::int64_t{1} << 61), 1};
  EXPECT_EQ(answer(), Status::size_overflow);
  source_strides_ = destination_strides_ = {1, 1};
  source_ = reinterpret_cast<const std::uint8_t*>(~std::uintptr_t{0} - 2);  // the last byte of four is one too far
  EXPECT_EQ(answer(), Status::size_overflow);
}

TEST_F(RearrangeRefusal, OfDestinationsThatOverlap) {
  for (const Numbers& strides : {Numbers{2, 1}, {0, 1}, {1, 0}, {-1, 1}, {3, 1}}) {
    destination_strides_ = strides;
    EXPECT_EQ(answer(), Status::destination_overlap);
  }
  // So many indices in so wide a range that the search exceeds its budget.
  set_shape({4000, 2000, 1500});
  source_strides_ = {0, 0, 0};
  destination_strides_ = {10'000'000'019, 10'000'000'033, 10'000'000'061};
  EXPECT_EQ(answer(), Status::destination_overlap);
}

TEST_F(RearrangeRefusal, NotOfDestinationsWhoseAxesInterleave) {
  set_shape({3, 2});
  source_strides_ = {2, 1};
  destination_strides_ = {2, 3};  // 0 3 2 5 4 7
  EXPECT_EQ(answer(), Status::ok);
}

TEST_F(RearrangeRefusal, OfOperandsThatOverlap) {
  source_ = to_.data();
  from_ = Bytes(64, 1);
  EXPECT_EQ(answer(), Status::operands_overlap) << "the transposed self";
  source_strides_ = {1, 3};
  for (const int shift : {1, 2, 23}) {
    source_ = to_.data() + shift;
    EXPECT_EQ(answer(), Status::operands_overlap) << shift;
  }
  source_ = to_.data() + 24;
  EXPECT_EQ(answer(), Status::ok);
}

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
      EXPECT_EQ(plan.blocks % 3, 0) << engine.name;
      EXPECT_LT(plan.blocks * block - extent, plan.method == Method::copy ? 64 * plan.blocks : plan.blocks)
          << engine.name;
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
  const Plan plan = planned({kDLFloat, 32, 1}, {100, 5}, {5, 1}, {8, 1}, {.engine = engine});
  EXPECT_EQ(plan.method, Method::byte_shuffle);
  EXPECT_TRUE(plan.byte_shuffle.whole_lines);
  EXPECT_EQ(plan.byte_shuffle.destinations, 5u);
  EXPECT_EQ(plan.byte_shuffle.full_tiles, 6);
  EXPECT_TRUE(plan.byte_shuffle.has_tail);
}

// A line whose bytes are all in one window lists it twice: no window is empty.
TEST(Rearrange, LinesWithinOneWindowListItTwice) {
  const Engine* const engine = find_engine("avx512");
  if (engine == nullptr || !engine->available()) GTEST_SKIP() << "no byte permutes";
  const Plan plan = planned({kDLUInt, 8, 1}, {400, 3}, {3, 1}, {0, 1}, {.engine = engine});
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
      EXPECT_EQ(plan.method, Method::byte_shuffle) << engine.name << ", layout " << &layout - layouts;
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
