#include <dlspec/reference/rearrange/gather.h>

#include <limits>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <dlspec/reference/testing/generators.h>
#include <dlspec/reference/testing/specimen.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::reference {
namespace {

using testing::Specimen;
using Bytes = std::vector<std::uint8_t>;

Descriptor described(Layout layout) {
  Descriptor descriptor;
  descriptor.layout = std::move(layout);
  return descriptor;
}

RC_GTEST_PROP(Gather, GivesBackWhatWasScattered, (bool padded)) {
  Descriptor descriptor = *testing::conforming_descriptor();
  Layout& layout = descriptor.layout;
  layout.strides = *testing::injective_strides(layout.shape);
  layout.byte_offset = *testing::offset_inside(layout, padded);
  Specimen specimen(descriptor, padded);

  const std::uint64_t bits = *(element_count(layout.shape) * element_bits(layout.dtype)).to_uint64();
  Bytes written = *rc::gen::container<Bytes>((bits + 7) / 8, rc::gen::arbitrary<std::uint8_t>()), read;
  if (bits % 8 != 0) written.back() = static_cast<std::uint8_t>(written.back() & ((1u << bits % 8) - 1));
  RC_ASSERT(scatter(written, specimen.tensor(), padded) == Status::ok);
  RC_ASSERT(gather(specimen.tensor(), padded, read) == Status::ok);
  RC_ASSERT(read == written);
}

// Elements 1, 2, 3, ... in a row, gathered.
Bytes gathered(abi::DataType dtype, std::uint8_t count) {
  Specimen specimen(described({dtype, {count}, {{1}}, 0}), true);
  for (std::uint8_t i = 0; i < count; ++i) specimen.memory()[i] = static_cast<std::uint8_t>(i + 1);
  Bytes contents;
  EXPECT_EQ(gather(specimen.tensor(), true, contents), Status::ok);
  return contents;
}

// As DLPack 1.1 packs them, written out by hand from the bit positions.
TEST(Gather, PacksFourBitsLowHalfFirst) {
  EXPECT_EQ(gathered({kDLInt, 4, 1}, 5), (Bytes{0x21, 0x43, 0x05}));
  EXPECT_EQ(gathered({kDLFloat4_e2m1fn, 4, 1}, 5), (Bytes{0x21, 0x43, 0x05}));
}

TEST(Gather, PacksSixBitsAcrossBytes) {
  // 000001 000010 000011 000100, the first in the lowest bits: 4<<18 | 3<<12 | 2<<6 | 1 = 0x103081
  EXPECT_EQ(gathered({kDLFloat6_e3m2fn, 6, 1}, 4), (Bytes{0x81, 0x30, 0x10}));
}

TEST(Gather, ReadsPackedElementsAtTheirStride) {
  // Every second of 1, 2, 3, 4 in six bits: 3<<6 | 1 = 0x0C1
  Specimen specimen(described({{kDLFloat6_e2m3fn, 6, 1}, {2}, {{2}}, 0}));
  const Bytes packed{0x81, 0x30, 0x10};
  std::copy_n(packed.begin(), specimen.memory().size(), specimen.memory().begin());
  Bytes contents;
  ASSERT_EQ(gather(specimen.tensor(), false, contents), Status::ok);
  EXPECT_EQ(contents, (Bytes{0xC1, 0x00}));
}

TEST(Gather, ReadsBackwardsRepeatedAndShifted) {
  Bytes memory{10, 11, 12, 13, 14, 15};
  std::int64_t shape[] = {2, 3}, strides[] = {0, -2};
  const abi::Tensor tensor{memory.data(), {kDLCPU, 0}, 2, {kDLUInt, 8, 1}, shape, strides, 5};
  Bytes contents;
  ASSERT_EQ(gather(tensor, false, contents), Status::ok);
  EXPECT_EQ(contents, (Bytes{15, 13, 11, 15, 13, 11}));
}

TEST(Gather, TakesScalarsAndTensorsWithoutElements) {
  std::uint8_t value = 7;
  std::int64_t shape[] = {0};
  Bytes contents{1};
  EXPECT_EQ(gather({&value, {kDLCPU, 0}, 0, {kDLUInt, 8, 1}, nullptr, nullptr, 0}, false, contents), Status::ok);
  EXPECT_EQ(contents, Bytes{7});
  EXPECT_EQ(gather({nullptr, {kDLCPU, 0}, 1, {kDLUInt, 8, 1}, shape, nullptr, 0}, false, contents), Status::ok);
  EXPECT_TRUE(contents.empty());
}

TEST(Gather, AnswersHostileNumbersWithoutTouchingMemory) {
  constexpr std::int64_t largest = std::numeric_limits<std::int64_t>::max();
  std::int64_t shape[] = {largest, largest}, strides[] = {0, 0};
  Bytes contents{1};
  abi::Tensor tensor{shape, {kDLCPU, 0}, 2, {kDLUInt, 8, 1}, shape, strides, 0};
  EXPECT_EQ(gather(tensor, false, contents), Status::size_limit);
  EXPECT_TRUE(contents.empty());
  shape[0] = 1001;
  shape[1] = 1;
  EXPECT_EQ(gather(tensor, false, contents, 1000), Status::size_limit);
  EXPECT_EQ(gather(tensor, false, contents, 1001), Status::ok);
  shape[1] = -1;
  EXPECT_EQ(gather(tensor, false, contents), Status::bad_extent);
  tensor.shape = nullptr;
  EXPECT_EQ(gather(tensor, false, contents), Status::null_pointer);
  tensor.ndim = 1;
  EXPECT_EQ(gather(tensor, false, contents), Status::null_pointer);
  for (const std::int32_t rank : {-1, 65, std::numeric_limits<std::int32_t>::max()}) {
    tensor.ndim = rank;
    EXPECT_EQ(gather(tensor, false, contents), Status::bad_rank);
    EXPECT_EQ(scatter({}, tensor, false), Status::bad_rank);
  }
}

TEST(Gather, ReadsThroughOverlappingStridesButDoesNotWriteThroughThem) {
  Specimen specimen(described({{kDLUInt, 8, 1}, {3}, {{0}}, 0}));
  specimen.memory()[0] = 9;
  Bytes contents;
  ASSERT_EQ(gather(specimen.tensor(), false, contents), Status::ok);
  EXPECT_EQ(contents, (Bytes{9, 9, 9}));
  EXPECT_EQ(scatter(contents, specimen.tensor(), false), Status::destination_overlap);
}

TEST(Gather, RefusesMoreThanAnyVectorHolds) {
  std::uint8_t byte = 0;
  std::int64_t shape[] = {std::int64_t{1} << 62, 2}, strides[] = {0, 0};
  const abi::Tensor tensor{&byte, {kDLCPU, 0}, 2, {kDLUInt, 8, 1}, shape, strides, 0};
  Bytes contents;
  EXPECT_EQ(gather(tensor, false, contents, std::numeric_limits<std::size_t>::max()), Status::size_limit);
}

TEST(Scatter, RefusesContentsOfAnotherSize) {
  Specimen specimen(described({{kDLInt, 4, 1}, {3}, {{1}}, 0}));
  EXPECT_EQ(scatter(Bytes(3), specimen.tensor(), false), Status::shape_mismatch);
  EXPECT_EQ(scatter(Bytes(2), specimen.tensor(), false), Status::ok);
}

TEST(Gather, ALimitOnTheSizeIsAllowedToBeReached) {
  Specimen specimen(described({{kDLInt, 16, 1}, {3}, {{1}}, 0}));
  Bytes contents;
  EXPECT_EQ(gather(specimen.tensor(), false, contents, 6), Status::ok);
  EXPECT_EQ(gather(specimen.tensor(), false, contents, 5), Status::size_limit);
  EXPECT_EQ(scatter(Bytes(6), specimen.tensor(), false, 6), Status::ok);
  EXPECT_EQ(scatter(Bytes(6), specimen.tensor(), false, 5), Status::size_limit);
}

}  // namespace
}  // namespace dlspec::reference
