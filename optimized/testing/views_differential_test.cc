// View operations and descriptor creation: optimized compared with the reference, exhaustively for small ranks and for
// combinations of extremes.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include <dlspec/optimized/descriptor/strided.h>
#include <dlspec/optimized/descriptor/views.h>
#include <dlspec/optimized/testing/extremes.h>
#include <dlspec/optimized/testing/fast_of.h>
#include <dlspec/reference/descriptor/views.h>

namespace dlspec::optimized::testing {
namespace {

using Numbers = std::vector<std::int64_t>;
using Order = std::vector<std::size_t>;
using Slow = reference::Strided;

Slow slow_of(const Strided& fast) {
  return {Numbers(fast.extents().begin(), fast.extents().end()), Numbers(fast.steps().begin(), fast.steps().end()),
          fast.origin};
}

std::string text_of(const Slow& view) {
  return ::testing::PrintToString(view.shape) + ":" + ::testing::PrintToString(view.strides) + "+" +
         std::to_string(view.origin);
}

class Comparison {
 public:
  template <class SlowOperation, class FastOperation>
  void operator()(const Slow& view, const SlowOperation& slow_operation, const FastOperation& fast_operation) {
    const reference::ViewResult expected = slow_operation(view);
    Strided fast = fast_of(view);
    const InfiniStatus status = fast_operation(fast);
    const auto* slow = std::get_if<Slow>(&expected);
    const InfiniStatus wanted = slow != nullptr ? InfiniStatus::success : std::get<InfiniStatus>(expected);
    (slow != nullptr ? made_ : refused_)++;
    ASSERT_EQ(static_cast<int>(status), static_cast<int>(wanted)) << text_of(view);
    const Slow& left = slow != nullptr ? *slow : view;  // a refusal changes nothing
    ASSERT_EQ(slow_of(fast), left) << text_of(view) << " became " << text_of(slow_of(fast)) << " instead of "
                                   << text_of(left);
  }
  void expect_both(std::size_t at_least) const {
    EXPECT_GE(made_, at_least);
    EXPECT_GE(refused_, at_least);
  }

 private:
  std::size_t made_ = 0, refused_ = 0;
};

#define COMPARE(compare, view, call) \
  compare(view, [&](const Slow& v) { return reference::call; }, [&](Strided& v) { return optimized::call; })

void compare_axis_operations(Comparison& compare, const Slow& view) {
  for (std::size_t axis = 0; axis <= view.rank() + 1; ++axis) {
    COMPARE(compare, view, squeeze(v, axis));
    COMPARE(compare, view, unsqueeze(v, axis));
    COMPARE(compare, view, reverse(v, axis));
    for (std::size_t last = 0; last <= view.rank(); ++last) COMPARE(compare, view, merge(v, axis, last));
    for (const Numbers& extents :
         {Numbers{}, {2}, {1, 2}, {2, 2}, {3, 1, 1}, {0, 5}, {-1, 0}, {INT64_MAX, 0, INT64_MAX, 3}})
      COMPARE(compare, view, split(v, axis, extents));
    for (const std::int64_t start : {-1, 0, 1, 3}) {
      for (const std::int64_t length : {-1, 0, 1, 2}) {
        for (const std::int64_t step : {-2, -1, 0, 1}) COMPARE(compare, view, narrow(v, axis, start, length, step));
      }
    }
  }
}

void compare_shape_operations(Comparison& compare, const Slow& view) {
  for (const Order& order :
       {Order{}, {0}, {1, 0}, {0, 1}, {2, 0, 1}, {1, 2, 0}, {0, 0}, {1}, {0, 2}, {0, 3, 1}, {~std::size_t{0}}})
    COMPARE(compare, view, permute(v, order));
  for (const Numbers& shape : {Numbers{},
                               {1},
                               {4},
                               {2, 2},
                               {1, 4, 1},
                               {3, 2},
                               {0},
                               {0, 7},
                               {6, 1},
                               {12},
                               {2, 3, 2},
                               {-1},
                               {3, 4},
                               {4, 1, 3},
                               {2, 1, 2, 1},
                               {INT64_MAX, 2},
                               {INT64_MAX, INT64_MAX, 0},
                               {9},
                               {8},
                               {2, 4}}) {
    COMPARE(compare, view, broadcast_to(v, shape));
    COMPARE(compare, view, view_as(v, shape));
    const Numbers ones(shape.size(), 1), back(shape.size(), -2), too_many(shape.size() + 1, 0);
    COMPARE(compare, view, as_strided(v, shape, too_many, 0));
    for (const std::int64_t offset : {-3, 0, 2}) {
      COMPARE(compare, view, as_strided(v, shape, ones, offset));
      COMPARE(compare, view, as_strided(v, shape, back, offset));
    }
  }
}

void for_each_view(std::size_t rank, const Numbers& extents, const Numbers& strides, const auto& visit,
                   const Slow& view) {
  if (view.rank() == rank) return visit(view);
  for (const std::int64_t extent : extents) {
    for (const std::int64_t stride : strides) {
      Slow next = view;
      next.shape.push_back(extent);
      next.strides.push_back(stride);
      for_each_view(rank, extents, strides, visit, next);
    }
  }
}

TEST(ViewsAgree, OnSmallLayouts) {
  Comparison axis_operations, shape_operations;
  for (std::size_t rank = 0; rank <= 2; ++rank) {
    for_each_view(rank, {0, 1, 2, 3}, {-2, 0, 1, 2},
                  [&](const Slow& view) {
                    compare_axis_operations(axis_operations, view);
                    compare_shape_operations(shape_operations, view);
                  },
                  {{}, {}, 7});
  }
  for_each_view(
      3, {1, 2, 3}, {-6, 0, 1, 2, 6},
      [&](const Slow& view) {
        for (const Numbers& shape :
             {Numbers{4}, {6}, {2, 2}, {2, 3}, {3, 2}, {12}, {2, 3, 2}, {9}, {1, 8}, {2, 4}, {3, 1, 3}, {4, 3}, {27}})
          COMPARE(shape_operations, view, view_as(v, shape));
        for (std::size_t first = 0; first < 3; ++first) COMPARE(axis_operations, view, merge(v, first, 2));
        COMPARE(shape_operations, view, permute(v, (Order{2, 0, 1})));
      },
      {{}, {}, -3});
  axis_operations.expect_both(5000);
  shape_operations.expect_both(5000);
}

// Axes on both sides of those that an operation replaces keep their numbers.
TEST(ViewsAgree, OnAxesBetweenOthers) {
  Comparison compare;
  for_each_view(4, {1, 2}, {1, 2, 4},
                [&](const Slow& view) {
                  for (std::size_t axis = 0; axis <= 4; ++axis) {
                    COMPARE(compare, view, squeeze(v, axis));
                    COMPARE(compare, view, unsqueeze(v, axis));
                    for (std::size_t last = axis; last <= 4; ++last) COMPARE(compare, view, merge(v, axis, last));
                    for (const Numbers& extents : {Numbers{}, {2}, {1, 2}, {2, 1, 1}})
                      COMPARE(compare, view, split(v, axis, extents));
                  }
                },
                {{}, {}, 0});
  compare.expect_both(5000);
}

// Operations require valid views.
TEST(ViewsAgree, OnExtremes) {
  Comparison compare;
  const Numbers extents{0, 1, 2, std::int64_t{1} << 31, INT64_MAX, -1};
  const Numbers strides{0, 1, -3, std::int64_t{1} << 61, INT64_MAX, INT64_MIN};
  for (const std::int64_t origin : {std::int64_t{0}, std::int64_t{INT64_MAX}}) {
    for (std::size_t rank = 0; rank <= 2; ++rank) {
      for_each_view(rank, extents, strides,
                    [&](const Slow& view) {
                      const InfiniStatus verdict = reference::judge(view);
                      ASSERT_EQ(verdict, judge(fast_of(view))) << text_of(view);
                      if (verdict != InfiniStatus::success) return;
                      compare_axis_operations(compare, view);
                      compare_shape_operations(compare, view);
                      for (const std::int64_t far : {INT64_MAX - 1, INT64_MAX, INT64_MIN}) {
                        COMPARE(compare, view, narrow(v, 0, 0, 2, far));
                        COMPARE(compare, view, narrow(v, 0, far, far, far));
                        COMPARE(compare, view, view_as(v, (Numbers{1, far, 1})));
                        COMPARE(compare, view, as_strided(v, (Numbers{2, far}), (Numbers{far, far}), far));
                        COMPARE(compare, view, as_strided(v, (Numbers{far}), (Numbers{0}), 0));
                      }
                    },
                    {{}, {}, origin});
    }
  }
  compare.expect_both(10000);
}

TEST(ViewsAgree, AtTheHighestRank) {
  Comparison compare;
  const Slow full{Numbers(64, 1), Numbers(64, 3), 0};
  Order order(64);
  for (std::size_t axis = 0; axis < 64; ++axis) order[axis] = 63 - axis;
  COMPARE(compare, full, permute(v, order));
  COMPARE(compare, full, unsqueeze(v, 3));
  COMPARE(compare, full, squeeze(v, 63));
  COMPARE(compare, full, split(v, 63, (Numbers{1})));
  COMPARE(compare, full, split(v, 0, (Numbers{1, 1})));
  COMPARE(compare, full, merge(v, 0, 63));
  COMPARE(compare, full, broadcast_to(v, Numbers(65, 1)));
  COMPARE(compare, full, view_as(v, Numbers(65, 1)));
  COMPARE(compare, full, view_as(v, Numbers(64, 1)));
  COMPARE(compare, full, as_strided(v, Numbers(65, 1), Numbers(65, 1), 0));
  COMPARE(compare, full, as_strided(v, Numbers(64, 1), Numbers(64, 1), 0));
  COMPARE(compare, full, broadcast_to(v, Numbers(64, 2)));
  COMPARE(compare, full, broadcast_to(v, Numbers(64, 1)));
  compare.expect_both(4);
}

TEST(CreationAgrees, OnExtremeArguments) {
  const std::size_t sizes[] = {
      0, 1, 2, 3, std::size_t{1} << 31, std::size_t{1} << 62, std::size_t{1} << 63, ~std::size_t{0}};
  std::size_t made = 0, refused = 0;
  const auto compare = [&](std::size_t ndim, const std::size_t* shape, const std::ptrdiff_t* strides, int dtype) {
    const auto expected = reference::make_tensor(ndim, shape, strides, dtype);
    const auto* tensor = std::get_if<reference::InfiniTensor>(&expected);
    const InfiniStatus wanted = tensor != nullptr ? InfiniStatus::success : std::get<InfiniStatus>(expected);
    ASSERT_EQ(static_cast<int>(judge_arguments(ndim, shape, strides, dtype)), static_cast<int>(wanted));
    (tensor != nullptr ? made : refused)++;
    if (tensor == nullptr || strides != nullptr) return;
    Numbers compact(ndim);
    write_compact_strides(tensor->layout.shape, compact.data());
    ASSERT_EQ(compact, tensor->layout.strides);
  };
  for (const int dtype : {0, 3, 4, 13, 18, 19, 20, -1}) {
    for (const std::size_t first : sizes) {
      for (const std::size_t second : sizes) {
        for (const std::int64_t stride : extreme_strides) {
          const std::size_t shape[] = {first, second};
          const std::ptrdiff_t strides[] = {stride, 1}, other[] = {7, stride};
          compare(2, shape, nullptr, dtype);
          compare(2, shape, strides, dtype);
          compare(2, shape, other, dtype);
          compare(1, shape, strides, dtype);
        }
      }
    }
    compare(0, nullptr, nullptr, dtype);
    compare(1, nullptr, nullptr, dtype);
    compare(~std::size_t{0}, nullptr, nullptr, dtype);
    compare(~std::size_t{0}, sizes, nullptr, dtype);
  }
  EXPECT_GT(made, 1000u);
  EXPECT_GT(refused, 1000u);
}

TEST(OffsetsAgree, OnSmallLayoutsAndTheirBorders) {
  for_each_view(
      2, {0, 1, 2, 3}, {-3, 0, 1, INT64_MAX, INT64_MIN},
      [&](const Slow& view) {
        for (const Numbers& index : {Numbers{0, 0}, {1, 2}, {2, 1}, {-1, 0}, {0, 3}, {0}, {1, 1, 1}, {2, 2}}) {
          const auto expected = reference::offset_of(view, index);
          std::int64_t offset = 99;
          const InfiniStatus status = offset_of({{}, view.shape, view.strides.data()}, index, offset);
          const auto* wanted = std::get_if<std::int64_t>(&expected);
          ASSERT_EQ(offset, wanted != nullptr ? *wanted : 99);
          const InfiniStatus answer = wanted != nullptr ? InfiniStatus::success : std::get<InfiniStatus>(expected);
          ASSERT_EQ(static_cast<int>(status), static_cast<int>(answer));
        }
      },
      {});
  std::int64_t offset = 0;
  const Numbers shape{2, 3, 4}, index{1, 2, 3};
  ASSERT_EQ(offset_of({{}, shape, nullptr}, index, offset), InfiniStatus::success);
  EXPECT_EQ(offset, 23);
}

// UBSan sees sums and products that are made before the missing index is.
TEST(OffsetsAgree, InLayoutsWithoutElements) {
  std::int64_t offset = 99;
  const Numbers products{0, 4, INT64_MAX};
  EXPECT_EQ(offset_of({{}, products, nullptr}, Numbers{0, 3, 1}, offset), InfiniStatus::bad_param);
  Numbers extents(6, INT64_MAX);
  extents[0] = 0;
  const Numbers strides(6, INT64_MAX), index(6, INT64_MAX - 1);
  EXPECT_EQ(offset_of({{}, extents, strides.data()}, index, offset), InfiniStatus::bad_param);
  EXPECT_EQ(offset, 99);
}

}  // namespace
}  // namespace dlspec::optimized::testing
