#include <dlspec/reference/descriptor/strided.h>

#include <limits>

#include <gtest/gtest.h>

namespace dlspec::reference {
namespace {

using Sizes = std::vector<std::size_t>;
using Steps = std::vector<std::ptrdiff_t>;
using Numbers = std::vector<std::int64_t>;
constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();

std::variant<InfiniTensor, InfiniStatus> make(const Sizes& shape, const Steps& strides, int dtype = infini_F32) {
  return make_tensor(shape.size(), shape.data(), strides.data(), dtype);
}
InfiniStatus status(const std::variant<InfiniTensor, InfiniStatus>& made) {
  return made.index() == 0 ? InfiniStatus::success : std::get<InfiniStatus>(made);
}
std::variant<InfiniTensor, InfiniStatus> make_compact(const Sizes& shape, int dtype = infini_F32) {
  return make_tensor(shape.size(), shape.data(), nullptr, dtype);
}

TEST(InfiniTensor, KeepsWhatItIsGivenForEveryDtype) {
  for (int dtype = 1; dtype < infini_dtype_count; ++dtype) {
    const auto made = make({2, 3}, {-3, 7}, dtype);
    ASSERT_EQ(status(made), InfiniStatus::success);
    EXPECT_EQ(std::get<InfiniTensor>(made), (InfiniTensor{static_cast<InfiniDtype>(dtype), {{2, 3}, {-3, 7}, 0}}));
  }
}

TEST(InfiniTensor, NullStridesAreCompact) {
  EXPECT_EQ(std::get<InfiniTensor>(make_compact({2, 3, 4})).layout.strides, (Numbers{12, 4, 1}));
}

// An axis without elements counts as one of length 1, so that no axis looks repeated.
TEST(InfiniTensor, NullStridesOfAnEmptyTensorAreNotZero) {
  EXPECT_EQ(std::get<InfiniTensor>(make_compact({3, 0})).layout.strides, (Numbers{1, 1}));
  EXPECT_EQ(std::get<InfiniTensor>(make_compact({2, 3, 0, 5})).layout.strides, (Numbers{15, 5, 5, 1}));
}

TEST(InfiniTensor, AScalarNeedsNoArrays) {
  const auto made = make_tensor(0, nullptr, nullptr, infini_U8);
  ASSERT_EQ(status(made), InfiniStatus::success);
  EXPECT_EQ(std::get<InfiniTensor>(made).layout, Strided{});
}

TEST(InfiniTensor, TheFirstFaultInTheDocumentedOrderIsTheAnswer) {
  const Sizes many(65, 1), huge{std::size_t{1} << 63}, wide{std::size_t{1} << 62, 4}, two{2};
  const Steps far{most};
  EXPECT_EQ(status(make_tensor(65, nullptr, nullptr, 0)), InfiniStatus::null_pointer);
  EXPECT_EQ(status(make_tensor(65, many.data(), nullptr, 0)), InfiniStatus::bad_tensor_dtype);
  EXPECT_EQ(status(make_tensor(65, many.data(), nullptr, infini_F32)), InfiniStatus::bad_param);
  EXPECT_EQ(status(make_tensor(1, huge.data(), nullptr, infini_U8)), InfiniStatus::bad_tensor_shape);
  EXPECT_EQ(status(make_tensor(2, wide.data(), nullptr, infini_U8)), InfiniStatus::bad_tensor_shape);
  EXPECT_EQ(status(make_tensor(1, two.data(), far.data(), infini_F32)), InfiniStatus::bad_tensor_strides);
  EXPECT_EQ(status(make_tensor(64, many.data(), nullptr, infini_F32)), InfiniStatus::success);
}

TEST(InfiniTensor, AsManyBytesAsCanBeCountedAreFine) {
  const Sizes longest{static_cast<std::size_t>(most)};
  EXPECT_EQ(status(make_tensor(1, longest.data(), nullptr, infini_U8)), InfiniStatus::success);
  EXPECT_EQ(status(make_tensor(1, longest.data(), nullptr, infini_F16)), InfiniStatus::bad_tensor_shape);
}

TEST(InfiniTensor, BytesAreCountedNotOnlyElements) {
  const std::size_t limit = std::size_t{1} << 62;
  EXPECT_EQ(status(make_compact({limit}, infini_U8)), InfiniStatus::success);
  EXPECT_EQ(status(make_compact({limit}, infini_U16)), InfiniStatus::bad_tensor_shape);
  EXPECT_EQ(status(make({2}, {most / 4 - 1}, infini_F32)), InfiniStatus::success);
  EXPECT_EQ(status(make({2}, {most / 4}, infini_F32)), InfiniStatus::bad_tensor_strides);
}

TEST(InfiniTensor, StridesThatReachNothingMayBeAnything) {
  EXPECT_EQ(status(make({1}, {least})), InfiniStatus::success);
  EXPECT_EQ(status(make({2}, {least})), InfiniStatus::bad_tensor_strides);
  EXPECT_EQ(status(make({0, 5}, {least, most})), InfiniStatus::success);
}

TEST(InfiniTensor, AnEmptyTensorMayHaveExtentsThatDoNotMultiply) {
  const auto made = make_compact({std::size_t{1} << 62, std::size_t{1} << 62, 4, 0});
  ASSERT_EQ(status(made), InfiniStatus::success);
  EXPECT_EQ(std::get<InfiniTensor>(made).layout.strides, (Numbers{most, 4, 1, 1}));
}

TEST(InfiniTensor, OffsetsAreCountedFromTheFirstElement) {
  const Strided reversed{{2, 3}, {-3, 7}, 100};
  EXPECT_EQ(std::get<std::int64_t>(offset_of(reversed, Numbers{1, 2})), 11);
  EXPECT_EQ(std::get<std::int64_t>(offset_of(Strided{}, {})), 0);
  for (const Numbers& index : {Numbers{2, 0}, Numbers{0, -1}, Numbers{0}, Numbers{0, 0, 0}}) {
    EXPECT_EQ(std::get<InfiniStatus>(offset_of(reversed, index)), InfiniStatus::bad_param);
  }
}

}  // namespace
}  // namespace dlspec::reference
