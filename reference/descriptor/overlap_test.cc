#include <dlspec/reference/descriptor/overlap.h>

#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace dlspec::reference {
namespace {

using Numbers = std::vector<std::int64_t>;
constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

Overlap answer(bool overlaps) { return overlaps ? Overlap::yes : Overlap::no; }

// Calls `check` with every combination of up to `rank` axes whose extents and strides are listed.
void for_each_layout(std::size_t rank, const Numbers& extents, const Numbers& strides, Layout& layout,
                     const auto& check) {
  check(layout);
  if (layout.shape.size() == rank) return;
  for (const std::int64_t extent : extents) {
    for (const std::int64_t stride : strides) {
      layout.shape.push_back(extent);
      layout.strides->push_back(stride);
      for_each_layout(rank, extents, strides, layout, check);
      layout.shape.pop_back();
      layout.strides->pop_back();
    }
  }
}

TEST(Overlap, ProofsAreNeverWrongOnSmallLayouts) {
  Layout layout;
  layout.strides.emplace();
  std::size_t decided = 0, asked = 0;
  for_each_layout(3, {0, 1, 2, 3, 4}, {-3, -1, 0, 1, 2, 3, 4, 6, 7}, layout, [&](const Layout& candidate) {
    const Overlap proven = self_overlap_by_proof(candidate);
    const Overlap truth = answer(self_overlap_by_enumeration(candidate));
    ++asked;
    if (proven == Overlap::unknown) return;
    ++decided;
    ASSERT_EQ(proven, truth) << ::testing::PrintToString(candidate.shape)
                             << ::testing::PrintToString(*candidate.strides);
  });
  EXPECT_GT(decided * 100, asked * 95) << "proofs decide " << decided << " of " << asked;
}

TEST(Overlap, SmallLayoutsAreAlwaysDecided) {
  Layout layout;
  layout.strides.emplace();
  for_each_layout(3, {1, 3, 4}, {-5, 0, 2, 3, 7, 8}, layout, [&](const Layout& candidate) {
    ASSERT_EQ(self_overlap(candidate), answer(self_overlap_by_enumeration(candidate)));
  });
}

TEST(Overlap, CompactLayoutsAreDecidedByProof) {
  const Numbers shape{2, 3, 4, 5}, row_major{60, 20, 5, 1}, column_major{1, 2, 6, 24}, narrower{59, 20, 5, 1};
  EXPECT_EQ(self_overlap_by_proof({shape, row_major.data()}), Overlap::no);
  EXPECT_EQ(self_overlap_by_proof({shape, column_major.data()}), Overlap::no);
  EXPECT_NE(self_overlap_by_proof({shape, narrower.data()}), Overlap::no);
}

TEST(Overlap, LargeLayoutsAreDecidedByProof) {
  const Numbers shape{largest, 2}, apart{2, 1}, repeated{1, 0}, crossing{1, 5};
  EXPECT_EQ(self_overlap({shape, apart.data()}), Overlap::no);
  EXPECT_EQ(self_overlap({shape, repeated.data()}), Overlap::yes);
  EXPECT_EQ(self_overlap({shape, crossing.data()}), Overlap::yes);
  EXPECT_EQ(self_overlap({shape, nullptr}), Overlap::no);
}

// Each needs every step of the proof: without one of them it is not known whether indices meet.
TEST(Overlap, AxesAreRemovedByProofWhateverTheirOrder) {
  struct Row {
    Numbers shape, strides;
  };
  const Row rows[] = {{{3, 2, 2}, {1, 3, 7}},        {{2, 2, 2}, {2, 4, 7}}, {{2, 2, 2}, {2, 5, 6}},
                      {{2, 3, 2}, {1, 6, 8}},        {{4, 2, 2}, {2, 3, 8}}, {{2, 4, 2}, {2, 4, 5}},
                      {{2, 2, 4, 2}, {2, 9, 12, 20}}};
  for (const Row& row : rows) {
    const Axes axes(row.shape, row.strides.data());
    EXPECT_EQ(self_overlap_by_proof(axes), Overlap::no) << ::testing::PrintToString(row.strides);
    EXPECT_FALSE(self_overlap_by_enumeration(axes)) << ::testing::PrintToString(row.strides);
  }
}

TEST(Overlap, ProofsOfPairsAndOfNumbersGoSoFarAndNoFarther) {
  struct Row {
    Numbers shape, strides;
    Overlap proven, truth;
  };
  const Row rows[] = {
      {{2, 2, 3}, {2, 4, 5}, Overlap::unknown, Overlap::no},   // 5 steps of 2 would meet 2 of 5
      {{4, 2, 3}, {4, 6, 13}, Overlap::unknown, Overlap::no},  // 3 steps of 4 would meet 2 of 6
      {{3, 2, 4}, {3, 3, 5}, Overlap::yes, Overlap::yes},      // two axes of one stride
      {{6, 3, 2}, {4, 5, 10}, Overlap::yes, Overlap::yes},     // 2 steps of 5 meet 1 of 10
      {{2, 2, 2}, {1, 2, 3}, Overlap::yes, Overlap::yes},      // 8 indices, 7 positions
      {{2, 3, 2}, {1, 3, 4}, Overlap::unknown, Overlap::yes},  // 12 indices, 12 positions
      {{2, 2, 2}, {1, 3, 4}, Overlap::unknown, Overlap::yes},  // 8 indices, 9 positions
  };
  for (const Row& row : rows) {
    const Axes axes(row.shape, row.strides.data());
    EXPECT_EQ(self_overlap_by_proof(axes), row.proven) << ::testing::PrintToString(row.strides);
    EXPECT_EQ(self_overlap(axes), row.truth) << ::testing::PrintToString(row.strides);
  }
}

TEST(Overlap, MoreIndicesThanPositionsMustMeet) {
  const Numbers shape(40, 2);  // 2^40 indices between 0 and 40820, while no two axes meet alone
  Numbers strides;
  for (std::int64_t stride = 1001; stride <= 1040; ++stride) strides.push_back(stride);
  EXPECT_EQ(self_overlap_by_proof({shape, strides.data()}), Overlap::yes);
}

TEST(Overlap, WhatNoProofDecidesIsUnknownOrVisited) {
  // No pair of axes meets, but 3 * 6 = 10 + 8.
  const Numbers shape{4, 2, 2}, strides{6, 10, 8};
  const Axes axes(shape, strides.data());
  EXPECT_EQ(self_overlap_by_proof(axes), Overlap::unknown);
  EXPECT_EQ(self_overlap(axes, 15), Overlap::unknown);
  EXPECT_EQ(self_overlap(axes, 16), Overlap::yes);
  EXPECT_EQ(self_overlap(axes), Overlap::yes);
}

TEST(Overlap, VisitsTwoToTheSixteenthIndicesUnlessTold) {
  const Numbers strides{100003, 100019, 100043}, as_many{64, 32, 32}, more{41, 40, 40};
  EXPECT_NE(self_overlap({as_many, strides.data()}), Overlap::unknown);
  EXPECT_EQ(self_overlap({more, strides.data()}), Overlap::unknown);
}

TEST(Overlap, EmptyLayoutsOverlapNothing) {
  const Numbers shape{0, 5}, strides{0, 0};
  EXPECT_EQ(self_overlap({shape, strides.data()}), Overlap::no);
  const Placed empty{{shape, strides.data()}, 0, 8};
  EXPECT_EQ(mutual_overlap(empty, {{{}, nullptr}, 0, 8}), Overlap::no);
}

Layout small_layout() {
  Layout layout;
  const auto rank = *rc::gen::inRange<std::size_t>(0, 4);
  layout.shape = *rc::gen::container<Numbers>(rank, rc::gen::inRange<std::int64_t>(0, 5));
  layout.strides = *rc::gen::container<Numbers>(rank, rc::gen::inRange<std::int64_t>(-9, 10));
  return layout;
}

RC_GTEST_PROP(Overlap, BetweenLayoutsIsWhatEnumerationSays, ()) {
  const Layout first = small_layout(), second = small_layout();
  const Placed a{first, *rc::gen::inRange(-300, 300), *rc::gen::element(1u, 4u, 6u, 8u, 32u)};
  const Placed b{second, *rc::gen::inRange(-300, 300), *rc::gen::element(1u, 4u, 6u, 8u, 32u)};
  const Overlap truth = answer(mutual_overlap_by_enumeration(a, b));
  const Overlap proven = mutual_overlap_by_proof(a, b);
  RC_ASSERT(proven == Overlap::unknown || proven == truth);
  RC_ASSERT(mutual_overlap(a, b) == truth);
  RC_ASSERT(mutual_overlap(b, a) == truth);
}

TEST(Overlap, InterleavedLayoutsKeepApart) {
  const Numbers shape{std::int64_t{1} << 40}, strides{2};
  const Axes every_second(shape, strides.data());
  EXPECT_EQ(mutual_overlap({every_second, 0, 32}, {every_second, 32, 32}), Overlap::no);
  EXPECT_EQ(mutual_overlap({every_second, 0, 32}, {every_second, 31, 32}), Overlap::unknown);
  EXPECT_EQ(mutual_overlap({every_second, 0, 32}, {every_second, 0, 32}), Overlap::yes);
  EXPECT_EQ(mutual_overlap({every_second, 40, 32}, {every_second, 72, 32}), Overlap::no);
}

TEST(Overlap, DenseLayoutsMeetByProof) {
  const Numbers eight{8}, one{1}, rows{2, 2}, row_major{2, 1}, pair{2}, apart{100}, back{-100};
  const Placed dense{{eight, one.data()}, 0, 8};
  EXPECT_EQ(mutual_overlap_by_proof(dense, {{rows, row_major.data()}, 32, 8}), Overlap::yes);
  EXPECT_EQ(mutual_overlap_by_proof(dense, {{pair, back.data()}, 800, 8}), Overlap::yes);    // its lowest bit is bit 0
  EXPECT_EQ(mutual_overlap_by_proof(dense, {{pair, apart.data()}, -744, 8}), Overlap::yes);  // its highest is bit 63
  EXPECT_EQ(mutual_overlap_by_proof({{pair, apart.data()}, -744, 8}, dense), Overlap::yes);
  EXPECT_EQ(mutual_overlap_by_proof({{rows, row_major.data()}, 0, 8}, {{pair, apart.data()}, 24, 8}), Overlap::yes);
  EXPECT_EQ(mutual_overlap({{pair, apart.data()}, -736, 8}, dense), Overlap::no);
}

TEST(Overlap, SoMuchIsVisitedAndNoMore) {
  const Numbers three{3}, four{4}, pair{2};
  const Placed a{{four, three.data()}, 8, 8}, b{{pair, four.data()}, 16, 8};  // elements 1, 4, 7 and 10; 2 and 6
  EXPECT_EQ(mutual_overlap(a, b, 6), Overlap::no);
  EXPECT_EQ(mutual_overlap(a, b, 5), Overlap::unknown);
  const Numbers farthest{largest - 1}, too_far{largest}, nearer{largest - 6};
  const Wide start = Wide(largest) + 1;
  const Placed within{{pair, nearer.data()}, start + 1, 1};
  EXPECT_EQ(mutual_overlap({{pair, farthest.data()}, start, 1}, within), Overlap::no);  // 2^63 - 1 bits
  EXPECT_EQ(mutual_overlap({{pair, too_far.data()}, start, 1}, within), Overlap::unknown);
}

TEST(Overlap, AGapIsFoundByProof) {
  const Numbers pair{2, 2}, gap_at_two{1, 3}, far{1000}, every_fourth{4};
  const Placed holed{{pair, gap_at_two.data()}, 0, 8};  // elements 0, 1, 3 and 4
  EXPECT_EQ(mutual_overlap(holed, {{{}, nullptr}, 16, 8}), Overlap::no);
  EXPECT_EQ(mutual_overlap(holed, {{{}, nullptr}, 24, 8}), Overlap::yes);
  const Placed spaced{{far, every_fourth.data()}, 0, 8};  // elements 0, 4, 8, ...
  EXPECT_EQ(mutual_overlap_by_proof(spaced, {{{}, nullptr}, 16, 8}), Overlap::no);
  EXPECT_EQ(mutual_overlap_by_proof({{{}, nullptr}, 16, 8}, spaced), Overlap::no);
}

TEST(Overlap, RowMajorLayoutsAreProvenApartOnlyWhenTheyAreOneElement) {
  const Numbers ones{1, 1}, beyond_64_bits{2, std::int64_t{1} << 40, std::int64_t{1} << 40};
  const Numbers wide(8, std::int64_t{1} << 40), steps(8, std::int64_t{1} << 62);
  const Placed outer{{wide, steps.data()}, 0, 8}, inner{{beyond_64_bits, nullptr}, 8, 8};
  EXPECT_EQ(mutual_overlap(outer, inner), Overlap::unknown);
  EXPECT_EQ(mutual_overlap(inner, outer), Overlap::unknown);
  EXPECT_EQ(mutual_overlap(outer, {{ones, nullptr}, 8, 8}), Overlap::no);
}

TEST(Overlap, AViewIsTheSameWhateverSingleExtentsSay) {
  const Numbers shape{1, 4}, strides{99, 1}, other{7, 1}, different{7, 2};
  const Placed a{{shape, strides.data()}, 64, 32};
  EXPECT_TRUE(same_view(a, {{shape, other.data()}, 64, 32}));
  EXPECT_TRUE(same_view(a, {{shape, nullptr}, 64, 32}));
  EXPECT_FALSE(same_view(a, {{shape, different.data()}, 64, 32}));
  EXPECT_FALSE(same_view(a, {{shape, strides.data()}, 65, 32}));
  EXPECT_FALSE(same_view(a, {{shape, strides.data()}, 64, 16}));
  const Numbers square{2, 2}, by_rows{2, 1}, by_columns{1, 1}, empty{0, 2};
  EXPECT_FALSE(same_view({{square, by_rows.data()}, 64, 32}, {{square, by_columns.data()}, 64, 32}));
  EXPECT_TRUE(same_view({{empty, by_rows.data()}, 64, 32}, {{empty, by_columns.data()}, 8, 16}));
  EXPECT_FALSE(same_view({{empty, by_rows.data()}, 64, 32}, {{square, by_rows.data()}, 64, 32}));
}

}  // namespace
}  // namespace dlspec::reference
