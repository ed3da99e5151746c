// Elements and the allocation that an Origin says they lie in.
#include <cstdint>
#include <limits>
#include <string>

#include <gtest/gtest.h>

#include <dlspec/reference/testing/struct_and_source.h>

namespace dlspec::reference {
namespace {

using testing::Rules;
using testing::StructAndSource;

constexpr std::int64_t int64_max = std::numeric_limits<std::int64_t>::max();

TEST(Allocation, HoldsExactlyTheElements) {
  EXPECT_EQ(StructAndSource("float32 (3) @cpu bare", "float32 (3) @cpu bare").with_allocation(12).rules(), Rules{});
  EXPECT_EQ(StructAndSource("float32 (3) @cpu bare", "float32 (3) @cpu bare").with_allocation(11).rules(),
            Rules{RuleId::tensor_in_allocation});
  EXPECT_EQ(StructAndSource("int4 (3) @cpu bare", "int4 (3) @cpu bare").with_allocation(2).rules(), Rules{});
  EXPECT_EQ(StructAndSource("int4 (3) @cpu bare", "int4 (3) @cpu bare").with_allocation(1).rules(),
            Rules{RuleId::tensor_in_allocation});
}

TEST(Allocation, BeginsBeforeTheElements) {
  StructAndSource pair("int8 (3) @cpu bare", "int8 (3) @cpu bare");
  pair.with_allocation(3).origin.allocation_begin += 1;
  const Findings findings = validate(pair.specimen.exported(), &pair.origin);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0], (Finding{RuleId::tensor_in_allocation, 0, -1, 1, 0}));
}

TEST(Allocation, IsKnownByOneOfItsEnds) {
  StructAndSource pair("int8 (3) @cpu bare", "int8 (3) @cpu bare");
  pair.with_allocation(3).origin.allocation_end = 0;
  EXPECT_EQ(pair.rules(), Rules{RuleId::tensor_in_allocation});
}

TEST(Allocation, TheDistanceToTheEndOfTheAddressSpaceIsSaidModuloItsSize) {
  StructAndSource pair("int8 (1) @cpu bare", "int8 (1) @cpu bare");
  pair.specimen.tensor().data = reinterpret_cast<void*>(~std::uintptr_t{0});
  pair.origin.allocation_begin = 1;
  const Findings findings = validate(pair.specimen.exported(), &pair.origin);
  ASSERT_EQ(findings.size(), 2U);  // that address is not a multiple of 256 either
  EXPECT_EQ(findings[0].rule, RuleId::tensor_data_256_aligned);
  EXPECT_EQ(findings[1], (Finding{RuleId::tensor_in_allocation, 1, -1, 0, 0}));
}

TEST(Allocation, OfAScalarIsJudgedWhateverItsStrides) {
  StructAndSource pair("int8 () @cpu bare", "int8 () @cpu bare");
  pair.with_allocation(0);
  pair.specimen.tensor().strides = reinterpret_cast<std::int64_t*>(std::uintptr_t{4});  // never read
  EXPECT_EQ(pair.rules(), Rules{RuleId::tensor_in_allocation});
}

TEST(Allocation, OfElementsWithoutASizeIsNotJudged) {
  StructAndSource pair("int8 (3) @cpu bare", "int8 (3) @cpu bare");
  pair.with_allocation(3).origin.layout = nullptr;
  pair.specimen.tensor().dtype.bits = 0;
  pair.specimen.tensor().byte_offset = 100;
  EXPECT_EQ(pair.rules(), Rules{RuleId::dtype_bits_nonzero});
}

TEST(Allocation, PaddedElementsTakeAByteForEachLane) {
  const auto judge_padded = [](const std::string& version, std::size_t size) {
    return StructAndSource("int4x2 (3) @cpu " + version + " padded", "int4x2 (3) @cpu bare")
        .with_allocation(size)
        .rules();
  };
  EXPECT_EQ(judge_padded("v1.1", 6), Rules{});
  EXPECT_EQ(judge_padded("v1.1", 5), Rules{RuleId::tensor_in_allocation});
  EXPECT_EQ(judge_padded("v1.0", 3), Rules{RuleId::version_truthful_minor});  // 1.0 has no such flag
}

TEST(Allocation, IsNotJudgedAfterAFindingThatExplainsIt) {
  EXPECT_EQ(StructAndSource("float32 (4) @cpu bare", "float32 (3) @cpu bare").with_allocation(12).rules(),
            Rules{RuleId::tensor_shape_truthful});
  EXPECT_EQ(StructAndSource("float64 (3) @cpu bare", "float32 (3) @cpu bare").with_allocation(12).rules(),
            Rules{RuleId::dtype_truthful});
  EXPECT_EQ(StructAndSource("float32x2 (6) @cpu bare", "float32x2 (3) @cpu bare").with_allocation(24).rules(),
            Rules{RuleId::dtype_lanes_not_folded});
  EXPECT_EQ(StructAndSource("float32 (3):(4) @cpu bare", "float32 (3):(1) @cpu bare").with_allocation(12).rules(),
            Rules{RuleId::tensor_strides_unit});
}

TEST(Allocation, IsNotJudgedWhereTheElementsLeaveEveryMemory) {
  StructAndSource pair("float32 (2,3):(3,1) @cpu bare", "float32 (2,3) @cpu bare");
  pair.with_allocation(24).origin.layout = nullptr;
  pair.specimen.tensor().byte_offset = ~std::uint64_t{0};
  EXPECT_EQ(pair.rules(), Rules{RuleId::tensor_strides_no_overflow});
  pair.specimen.tensor().byte_offset = 0;
  pair.specimen.shape()[0] = int64_max;
  EXPECT_EQ(pair.rules(), Rules{RuleId::tensor_numel_no_overflow});
}

TEST(Allocation, IsNotJudgedWithoutAnAddress) {
  EXPECT_EQ(StructAndSource("float32 (3) @opencl bare", "float32 (3) @cpu bare").with_allocation(1).rules(), Rules{});
  EXPECT_EQ(StructAndSource("float32 (3) @cuda bare data=null", "float32 (3) @cpu bare").with_allocation(1).rules(),
            Rules{RuleId::tensor_data_nonnull_nonempty});
  StructAndSource low("float32 (3) @cpu bare", "float32 (3) @cpu bare");
  low.with_allocation(12).specimen.tensor().data = reinterpret_cast<void*>(std::uintptr_t{256});
  EXPECT_EQ(low.rules(), Rules{RuleId::device_cpu_dereferenceable});
}

}  // namespace
}  // namespace dlspec::reference
