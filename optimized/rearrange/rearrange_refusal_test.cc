// What rearrange() and make_plan() refuse, one property at a time.
#include <cstdint>
#include <limits>
#include <vector>

#include <gtest/gtest.h>

#include <dlspec/optimized/rearrange/rearrange.h>
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

}  // namespace
}  // namespace dlspec::optimized
