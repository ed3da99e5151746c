// What rearrange() refuses, one property at a time.
#include <cstdint>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include <dlspec/reference/rearrange/rearrange.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::reference {
namespace {

using Numbers = std::vector<std::int64_t>;
using Bytes = std::vector<std::uint8_t>;

constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();

// A valid pair of operands; each test changes one thing.
class Refusal : public ::testing::Test {
 protected:
  Bytes from_ = Bytes(64, 1);
  Bytes to_ = Bytes(64, 2);
  Layout source_{{kDLInt, 16, 1}, {3, 4}, std::nullopt, 0};
  Layout destination_{{kDLInt, 16, 1}, {3, 4}, {{1, 3}}, 0};
  const void* source_data_ = from_.data();
  void* destination_data_ = to_.data();

  Status answer() {
    const Status status = rearrange({destination_, destination_data_}, {source_, source_data_});
    if (status != Status::ok) {
      EXPECT_EQ(to_, Bytes(64, 2)) << "written in spite of a refusal";
    }
    return status;
  }
};

TEST_F(Refusal, NotOfTheGoodPair) {
  EXPECT_EQ(answer(), Status::ok);
  EXPECT_EQ(to_[0], 1);
}

TEST_F(Refusal, OfOtherDtypes) {
  source_.dtype.code = kDLUInt;
  EXPECT_EQ(answer(), Status::dtype_mismatch);
}

TEST_F(Refusal, OfDtypesWithoutStorage) {
  for (const abi::DataType dtype : {abi::DataType{kDLInt, 0, 1}, {kDLInt, 16, 0}, {kDLInt, 12, 1}}) {
    source_.dtype = destination_.dtype = dtype;
    EXPECT_EQ(answer(), Status::bad_dtype);
  }
}

TEST_F(Refusal, OfADestinationAloneThatIsWrongInItself) {
  const Layout good = destination_;
  destination_.dtype.bits = 12;
  EXPECT_EQ(answer(), Status::bad_dtype);
  destination_ = good;
  destination_.shape[0] = -3;
  EXPECT_EQ(answer(), Status::bad_extent);
  destination_ = {{kDLInt, 16, 1}, Numbers(65, 1), std::nullopt, 0};
  EXPECT_EQ(answer(), Status::bad_rank);
}

TEST_F(Refusal, OfOtherShapes) {
  source_.shape = {4, 3};
  EXPECT_EQ(answer(), Status::shape_mismatch);
  source_.shape = {3, 4, 1};
  EXPECT_EQ(answer(), Status::shape_mismatch);
}

TEST_F(Refusal, OfRanksAbove64) {
  source_ = {{kDLInt, 16, 1}, Numbers(65, 1), std::nullopt, 0};
  destination_ = source_;
  EXPECT_EQ(answer(), Status::bad_rank);
  source_.shape.resize(64);
  destination_.shape.resize(64);
  EXPECT_EQ(answer(), Status::ok);
}

TEST_F(Refusal, OfNegativeExtents) {
  source_.shape = destination_.shape = {3, -4};
  EXPECT_EQ(answer(), Status::bad_extent);
}

TEST_F(Refusal, OfNullDataUnlessThereAreNoElements) {
  source_data_ = nullptr;
  EXPECT_EQ(answer(), Status::null_pointer);
  source_data_ = from_.data();
  destination_data_ = nullptr;
  EXPECT_EQ(answer(), Status::null_pointer);
  source_.shape = destination_.shape = {0, 4};
  source_data_ = nullptr;
  EXPECT_EQ(answer(), Status::ok);
}

TEST_F(Refusal, OfExtentsThatOverflow) {
  source_.shape = destination_.shape = {largest, 2};
  source_.strides = {{0, 0}};
  destination_.strides = {{1, 0}};
  EXPECT_EQ(answer(), Status::size_overflow);
  source_.shape = destination_.shape = {largest / 2 + 1};
  source_.strides = destination_.strides = {{1}};
  EXPECT_EQ(answer(), Status::size_overflow);
}

// Next in the order after sizes and addresses: a destination whose elements overlap.
TEST_F(Refusal, GoesToTheBordersOfSizes) {
  source_ = {{kDLInt, 8, 1}, {largest}, {{0}}, 0};
  destination_ = source_;
  EXPECT_EQ(answer(), Status::destination_overlap);
  source_.shape = destination_.shape = {std::int64_t{1} << 62, 2};
  source_.strides = destination_.strides = {{0, 0}};
  EXPECT_EQ(answer(), Status::size_overflow);
  source_.shape = destination_.shape = {2, 2};
  source_.strides = destination_.strides = {{largest - 1, 0}};
  source_data_ = destination_data_ = reinterpret_cast<void*>(std::uintptr_t{4096});
  EXPECT_EQ(answer(), Status::destination_overlap);  // 2^63 - 1 bytes
  source_.strides = destination_.strides = {{largest, 0}};
  EXPECT_EQ(answer(), Status::size_overflow);
}

TEST_F(Refusal, GoesToTheBordersOfTheAddressSpace) {
  source_ = {{kDLInt, 8, 1}, {2, 2}, {{-1, 0}}, 0};
  destination_ = source_;
  const auto place = [&](std::uintptr_t address) {
    source_data_ = destination_data_ = reinterpret_cast<void*>(address);
    return answer();
  };
  EXPECT_EQ(place(1), Status::destination_overlap);
  source_.strides = destination_.strides = {{-2, 0}};
  EXPECT_EQ(place(1), Status::size_overflow);
  source_.strides = destination_.strides = {{1, 0}};
  EXPECT_EQ(place(~std::uintptr_t{1}), Status::destination_overlap);
  EXPECT_EQ(place(~std::uintptr_t{0}), Status::size_overflow);
}

TEST_F(Refusal, OfElementsOutsideTheAddressSpace) {
  source_.shape = destination_.shape = {2};
  source_.strides = destination_.strides = {{-(std::int64_t{1} << 61)}};
  EXPECT_EQ(answer(), Status::size_overflow);
  source_.strides = destination_.strides = {{1}};
  source_.byte_offset = ~std::uint64_t{0};
  EXPECT_EQ(answer(), Status::size_overflow);
}

TEST_F(Refusal, OfDestinationsThatOverlap) {
  destination_.strides = {{2, 1}};
  EXPECT_EQ(answer(), Status::destination_overlap);
  destination_.strides = {{0, 1}};
  EXPECT_EQ(answer(), Status::destination_overlap);
  // 12 * 10^9 indices in a range so wide that no proof applies.
  source_.shape = destination_.shape = {4000, 2000, 1500};
  source_.strides = {{0, 0, 0}};
  destination_.strides = {{10'000'000'019, 10'000'000'033, 10'000'000'061}};
  EXPECT_EQ(answer(), Status::destination_overlap);
}

TEST_F(Refusal, OfDestinationsThatAreTooLargeToVisit) {
  // Disjoint, but not provably. Copied onto itself, so that no memory of this size is needed.
  source_ = {{kDLUInt, 8, 1}, {128, 128, 256}, {{2, 256, 32765}}, 0};
  destination_ = source_;
  source_data_ = destination_data_;
  EXPECT_EQ(answer(), Status::ok);
  source_.shape = destination_.shape = {128, 128, 257};
  EXPECT_EQ(answer(), Status::destination_overlap);
}

TEST_F(Refusal, OfOperandsThatOverlap) {
  source_data_ = to_.data();
  EXPECT_EQ(answer(), Status::operands_overlap);  // the transposed self
  source_.strides = {{1, 3}};
  source_.byte_offset = 2;
  EXPECT_EQ(answer(), Status::operands_overlap);
  source_.byte_offset = 24;
  EXPECT_EQ(answer(), Status::ok);
}

TEST_F(Refusal, OfOperandsThatShareTheirLastByte) {
  source_ = {{kDLInt, 8, 1}, {16}, std::nullopt, 0};
  destination_ = source_;
  source_data_ = to_.data() + 15;
  EXPECT_EQ(answer(), Status::operands_overlap);
  source_data_ = to_.data() + 23;
  destination_.byte_offset = 8;
  EXPECT_EQ(answer(), Status::operands_overlap);
  source_data_ = to_.data() + 24;
  EXPECT_EQ(answer(), Status::ok);
}

}  // namespace
}  // namespace dlspec::reference
