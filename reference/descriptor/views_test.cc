#include <dlspec/reference/descriptor/views.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <numeric>

#include <gtest/gtest.h>

#include <dlspec/reference/descriptor/enumerate.h>

namespace dlspec::reference {
namespace {

using Numbers = std::vector<std::int64_t>;
constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();

// Where each element lies, in row-major order of the indices.
Numbers places(const Strided& view) {
  Numbers result;
  for (Cursor<std::int64_t> cursor(view.axes()); !cursor.done(); cursor.advance())
    result.push_back(view.origin + cursor.offset());
  return result;
}
// The same with the index of the view that each index of a result stands for.
Numbers places(const Strided& view, const Numbers& shape, const std::function<Numbers(const Numbers&)>& index_in_view) {
  Numbers result;
  const Numbers nothing(shape.size(), 0);
  for (Cursor<std::int64_t> cursor(Axes(shape, nothing.data())); !cursor.done(); cursor.advance()) {
    result.push_back(view.origin + std::get<std::int64_t>(offset_of(view, index_in_view(cursor.index()))));
  }
  return result;
}

void for_each_view(std::size_t rank, const auto& check, const Strided& view = {{}, {}, 50}) {
  check(view);
  if (view.rank() == rank) return;
  for (const std::int64_t extent : {0, 1, 2, 3}) {
    for (const std::int64_t stride : {-6, -1, 0, 1, 2, 3, 6}) {
      Strided next = view;
      next.shape.push_back(extent);
      next.strides.push_back(stride);
      for_each_view(rank, check, next);
    }
  }
}

const Strided& view_in(const ViewResult& result) { return std::get<Strided>(result); }
bool refused(const ViewResult& result, InfiniStatus status) {
  const InfiniStatus* answer = std::get_if<InfiniStatus>(&result);
  return answer != nullptr && *answer == status;
}

TEST(Views, PermuteRenamesAxes) {
  const std::vector<std::size_t> order{2, 0, 1};
  for_each_view(3, [&](const Strided& view) {
    const ViewResult result = permute(view, order);
    if (view.rank() != 3) {
      ASSERT_TRUE(refused(result, InfiniStatus::bad_param));
      return;
    }
    const Numbers shape{view.shape[2], view.shape[0], view.shape[1]};
    ASSERT_EQ(view_in(result).shape, shape);
    ASSERT_EQ(places(view_in(result)), places(view, shape, [](const Numbers& i) { return Numbers{i[1], i[2], i[0]}; }));
  });
}

TEST(Views, PermuteWantsEachAxisOnce) {
  const Strided view{{2, 3}, {3, 1}};
  for (const std::vector<std::size_t>& order :
       {std::vector<std::size_t>{0, 0}, {0, 2}, {1}, {0, 1, 2}, {~std::size_t{0}, 0}})
    EXPECT_TRUE(refused(permute(view, order), InfiniStatus::bad_param));
}

TEST(Views, SqueezeAndUnsqueezeUndoEachOther) {
  for_each_view(2, [](const Strided& view) {
    for (std::size_t axis = 0; axis <= view.rank(); ++axis) {
      const ViewResult longer = unsqueeze(view, axis);
      ASSERT_EQ(view_in(longer).shape[axis], 1);
      ASSERT_EQ(places(view_in(longer)), places(view));
      ASSERT_EQ(view_in(squeeze(view_in(longer), axis)), view);
    }
    ASSERT_TRUE(refused(unsqueeze(view, view.rank() + 1), InfiniStatus::bad_param));
    ASSERT_TRUE(refused(squeeze(view, view.rank()), InfiniStatus::bad_param));
  });
  EXPECT_TRUE(refused(squeeze({{2}, {1}}, 0), InfiniStatus::bad_param));
  EXPECT_TRUE(refused(squeeze({{0}, {1}}, 0), InfiniStatus::bad_param));
  EXPECT_TRUE(refused(unsqueeze({Numbers(64, 1), Numbers(64, 0)}, 0), InfiniStatus::bad_param));
}

TEST(Views, NarrowTakesEveryStepThatStaysInside) {
  std::size_t taken = 0;
  for_each_view(2, [&](const Strided& view) {
    if (view.rank() != 2) return;
    for (std::int64_t start = -1; start <= 5; ++start) {
      for (std::int64_t length = -1; length <= 4; ++length) {
        for (std::int64_t step = -3; step <= 3; ++step) {
          const std::int64_t last = start + (length - 1) * step, extent = view.shape[1];
          const bool inside = start >= 0 && start < extent && (length < 2 || (last >= 0 && last < extent));
          const bool good = step != 0 && length >= 0 && (inside || (length == 0 && start == extent));
          const ViewResult result = narrow(view, 1, start, length, step);
          if (!good) {
            ASSERT_TRUE(refused(result, InfiniStatus::bad_param));
            continue;
          }
          ++taken;
          ASSERT_EQ(places(view_in(result)), places(view, {view.shape[0], length}, [&](const Numbers& i) {
                      return Numbers{i[0], start + i[1] * step};
                    }));
        }
      }
    }
  });
  EXPECT_GT(taken, 10000u);
}

TEST(Views, NarrowDoesNotWrap) {
  const Strided view{{10}, {1}};
  EXPECT_TRUE(refused(narrow(view, 0, 1, most, most), InfiniStatus::bad_param));
  EXPECT_TRUE(refused(narrow(view, 0, 9, 3, least), InfiniStatus::bad_param));
  EXPECT_TRUE(refused(narrow(view, 0, least, 1, 1), InfiniStatus::bad_param));
  EXPECT_TRUE(refused(narrow(view, 1, 0, 1, 1), InfiniStatus::bad_param));
}

TEST(Views, ReverseWalksBackwardsAndTwiceIsNothing) {
  for_each_view(2, [](const Strided& view) {
    if (view.rank() == 0) return;
    const std::size_t axis = view.rank() - 1;
    Numbers shape = view.shape;
    ASSERT_EQ(places(view_in(reverse(view, axis))), places(view, shape, [&](Numbers i) {
                i[axis] = shape[axis] - 1 - i[axis];
                return i;
              }));
    ASSERT_EQ(view_in(reverse(view_in(reverse(view, axis)), axis)), view);
    ASSERT_TRUE(refused(reverse(view, axis + 1), InfiniStatus::bad_param));
  });
}

TEST(Views, AsStridedStaysWithinTheReach) {
  const Strided view{{3, 2}, {-4, 1}, 8};  // reaches -8 to 1 around its origin
  EXPECT_EQ(view_in(as_strided(view, Numbers{10}, Numbers{1}, -8)), (Strided{{10}, {1}, 0}));
  EXPECT_EQ(view_in(as_strided(view, Numbers{10}, Numbers{-1}, 1)), (Strided{{10}, {-1}, 9}));
  EXPECT_TRUE(refused(as_strided(view, Numbers{11}, Numbers{1}, -8), InfiniStatus::bad_param));
  EXPECT_TRUE(refused(as_strided(view, Numbers{10}, Numbers{1}, -9), InfiniStatus::bad_param));
  EXPECT_TRUE(refused(as_strided(view, Numbers{2}, Numbers{most}, 0), InfiniStatus::bad_param));
  EXPECT_TRUE(refused(as_strided(view, Numbers{2}, Numbers{1, 1}, 0), InfiniStatus::bad_param));
  EXPECT_TRUE(refused(as_strided(view, Numbers{-1}, Numbers{1}, 0), InfiniStatus::bad_tensor_shape));
  EXPECT_EQ(view_in(as_strided(view, Numbers{0}, Numbers{5}, most)), (Strided{{0}, {5}, 8}));
  EXPECT_EQ(view_in(as_strided(view, Numbers(64, 1), Numbers(64, 0), 0)), (Strided{Numbers(64, 1), Numbers(64, 0), 8}));
  EXPECT_TRUE(refused(as_strided(view, Numbers(65, 1), Numbers(65, 0), 0), InfiniStatus::bad_param));
  EXPECT_TRUE(refused(as_strided({{0}, {1}}, Numbers{1}, Numbers{1}, 0), InfiniStatus::bad_param));
}

TEST(Views, BroadcastRepeats) {
  for_each_view(2, [](const Strided& view) {
    if (view.rank() != 2) return;
    const Numbers target{2, view.shape[0], 3};
    const ViewResult result = broadcast_to(view, target);
    if (view.shape[1] != 1 && view.shape[1] != 3) {
      ASSERT_TRUE(refused(result, InfiniStatus::bad_tensor_shape));
      return;
    }
    ASSERT_EQ(places(view_in(result)),
              places(view, target, [&](const Numbers& i) { return Numbers{i[1], view.shape[1] == 1 ? 0 : i[2]}; }));
  });
  EXPECT_TRUE(refused(broadcast_to({{1}, {1}}, Numbers{most, 2}), InfiniStatus::bad_tensor_shape));
  EXPECT_TRUE(refused(broadcast_to({{1}, {1}}, Numbers{-1}), InfiniStatus::bad_tensor_shape));
  EXPECT_EQ(view_in(broadcast_to({{1}, {1}}, Numbers(64, 1))).rank(), 64u);
  for (const std::int64_t extent : {1, 2, 3})
    EXPECT_TRUE(refused(broadcast_to({{2}, {1}}, Numbers(65, extent)), InfiniStatus::bad_param));
}

TEST(Views, SplitKeepsTheOrder) {
  for_each_view(2, [](const Strided& view) {
    if (view.rank() != 2) return;
    for (const Numbers& extents : {Numbers{2, 2}, {1, 3}, {2, 1, 2}, {0, 3}, {3, 0}, {}, {4}, {-2, -2}}) {
      std::int64_t product = 1;
      for (const std::int64_t extent : extents) product *= extent;
      const bool negative = !extents.empty() && extents[0] < 0;
      const ViewResult result = split(view, 1, extents);
      if (negative || product != view.shape[1]) {
        ASSERT_TRUE(refused(result, InfiniStatus::bad_param));
        continue;
      }
      ASSERT_EQ(view_in(result).rank(), 1 + extents.size());
      ASSERT_EQ(places(view_in(result)), places(view));
      if (extents.empty() || view.shape[1] < 2 || view.strides[1] == 0) continue;
      ASSERT_EQ(places(view_in(merge(view_in(result), 1, extents.size()))), places(view));
    }
  });
  EXPECT_EQ(view_in(split({{6}, {-1}}, 0, Numbers{2, 3})), (Strided{{2, 3}, {-3, -1}}));
  EXPECT_TRUE(refused(split({{6}, {-1}}, 1, Numbers{2, 3}), InfiniStatus::bad_param));
  EXPECT_TRUE(refused(split({{0}, {1}}, 0, Numbers{most, most, 2}), InfiniStatus::bad_param));
}

TEST(Views, MergeKeepsTheOrder) {
  std::size_t merged = 0;
  for_each_view(3, [&](const Strided& view) {
    for (std::size_t first = 0; first < view.rank(); ++first) {
      for (std::size_t last = first; last < view.rank(); ++last) {
        const ViewResult result = merge(view, first, last);
        ASSERT_EQ(!is_mergeable(view, first, last), refused(result, InfiniStatus::bad_param));
        if (!is_mergeable(view, first, last)) continue;
        merged += last > first;
        ASSERT_EQ(view_in(result).rank(), view.rank() - (last - first));
        ASSERT_EQ(places(view_in(result)), places(view));
      }
    }
    ASSERT_FALSE(is_mergeable(view, 1, 0));
    ASSERT_FALSE(is_mergeable(view, 0, view.rank()));
  });
  EXPECT_GT(merged, 1000u);
  EXPECT_EQ(view_in(merge({{4, 1}, {1, 99}}, 0, 1)), (Strided{{4}, {1}}));
  EXPECT_FALSE(is_mergeable({{2}, {0}}, 0, 0));
}

// Strides for this shape with which the elements lie in the same places, if any: each axis's stride is
// the distance of the second element along it.
bool strides_exist(const Strided& view, const Numbers& shape) {
  const Numbers all = places(view);
  if (all.empty()) return true;
  Strided candidate{shape, Numbers(shape.size(), 0), all[0]};
  std::int64_t inner = 1;
  for (std::size_t axis = shape.size(); axis-- > 0; inner *= shape[axis]) {
    if (shape[axis] > 1) candidate.strides[axis] = all[static_cast<std::size_t>(inner)] - all[0];
  }
  return places(candidate) == all;
}

TEST(Views, ViewAsFindsStridesExactlyWhereThereAreSome) {
  std::size_t found = 0, missed = 0;
  for_each_view(3, [&](const Strided& view) {
    const std::int64_t count = *element_count(view.shape).to_int64();
    for (const Numbers& shape : {Numbers{count},
                                 {1, count},
                                 {2, count / 2},
                                 {count / 2, 2},
                                 {3, count / 3},
                                 {count / 3, 1, 3},
                                 {2, 2, count / 4},
                                 {count / 6, 3, 2},
                                 {2, count / 8, 4},
                                 {}}) {
      const ViewResult result = view_as(view, shape);
      if (*element_count(shape).to_int64() != count) {
        ASSERT_TRUE(refused(result, InfiniStatus::bad_tensor_shape));
        continue;
      }
      const bool exists = strides_exist(view, shape);
      (exists ? found : missed)++;
      ASSERT_EQ(refused(result, InfiniStatus::bad_tensor_strides), !exists);
      if (!exists) continue;
      ASSERT_EQ(places(view_in(result)), places(view));
    }
  });
  EXPECT_GT(found, 1000u);
  EXPECT_GT(missed, 1000u);
}

TEST(Views, AnAxisOfOneExtentMayTakeAStrideThatDoesNotFit) {
  EXPECT_TRUE(refused(view_as({{2}, {1}}, Numbers(65, 1)), InfiniStatus::bad_param));
  EXPECT_TRUE(refused(view_as({{4}, {1}}, Numbers{-2, -2}), InfiniStatus::bad_tensor_shape));
  EXPECT_TRUE(refused(view_as({{2, 2}, {3, 1}}, Numbers{-2, -2}), InfiniStatus::bad_tensor_shape));
  EXPECT_EQ(view_in(view_as({{2}, {most / 2}}, Numbers{1, 2})), (Strided{{1, 2}, {most - 1, most / 2}}));
  EXPECT_EQ(view_in(view_as({{3}, {most / 2}}, Numbers{1, 3})), (Strided{{1, 3}, {most, most / 2}}));
}

}  // namespace
}  // namespace dlspec::reference
