// View operations read no number before or behind the lists that they are given: those lie beside a page that faults.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <optional>
#include <span>
#include <vector>

#include <dlspec/optimized/descriptor/views.h>
#include <dlspec/reference/testing/guarded_buffer.h>

namespace dlspec::optimized::testing {
namespace {

using dlspec::testing::GuardedBuffer;
using Edge = GuardedBuffer::Edge;
using Numbers = std::vector<std::int64_t>;

// A list at the given edge of readable memory.
template <class Number>
class Guarded {
 public:
  Guarded(const std::vector<Number>& numbers, Edge edge)
      : buffer_(GuardedBuffer::make(numbers.size() * sizeof(Number), edge, alignof(Number))), size_(numbers.size()) {
    if (buffer_ && size_ != 0) std::memcpy(buffer_->bytes().data(), numbers.data(), buffer_->bytes().size());
  }
  [[nodiscard]] bool made() const { return buffer_.has_value(); }
  [[nodiscard]] std::span<const Number> list() const {
    return {reinterpret_cast<const Number*>(buffer_->bytes().data()), size_};
  }

 private:
  std::optional<GuardedBuffer> buffer_;
  std::size_t size_;
};

Strided view_of(const Numbers& shape, const Numbers& strides) {
  Strided view;
  view.rank = shape.size();
  std::copy(shape.begin(), shape.end(), view.shape.begin());
  std::copy(strides.begin(), strides.end(), view.strides.begin());
  return view;
}

Numbers steps_of(const Strided& view) { return {view.steps().begin(), view.steps().end()}; }

class GuardedViews : public ::testing::TestWithParam<Edge> {};

TEST_P(GuardedViews, ViewAsReadsItsShapeOnly) {
  struct Case {
    Numbers shape, strides, wanted, made;
  };
  const Case cases[] = {
      {{2, 3}, {3, 1}, {6}, {1}},
      {{2, 3}, {6, 2}, {3, 2}, {4, 2}},
      {{4, 3}, {1, 4}, {2, 2, 3}, {2, 1, 4}},
      {{4}, {1}, {1, 2, 1, 2, 1}, {4, 2, 2, 1, 1}},
      {{1, 1}, {7, 7}, {}, {}},
      {{}, {}, {1, 1}, {1, 1}},
      {{0, 3}, {3, 1}, {5, 0}, {1, 1}},
  };
  for (const Case& each : cases) {
    const Guarded<std::int64_t> wanted(each.wanted, GetParam());
    ASSERT_TRUE(wanted.made());
    Strided view = view_of(each.shape, each.strides);
    ASSERT_EQ(view_as(view, wanted.list()), InfiniStatus::success) << ::testing::PrintToString(each.wanted);
    EXPECT_EQ(steps_of(view), each.made) << ::testing::PrintToString(each.wanted);
  }
}

TEST_P(GuardedViews, OtherOperationsReadTheirListsOnly) {
  const Guarded<std::int64_t> shape({2, 3}, GetParam()), strides({1, 1}, GetParam());
  const Guarded<std::size_t> order({1, 0}, GetParam());
  ASSERT_TRUE(shape.made() && strides.made() && order.made());
  Strided view = view_of({2, 3}, {3, 1});
  EXPECT_EQ(permute(view, order.list()), InfiniStatus::success);
  EXPECT_EQ(steps_of(view), (Numbers{1, 3}));
  view = view_of({1, 3}, {3, 1});
  EXPECT_EQ(broadcast_to(view, shape.list()), InfiniStatus::success);
  EXPECT_EQ(steps_of(view), (Numbers{0, 1}));
  view = view_of({6}, {5});
  EXPECT_EQ(split(view, 0, shape.list()), InfiniStatus::success);
  EXPECT_EQ(steps_of(view), (Numbers{15, 5}));
  view = view_of({6}, {1});
  EXPECT_EQ(as_strided(view, shape.list(), strides.list(), 2), InfiniStatus::success);
  EXPECT_EQ(steps_of(view), (Numbers{1, 1}));
  EXPECT_EQ(view.origin, 2);
}

INSTANTIATE_TEST_SUITE_P(Edges, GuardedViews, ::testing::Values(Edge::front, Edge::back));

}  // namespace
}  // namespace dlspec::optimized::testing
