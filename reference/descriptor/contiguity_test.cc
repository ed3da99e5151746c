#include <dlspec/reference/descriptor/contiguity.h>

#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <dlspec/reference/descriptor/enumerate.h>

namespace dlspec::reference {
namespace {

using Numbers = std::vector<std::int64_t>;
constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

bool visits_in_order(const Layout& layout) {
  std::int64_t expected = 0;
  for (Cursor<std::int64_t> cursor(layout); !cursor.done(); cursor.advance()) {
    if (cursor.offset() != expected++) return false;
  }
  return true;
}

Layout reversed(Layout layout) {
  std::reverse(layout.shape.begin(), layout.shape.end());
  if (layout.strides) std::reverse(layout.strides->begin(), layout.strides->end());
  return layout;
}

RC_GTEST_PROP(Contiguity, IsTheOrderOfAVisit, ()) {
  Layout layout;
  const auto rank = *rc::gen::inRange<std::size_t>(0, 4);
  layout.shape = *rc::gen::container<Numbers>(rank, rc::gen::inRange<std::int64_t>(0, 4));
  layout.strides = *rc::gen::oneOf(rc::gen::just(*row_major_strides(layout.shape)),
                                   rc::gen::just(*column_major_strides(layout.shape)),
                                   rc::gen::container<Numbers>(rank, rc::gen::inRange<std::int64_t>(-2, 7)));
  RC_ASSERT(is_row_major(layout) == visits_in_order(layout));
  RC_ASSERT(is_column_major(layout) == visits_in_order(reversed(layout)));
}

TEST(Contiguity, SingleExtentsMayHaveAnyStride) {
  const Numbers shape{3, 1, 4}, strides{4, largest, 1};
  EXPECT_TRUE(is_row_major({shape, strides.data()}));
  EXPECT_FALSE(is_column_major({shape, strides.data()}));
}

TEST(Contiguity, EmptyIsCompactInEveryOrder) {
  const Numbers shape{3, 0, 4}, strides{-5, 7, 9};
  EXPECT_TRUE(is_row_major({shape, strides.data()}));
  EXPECT_TRUE(is_column_major({shape, strides.data()}));
}

TEST(Contiguity, NullStridesAreRowMajorHoweverLargeTheExtents) {
  const Numbers shape(64, largest), line{1, 5, 1};
  EXPECT_TRUE(is_row_major({shape, nullptr}));
  EXPECT_FALSE(is_column_major({shape, nullptr}));
  EXPECT_TRUE(is_column_major({line, nullptr}));
}

TEST(Contiguity, ReversedAndRepeatedAxesAreNotCompact) {
  const Numbers shape{4}, backwards{-1}, repeated{0};
  EXPECT_FALSE(is_row_major({shape, backwards.data()}));
  EXPECT_FALSE(is_row_major({shape, repeated.data()}));
}

}  // namespace
}  // namespace dlspec::reference
