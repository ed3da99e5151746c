// The findings that an Origin adds, and those that another finding then masks.
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <dlspec/reference/testing/struct_and_source.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::reference {
namespace {

using testing::judge;
using testing::parse;
using testing::Rules;
using testing::Specimen;
using testing::StructAndSource;

constexpr std::int64_t int64_max = std::numeric_limits<std::int64_t>::max();

TEST(Origin, AnEmptyOneSaysNothing) {
  const Specimen specimen(parse("float32 (3):(1) @cpu v1.3"));
  const Origin origin;
  EXPECT_TRUE(validate(specimen.exported(), &origin).empty());
}

TEST(Truth, OneRowOfLanesMayStandAtTheEnd) {
  const std::string source = "float32x4 (3,2) @cpu bare";
  EXPECT_EQ(judge("float32x4 (3,2) @cpu bare", source), Rules{});
  EXPECT_EQ(judge("float32x4 (3,8) @cpu bare", source), Rules{RuleId::dtype_lanes_not_folded});
  EXPECT_EQ(judge("float32x4 (3,2,4) @cpu bare", source), Rules{RuleId::dtype_lanes_not_folded});
  EXPECT_EQ(judge("float32x4 (12,2) @cpu bare", source), Rules{RuleId::tensor_shape_truthful});
  EXPECT_EQ(judge("float32x4 (3,4,2) @cpu bare", source), Rules{RuleId::tensor_shape_truthful});
  EXPECT_EQ(judge("float32x4 (3,2,1,4) @cpu bare", source), Rules{RuleId::tensor_shape_truthful});
  EXPECT_EQ(judge("float32 (3,8) @cpu bare", source), (Rules{RuleId::dtype_truthful, RuleId::tensor_shape_truthful}));
}

TEST(Truth, NoLanesAreFoldedIntoNoElements) {
  EXPECT_EQ(judge("float32x4 (3,0) @cpu bare data=null", "float32x4 (3,0) @cpu bare"), Rules{});
  EXPECT_EQ(judge("float32x4 (0,4) @cpu bare data=null", "float32x4 (0) @cpu bare"),
            Rules{RuleId::dtype_lanes_not_folded});
}

TEST(Truth, LanesTimesAHugeExtentDoNotWrap) {
  const std::string source = "int8x3 (" + std::to_string(int64_max) + ") @cpu bare";
  StructAndSource pair("int8x3 (3) @cpu bare", source);
  pair.specimen.shape()[0] = int64_max - 2;  // 3 * (2^63-1) modulo 2^64
  EXPECT_EQ(pair.rules(), Rules{RuleId::tensor_numel_no_overflow});
}

TEST(Truth, Float4MayBeCountedInPairs) {
  EXPECT_EQ(judge("float4_e2m1fnx2 (3,2) @cpu bare", "float4_e2m1fn (3,4) @cpu bare"), Rules{});
  EXPECT_EQ(judge("float4_e2m1fn (3,4) @cpu bare", "float4_e2m1fnx2 (3,2) @cpu bare"),
            (Rules{RuleId::dtype_truthful, RuleId::tensor_shape_truthful}));
  EXPECT_EQ(judge("float4_e2m1fnx2 (3) @cpu bare", "uint8 (3) @cpu bare"), Rules{RuleId::dtype_truthful});
  EXPECT_EQ(judge("float4_e2m1fnx4 (3,1) @cpu bare", "float4_e2m1fn (3,4) @cpu bare"),
            (Rules{RuleId::dtype_truthful, RuleId::tensor_shape_truthful}));
}

TEST(Truth, ADtypeThatIsWrongInItselfIsNotComparedToo) {
  EXPECT_EQ(judge("float12 (3) @cpu bare", "float32 (3) @cpu bare"), Rules{RuleId::dtype_float_is_ieee});
  EXPECT_EQ(judge("opaque64 (3) @cpu bare", "uint64 (3) @cpu bare"), Rules{RuleId::dtype_opaque_refused});
  EXPECT_EQ(judge("float16 (3) @cpu bare", "float32 (3) @cpu bare"), Rules{RuleId::dtype_truthful});
}

TEST(Truth, NoRuleAboutADtypeAloneIsJoinedByTheComparison) {
  const std::pair<abi::DataType, RuleId> cases[] = {
      {{19, 32, 1}, RuleId::dtype_code_known},
      {{kDLInt, 0, 1}, RuleId::dtype_bits_nonzero},
      {{kDLInt, 32, 0}, RuleId::dtype_lanes_positive},
      {{kDLBfloat, 32, 1}, RuleId::dtype_bfloat_width},
      {{kDLComplex, 24, 1}, RuleId::dtype_complex_total_bits},
      {{kDLComplex, 0, 1}, RuleId::dtype_bits_overflow_refused},
      {{kDLBool, 1, 1}, RuleId::dtype_bool_bits_8},
      {{kDLFloat8_e5m2, 16, 1}, RuleId::dtype_fp8_bits_8},
      {{kDLFloat6_e2m3fn, 8, 1}, RuleId::dtype_fp6_bits_6},
      {{kDLFloat4_e2m1fn, 8, 1}, RuleId::dtype_fp4_bits_4},
      {{kDLUInt, 12, 1}, RuleId::dtype_odd_width_refused},
  };
  for (const auto& [dtype, rule] : cases) {
    StructAndSource pair("float32 (3) @cpu bare", "float32 (3) @cpu bare");
    pair.specimen.tensor().dtype = dtype;
    EXPECT_EQ(pair.rules(), Rules{rule}) << dtype.code + 0 << " with " << dtype.bits + 0 << " bits";
  }
}

TEST(Truth, OnlyAComplexSourceHasBitsOfOnePart) {
  EXPECT_EQ(judge("complex64 (3) @cpu bare", "complex128 (3) @cpu bare"), Rules{RuleId::dtype_complex_total_bits});
  EXPECT_EQ(judge("complex64x2 (3) @cpu bare", "complex128 (3) @cpu bare"), Rules{RuleId::dtype_complex_total_bits});
  EXPECT_EQ(judge("complex64x3 (3) @cpu bare", "complex128 (3) @cpu bare"), Rules{RuleId::dtype_truthful});
  EXPECT_EQ(judge("complex64 (3) @cpu bare", "complex128x2 (3) @cpu bare"), Rules{RuleId::dtype_truthful});
  EXPECT_EQ(judge("complex32 (3) @cpu bare", "float64 (3) @cpu bare"), Rules{RuleId::dtype_truthful});
  const StructAndSource pair("complex16 (3) @cpu bare", "complex32 (3) @cpu bare");
  const Findings findings = validate(pair.specimen.exported(), &pair.origin);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0], (Finding{RuleId::dtype_complex_total_bits, 0, -1, 16, 0}));  // no dtype has such parts
}

TEST(Truth, LanesAreFoldedIntoAShapeThatIsTheSourcesOtherwise) {
  const std::string source = "float32x4 (2,3) @cpu bare";
  for (const char* shape : {"(5,12)", "(2,5,4)", "(2,12,5)"}) {
    EXPECT_EQ(judge(std::string("float32x4 ") + shape + " @cpu bare", source), Rules{RuleId::tensor_shape_truthful});
  }
  EXPECT_EQ(judge("float32x4 (3,4) @cpu bare", "float32 (3) @cpu bare"),
            (Rules{RuleId::dtype_truthful, RuleId::tensor_shape_truthful}));
}

TEST(Truth, OnlyBooleansAsUnsignedBytesAreForgiven) {
  const auto verdict = [](const std::string& dtype, const std::string& source = "bool") {
    const StructAndSource pair(dtype + " (3) @cpu bare", source + " (3) @cpu bare");
    return verdict_of(validate(pair.specimen.exported(), &pair.origin)[0]);
  };
  EXPECT_EQ(verdict("uint8"), Verdict::warn);
  EXPECT_EQ(verdict("int8"), Verdict::fail);
  EXPECT_EQ(verdict("uint8x2"), Verdict::fail);
  EXPECT_EQ(verdict("uint8", "int8"), Verdict::fail);
}

TEST(Truth, AShapeThatOverflowsIsNotComparedToo) {
  StructAndSource pair("float32 (3,1) @cpu bare", "float32 (3,1) @cpu bare");
  pair.specimen.shape()[1] = int64_max;
  EXPECT_EQ(pair.rules(), Rules{RuleId::tensor_numel_no_overflow});
}

TEST(StridesUnit, EveryStrideThatMattersIsInBytes) {
  const std::string source = "float32 (2,3):(3,1) @cpu bare";
  const StructAndSource pair("float32 (2,3):(12,4) @cpu bare", source);
  const Findings findings = validate(pair.specimen.exported(), &pair.origin);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0], (Finding{RuleId::tensor_strides_unit, 0, 0, 12, 3}));
  EXPECT_EQ(judge("float32 (2,3):(12,1) @cpu bare", source), Rules{});
  EXPECT_EQ(judge("float32 (2,3):(3,1) @cpu bare", source), Rules{});
  EXPECT_EQ(judge("float32 (2,3) @cpu bare", source), Rules{});
}

TEST(StridesUnit, BroadcastIsTheSameInEveryUnit) {
  EXPECT_EQ(judge("float32 (2,3):(0,0) @cpu bare", "float32 (2,3):(0,0) @cpu bare"), Rules{});
  EXPECT_EQ(judge("float32 (2,3):(0,4) @cpu bare", "float32 (2,3):(0,1) @cpu bare"),
            Rules{RuleId::tensor_strides_unit});
}

TEST(StridesUnit, NeedsTheSourcesDtypeAndShapeAndItemsAboveAByte) {
  EXPECT_EQ(judge("int8 (3):(1) @cpu bare", "int8 (3):(1) @cpu bare"), Rules{});
  EXPECT_EQ(judge("int32 (3):(4) @cpu bare", "float32 (3):(1) @cpu bare"), Rules{RuleId::dtype_truthful});
  EXPECT_EQ(judge("float32 (2):(4) @cpu bare", "float32 (3):(1) @cpu bare"), Rules{RuleId::tensor_shape_truthful});
  EXPECT_EQ(judge("float32 (3):(4) @cpu bare", "float32 (3) @cpu bare"), Rules{});
}

TEST(StridesUnit, NoElementsHaveNone) {
  EXPECT_EQ(judge("float32 (0,5):(20,4) @cpu bare data=null", "float32 (0,5):(5,1) @cpu bare"), Rules{});
}

TEST(StridesUnit, AnOriginWithTooFewStridesIsNotFollowed) {
  StructAndSource pair("float32 (2,3):(12,4) @cpu bare", "float32 (2,3):(3,1) @cpu bare");
  pair.source.strides->pop_back();
  EXPECT_EQ(pair.rules(), Rules{});
}

TEST(Flags, AreNotMissedOnStructsWithoutThem) {
  StructAndSource pair("int4 (3) @cpu legacy", "int4 (3) @cpu bare");
  pair.origin.read_only = Known::yes;
  pair.origin.copied = Known::yes;
  pair.origin.padded = true;
  EXPECT_EQ(pair.rules(), Rules{});
}

TEST(Flags, ACopyNeedNotBeReadOnly) {
  StructAndSource pair("float32 (3) @cpu v1.0 copied", "float32 (3) @cpu bare");
  pair.origin.read_only = Known::yes;
  pair.origin.copied = Known::yes;
  EXPECT_EQ(pair.rules(), Rules{});
}

TEST(Flags, PaddingIsJudgedFromItsReleaseOn) {
  for (const auto& [version, expected] :
       {std::pair{"v1.0", Rules{}}, {"v1.1", Rules{RuleId::flags_padded_set_when_padded}}}) {
    StructAndSource pair(std::string("int4 (3) @cpu ") + version, "int4 (3) @cpu bare");
    pair.origin.padded = true;
    EXPECT_EQ(pair.rules(), expected) << version;
    pair.specimen.tensor().dtype.bits = 0;
    EXPECT_EQ(pair.rules(), Rules{RuleId::dtype_bits_nonzero}) << version;
  }
  StructAndSource bytes("int8 (3) @cpu v1.1", "int8 (3) @cpu bare");
  bytes.origin.padded = true;
  EXPECT_EQ(bytes.rules(), Rules{});
}

}  // namespace
}  // namespace dlspec::reference
