// The layouts and paths that are drawn: what they may be, and how much they differ.
#include <dlspec/conformance/plan/drawn.h>

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include <dlspec/conformance/plan/drawn_dtypes.h>
#include <dlspec/conformance/plan/path_sides.h>
#include <dlspec/conformance/plan/thorough.h>

namespace dlspec::conformance {
namespace {

const LayoutRow& layout(int number) { return *drawn_layout("drawn" + std::to_string(number)); }

// Of the axes with several places, from the innermost: true when the strides grow.
bool is_row_major(const LayoutRow& row) {
  std::int64_t least = 0;
  for (std::size_t axis = row.shape.size(); axis-- > 0;) {
    if (row.shape[axis] == 1) continue;
    const std::int64_t step = std::abs((*row.strides)[axis]);
    if (step != 0 && step < least) return false;
    least = std::max(least, step);
  }
  return true;
}

TEST(Drawn, EveryLayoutLiesInASmallSpan) {
  for (int number = 0; number < 3000; ++number) {
    const LayoutRow& row = layout(number);
    std::int64_t low = row.offset, high = row.offset, elements = 1;
    for (std::size_t axis = 0; axis < row.shape.size(); ++axis) {
      const std::int64_t reach = (row.shape[axis] - 1) * (*row.strides)[axis];
      (reach < 0 ? low : high) += reach;
      elements *= row.shape[axis];
    }
    EXPECT_GE(low, 0) << row.name;
    EXPECT_LT(high, 5000) << row.name;
    EXPECT_GE(elements, 2) << row.name;
    EXPECT_LE(elements, number >= 160 && number % 4 == 3 ? 2200 : 64) << row.name;
    EXPECT_FALSE(row.read_only);
  }
}

TEST(Drawn, ElementsShareAPlaceWhereAStrideIsZeroAlone) {
  for (int number = 0; number < 1000; ++number) {
    const LayoutRow& row = layout(number);
    std::set<std::int64_t> places;
    std::vector<std::int64_t> index(row.shape.size());
    std::int64_t expected = 1;
    for (std::size_t axis = 0; axis < index.size(); ++axis) {
      if ((*row.strides)[axis] != 0) expected *= row.shape[axis];
    }
    for (bool more = true; more;) {
      std::int64_t place = row.offset;
      for (std::size_t axis = 0; axis < index.size(); ++axis) place += index[axis] * (*row.strides)[axis];
      places.insert(place);
      more = false;
      for (std::size_t axis = index.size(); axis-- > 0 && !more;) {
        index[axis] = (index[axis] + 1) % row.shape[axis];
        more = index[axis] != 0;
      }
    }
    EXPECT_EQ(places.size(), static_cast<std::size_t>(expected)) << row.name;
  }
}

TEST(Drawn, TheLayoutsOfARunAreOfManyKinds) {
  int permuted = 0, backwards = 0, repeated = 0, high = 0, behind = 0;
  for (int number = 0; number < 160; ++number) {
    const LayoutRow& row = layout(number);
    permuted += is_row_major(row) ? 0 : 1;
    const auto has = [&](RuleId id) {
      return std::find(row.consumer_rules.begin(), row.consumer_rules.end(), id) != row.consumer_rules.end();
    };
    backwards += has(RuleId::tensor_strides_negative_ok) ? 1 : 0;
    repeated += has(RuleId::tensor_strides_zero_ok) ? 1 : 0;
    behind += has(RuleId::tensor_byte_offset_honoured) ? 1 : 0;
    high += row.shape.size() > 6 ? 1 : 0;
  }
  for (const int count : {permuted, backwards, behind}) EXPECT_GE(count, 20);
  EXPECT_GE(repeated, 5);
  EXPECT_GE(high, 12);
}

TEST(Drawn, ANameIsALayoutInOneWayAlone) {
  EXPECT_EQ(find_layout("drawn17"), drawn_layout("drawn17"));
  EXPECT_STREQ(find_layout("drawn17")->name, "drawn17");
  for (const char* name : {"drawn", "drawn-1", "drawn017", "drawn100000", "drawn1x", "drawn4294967296", "sliced"})
    EXPECT_EQ(drawn_layout(name), nullptr) << name;
}

TEST(Drawn, EveryPathIsAllowedAndFoundByItsId) {
  for (const PathSide side : path_sides) {
    ASSERT_EQ(drawn_rows(side.native, side.role, false).size(), 240U);
    for (const PathRow& row : drawn_rows(side.native, side.role, true)) {
      const std::string id = std::string(role_name(row.role)) + "/" + row.dtype + "/" + row.layout + "/" + row.variant;
      const std::optional<PathRow> found = path_of_id(side.native, id);
      ASSERT_TRUE(found) << id;
      EXPECT_STREQ(found->layout, row.layout);
    }
  }
}

TEST(Drawn, EveryDtypeHasContentsAndIsNamedOnce) {
  std::set<std::string_view> names;
  for (const char* name : drawn_dtypes()) {
    EXPECT_TRUE(names.insert(name).second) << name;
    EXPECT_EQ(find_drawn_dtype(name), name);
    EXPECT_STREQ(table_dtype(name), "float32x4");
    EXPECT_FALSE(memory_contents(name, 3, 0).empty()) << name;
  }
  EXPECT_EQ(find_drawn_dtype("float32x4"), nullptr) << "the table has it";
  EXPECT_STREQ(table_dtype("int8"), "int8");
}

TEST(Drawn, LongLayoutsAndDrawnDtypesAreAmongTheRowsOfARun) {
  for (const PathSide side : path_sides) {
    int long_ones = 0, vectors = 0;
    for (const PathRow& row : drawn_rows(side.native, side.role, false)) {
      std::int64_t elements = 1;
      for (const std::int64_t extent : find_layout(row.layout)->shape) elements *= extent;
      long_ones += elements > 64 ? 1 : 0;
      vectors += find_drawn_dtype(row.dtype) != nullptr ? 1 : 0;
    }
    EXPECT_EQ(long_ones, 20);
    EXPECT_EQ(vectors, 40);
  }
}

TEST(Drawn, AThoroughRunHasThePathsOfAnOrdinaryOne) {
  const auto few = drawn_rows(true, Role::consumer, false), many = drawn_rows(true, Role::consumer, true);
  ASSERT_LT(few.size(), many.size());
  for (std::size_t i = 0; i < few.size(); ++i) EXPECT_EQ(few[i].variant, many[i].variant);
}

}  // namespace
}  // namespace dlspec::conformance
