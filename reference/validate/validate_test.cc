// Hostile structs, several faults at once, both sides of every limit, and which rule masks which. (The table of faulty
// structs has one fault at a time.)
#include <dlspec/reference/validate/validate.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <dlspec/reference/testing/found_rules.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::reference {
namespace {

using namespace testing;  // of dlspec

constexpr std::int64_t int64_min = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t int64_max = std::numeric_limits<std::int64_t>::max();
constexpr std::int32_t int32_min = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t int32_max = std::numeric_limits<std::int32_t>::max();

void* address(std::uintptr_t value) { return reinterpret_cast<void*>(value); }

// --- hostile structs

TEST(Hostile, ZerosEverywhere) {
  const abi::v1::ManagedTensor versioned{};
  EXPECT_EQ(rules_of(validate(&versioned)), (Rules{RuleId::version_filled, RuleId::managed_deleter_null_meaning}));
  const abi::v0::ManagedTensor legacy{};
  EXPECT_EQ(rules_of(validate(&legacy)), (Rules{RuleId::device_type_known, RuleId::dtype_bits_nonzero,
                                                RuleId::dtype_lanes_positive, RuleId::managed_deleter_null_meaning}));
  const abi::Tensor bare{};
  EXPECT_EQ(rules_of(validate(&bare)),
            (Rules{RuleId::device_type_known, RuleId::dtype_bits_nonzero, RuleId::dtype_lanes_positive}));
}

TEST(Hostile, OnesEverywhere) {
  abi::Tensor bare;
  std::memset(static_cast<void*>(&bare), 0xFF, sizeof bare);
  EXPECT_EQ(rules_of(validate(&bare)), (Rules{RuleId::device_type_known, RuleId::device_id_nonnegative,
                                              RuleId::dtype_code_known, RuleId::tensor_ndim_nonnegative}));
  abi::v1::ManagedTensor versioned;
  std::memset(static_cast<void*>(&versioned), 0xFF, sizeof versioned);
  EXPECT_EQ(rules_of(validate(&versioned)), (Rules{RuleId::version_major_published}));
}

TEST(Hostile, NoRankIsFollowedTooFar) {
  Specimen specimen = make("float32 (3):(1) @cpu v1.3");
  for (const std::int32_t ndim : {-1, int32_min, 65, 1 << 20, int32_max}) {
    specimen.tensor().ndim = ndim;
    const RuleId rule = ndim < 0 ? RuleId::tensor_ndim_nonnegative : RuleId::tensor_ndim_cap_refused;
    EXPECT_EQ(rules_of(specimen), Rules{rule}) << ndim;
  }
}

TEST(Hostile, OneFaultHidesNoOther) {
  Specimen specimen = make("float32 (3,4):(4,1) @cpu v1.3");
  specimen.versioned().deleter = nullptr;
  specimen.versioned().flags = ~std::uint64_t{0};
  specimen.tensor().device = {22, -1};
  specimen.tensor().dtype = {19, 0, 0};
  specimen.tensor().strides = nullptr;
  specimen.shape() = {int64_max, -1};
  EXPECT_EQ(rules_of(specimen),
            (Rules{RuleId::device_type_known, RuleId::device_id_nonnegative, RuleId::dtype_code_known,
                   RuleId::dtype_bits_nonzero, RuleId::dtype_lanes_positive, RuleId::tensor_extent_nonnegative,
                   RuleId::tensor_strides_not_null, RuleId::managed_deleter_null_meaning,
                   RuleId::flags_undefined_bits_zero}));
}

TEST(Hostile, LimitsInEveryAxis) {
  Specimen specimen = make("float32 (1,1,1,1):(1,1,1,1) @cpu v1.3");
  std::fill(specimen.shape().begin(), specimen.shape().end(), int64_max);
  for (const std::int64_t stride : {int64_min, int64_max}) {
    std::fill(specimen.strides().begin(), specimen.strides().end(), stride);
    EXPECT_EQ(rules_of(specimen), Rules{RuleId::tensor_numel_no_overflow});
  }
  specimen.shape()[3] = int64_min;
  EXPECT_EQ(rules_of(specimen), Rules{RuleId::tensor_extent_nonnegative});
  specimen.shape()[3] = 0;
  EXPECT_EQ(rules_of(specimen), Rules{RuleId::tensor_data_null_when_empty});
}

TEST(Hostile, SixtyFourAxesOfLimits) {
  Descriptor descriptor = parse("uint8 () @cpu v1.3");
  descriptor.layout.dtype.lanes = 65535;
  descriptor.layout.shape.assign(64, 2);
  descriptor.layout.strides.emplace(64, int64_min);
  Specimen specimen(descriptor);
  EXPECT_EQ(rules_of(specimen), Rules{RuleId::tensor_numel_no_overflow});
  std::fill(specimen.shape().begin() + 4, specimen.shape().end(), 1);
  EXPECT_EQ(rules_of(specimen), Rules{RuleId::tensor_strides_no_overflow});
}

// --- limits

TEST(Borders, NumberOfElementsAndBytes) {
  Specimen specimen = make("int8 (1):(0) @cpu v1.3");
  specimen.shape()[0] = int64_max;
  EXPECT_EQ(rules_of(specimen), Rules{});
  specimen.tensor().dtype.lanes = 2;
  EXPECT_EQ(rules_of(specimen), Rules{RuleId::tensor_numel_no_overflow});
  specimen.shape()[0] = int64_max / 2;
  EXPECT_EQ(rules_of(specimen), Rules{});
  specimen.tensor().dtype = {0, 4, 1};  // two elements in a byte
  specimen.shape()[0] = int64_max;
  EXPECT_EQ(rules_of(specimen), Rules{});
  specimen.tensor().dtype.bits = 0;  // without an element size there is no byte count
  EXPECT_EQ(rules_of(specimen), Rules{RuleId::dtype_bits_nonzero});
}

TEST(Borders, ElementsWithoutASizeTakeNoBytesHoweverTheirLanesArePadded) {
  Specimen specimen = make("int4x2 (3) @cpu v1.1 padded");
  specimen.tensor().dtype.bits = 0;
  specimen.shape()[0] = std::int64_t{1} << 62;
  EXPECT_EQ(rules_of(specimen), Rules{RuleId::dtype_bits_nonzero});
}

TEST(Borders, SpanOfTheElements) {
  Specimen specimen = make("int8 (2):(1) @cpu v1.3");
  specimen.tensor().data = address(4096);
  specimen.strides()[0] = int64_max - 1;
  EXPECT_EQ(rules_of(specimen), Rules{});
  specimen.strides()[0] = int64_max;
  EXPECT_EQ(rules_of(specimen), Rules{RuleId::tensor_strides_no_overflow});
  EXPECT_EQ(validate(specimen.exported())[0].variant, 0);
}

TEST(Borders, EndOfTheAddressSpace) {
  Specimen specimen = make("uint8 (256):(1) @cuda v1.3");
  specimen.tensor().data = address(std::numeric_limits<std::uintptr_t>::max() - 255);
  EXPECT_EQ(rules_of(specimen), Rules{});
  specimen.tensor().byte_offset = 1;
  EXPECT_EQ(rules_of(specimen), Rules{RuleId::tensor_strides_no_overflow});
  EXPECT_EQ(validate(specimen.exported())[0].variant, 1);
}

TEST(Borders, StartOfTheAddressSpaceAndOfABuffer) {
  Specimen specimen = make("uint8 (3):(-1) @cuda v1.3");
  specimen.tensor().data = address(256);
  specimen.strides()[0] = -128;
  EXPECT_EQ(rules_of(specimen), Rules{});
  specimen.strides()[0] = -129;
  EXPECT_EQ(rules_of(specimen), Rules{RuleId::tensor_strides_no_overflow});
  specimen = make("uint8 (3):(-2)+4 @opencl v1.3");
  EXPECT_EQ(rules_of(specimen), Rules{});
  specimen.tensor().byte_offset = 3;
  EXPECT_EQ(rules_of(specimen), Rules{RuleId::tensor_strides_no_overflow});
  specimen = make("uint8 (3):(-2)+3 @ext_dev v1.3");
  EXPECT_EQ(rules_of(specimen), Rules{}) << "it may have addresses";
  specimen = make("uint8 (1):(1) @opencl v1.3");
  specimen.tensor().byte_offset = ~std::uint64_t{0} - 1;
  EXPECT_EQ(rules_of(specimen), Rules{});
  specimen.tensor().byte_offset = ~std::uint64_t{0};
  EXPECT_EQ(rules_of(specimen), Rules{RuleId::tensor_strides_no_overflow});
}

TEST(Borders, FirstPage) {
  Specimen specimen = make("uint8 (2):(-1) @cpu v1.3");
  specimen.tensor().data = address(4096);
  EXPECT_EQ(rules_of(specimen), Rules{RuleId::device_cpu_dereferenceable});
  EXPECT_EQ(validate(specimen.exported())[0].value, 4095);
  specimen.tensor().byte_offset = 1;
  EXPECT_EQ(rules_of(specimen), Rules{});
  specimen.tensor().device.device_type = kDLCUDA;  // not host memory
  specimen.tensor().data = address(256);
  EXPECT_EQ(rules_of(specimen), Rules{});
}

TEST(Borders, RankSixtyFour) {
  Descriptor descriptor = parse("uint8 () @cpu v1.3");
  descriptor.layout.shape.assign(64, 1);
  descriptor.layout.strides.emplace(64, int64_min);  // ignored on axes of extent 1
  EXPECT_EQ(rules_of(Specimen(descriptor)), Rules{});
}

// --- data

TEST(Data, NullIsOneFindingOnly) {
  EXPECT_EQ(rules_of(make("float32 (3):(-1) @cpu v1.3 data=null")), Rules{RuleId::tensor_data_nonnull_nonempty});
  Specimen specimen = make("float32 () @cpu v1.3 data=null");
  specimen.tensor().ndim = -1;
  EXPECT_EQ(rules_of(specimen), Rules{RuleId::tensor_ndim_nonnegative});
}

TEST(Data, AHandleMayBeNull) {
  EXPECT_EQ(rules_of(make("float32 (3):(1) @opencl v1.3 data=null")), Rules{});
  EXPECT_EQ(rules_of(make("float32 () @opencl v1.3 data=null")), Rules{});
}

TEST(Data, AlignmentDoesNotMatterWithoutElements) {
  Specimen specimen = make("float32 (0):(1) @cpu v1.3");
  specimen.tensor().data = address(1);
  EXPECT_EQ(rules_of(specimen), Rules{RuleId::tensor_data_null_when_empty});
}

// --- widths

bool width_is_fine(std::uint8_t code, std::uint8_t bits) {
  switch (code) {
    case kDLFloat: return bits == 16 || bits == 32 || bits == 64 || (bits >= 128 && bits % 32 == 0);
    case kDLBfloat: return bits == 16;
    case kDLComplex: return bits == 32 || bits == 64 || bits == 128;
    case kDLBool: return bits == 8;
    case kDLFloat6_e2m3fn:
    case kDLFloat6_e3m2fn: return bits == 6;
    case kDLFloat4_e2m1fn: return bits == 4;
    default: break;
  }
  const bool any_width = code == kDLInt || code == kDLUInt || code == kDLOpaqueHandle || code == kDLBcomplex;
  return any_width ? bits != 0 && (bits < 8 || bits % 8 == 0) : bits == 8;
}

TEST(Widths, OfEveryCode) {
  Specimen specimen = make("int8 (1):(1) @cpu v1.3");
  for (const DtypeCodeRow& row : dtype_table) {
    const bool never_clean = row.value == kDLOpaqueHandle || row.value == kDLBcomplex;
    for (int bits = 0; bits <= 255; ++bits) {
      specimen.tensor().dtype = {row.value, static_cast<std::uint8_t>(bits), 1};
      const bool fine = width_is_fine(row.value, static_cast<std::uint8_t>(bits));
      const std::size_t expected = (never_clean ? 1U : 0U) + (fine ? 0U : 1U);
      EXPECT_EQ(rules_of(specimen).size(), expected) << row.name << " with " << bits << " bits";
    }
  }
}

}  // namespace
}  // namespace dlspec::reference
