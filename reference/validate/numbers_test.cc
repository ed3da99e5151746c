// The numbers that each finding carries: axis, value and other, as finding.def names them.
#include <cstdint>
#include <limits>
#include <map>
#include <string>

#include <gtest/gtest.h>

#include <dlspec/reference/testing/faulty.h>
#include <dlspec/reference/validate/validate.h>

namespace dlspec::reference {
namespace {

struct Numbers {
  const char* row;
  std::int32_t axis;
  std::int64_t value;
  std::int64_t other;
};

constexpr std::int64_t packed(std::int64_t code, std::int64_t bits, std::int64_t lanes) {
  return code * (1 << 24) + bits * (1 << 16) + lanes;
}

// Rows of the table of faulty structs. The rows that are not listed have no numbers: axis -1, value and other 0.
constexpr Numbers expected[] = {
    {"version.truthful-minor/device-of-1.2", -1, 18, 1},
    {"version.truthful-minor/float8-of-1.1", -1, 7, 0},
    {"version.truthful-minor/float4-of-1.1", -1, 17, 0},
    {"version.major-published/major-2", -1, 2, 3},
    {"version.major-published/major-max", -1, 4294967295, 3},
    {"version.filled/major-0", -1, 0, 3},
    {"abi.sizes-offsets/misaligned-versioned", -1, 4, 0},
    {"abi.sizes-offsets/misaligned-legacy", -1, 1, 0},
    {"abi.sizes-offsets/misaligned-bare", -1, 7, 0},
    {"abi.device-type-32bit/rubbish-above-cpu", -1, 257, 1},
    {"abi.device-type-32bit/rubbish-above-cuda", -1, -254, 2},
    {"abi.shape-int64/misaligned-shape", -1, 4, 0},
    {"abi.shape-int64/misaligned-shape-legacy", -1, 1, 0},
    {"abi.shape-int64/misaligned-strides", -1, 4, 0},
    {"device.type-known/never-assigned", -1, 5, 0},
    {"device.type-known/beyond-main", -1, 22, 0},
    {"device.type-known/negative", -1, -1, 0},
    {"device.type-known/low-byte-of-main-only", -1, 275, 0},
    {"device.type-known/legacy", -1, 99, 0},
    {"device.type-known/bare", -1, 6, 0},
    {"device.type-known/newer-version", -1, 22, 4},
    {"device.type-known/main-only-tpu", -1, 19, 0},
    {"device.type-known/main-only-newer", -1, 20, 0},
    {"device.type-known/main-only-legacy", -1, 21, 0},
    {"device.id-zero-host/cpu", -1, 1, 1},
    {"device.id-zero-host/cuda-host", -1, 1, 3},
    {"device.id-zero-host/cuda-managed", -1, 2, 13},
    {"device.id-zero-host/rocm-host-legacy", -1, 1, 11},
    {"device.id-nonnegative/cpu", -1, -1, 0},
    {"device.id-nonnegative/cuda", -1, std::numeric_limits<std::int32_t>::min(), 0},
    {"device.cpu-dereferenceable/first-page", -1, 256, 0},
    {"device.cpu-dereferenceable/end-of-first-page", -1, 3840, 0},
    {"device.cpu-dereferenceable/scalar", -1, 256, 0},
    {"dtype.code-known/beyond-main", -1, 19, 0},
    {"dtype.code-known/legacy", -1, 255, 0},
    {"dtype.code-known/newer-version", -1, 19, 4},
    {"dtype.code-known/main-only-bcomplex", -1, 18, 0},
    {"dtype.bits-nonzero/float", -1, 2, 0},
    {"dtype.bits-nonzero/bool-legacy", -1, 6, 0},
    {"dtype.bits-nonzero/float8", -1, 12, 0},
    {"dtype.lanes-not-folded/last-extent", -1, 4, 0},
    {"dtype.lanes-not-folded/extra-axis", -1, 4, 0},
    {"dtype.lanes-not-folded/extra-axis-of-scalar", -1, 4, 0},
    {"dtype.float-is-ieee/float8", -1, 8, 0},
    {"dtype.float-is-ieee/x87", -1, 80, 0},
    {"dtype.float-is-ieee/padded-x87", -1, 96, 0},
    {"dtype.bfloat-width/32-bits", -1, 32, 0},
    {"dtype.complex-total-bits/bits-of-one-half", -1, 16, 0},
    {"dtype.complex-total-bits/too-wide", -1, 192, 0},
    {"dtype.complex-total-bits/bits-of-one-part", -1, 32, 64},
    {"dtype.complex-total-bits/part-of-complex128", -1, 64, 128},
    {"dtype.bool-bits-8/1-bit", -1, 1, 0},
    {"dtype.bool-bits-8/32-bits", -1, 32, 0},
    {"dtype.fp8-bits-8/first-code", -1, 7, 7},
    {"dtype.fp8-bits-8/last-code", -1, 16, 14},
    {"dtype.fp6-bits-6/first-code", -1, 8, 15},
    {"dtype.fp6-bits-6/last-code", -1, 4, 16},
    {"dtype.fp4-bits-4/8-bits", -1, 8, 0},
    {"dtype.odd-width-refused/int12", -1, 12, 0},
    {"dtype.odd-width-refused/uint9", -1, 9, 0},
    {"dtype.truthful/other-code", -1, packed(1, 64, 1), packed(0, 64, 1)},
    {"dtype.truthful/other-bits", -1, packed(0, 32, 1), packed(0, 64, 1)},
    {"dtype.truthful/other-lanes", -1, packed(2, 32, 1), packed(2, 32, 2)},
    {"dtype.truthful/bool-as-uint8", -1, packed(1, 8, 1), packed(6, 8, 1)},
    {"tensor.ndim-nonnegative/minus-one", -1, -1, 0},
    {"tensor.ndim-nonnegative/lowest", -1, std::numeric_limits<std::int32_t>::min(), 0},
    {"tensor.ndim-cap-refused/65", -1, 65, 0},
    {"tensor.ndim-cap-refused/65-legacy", -1, 65, 0},
    {"tensor.shape-nonnull/versioned", -1, 1, 0},
    {"tensor.shape-nonnull/bare", -1, 1, 0},
    {"tensor.shape-truthful/rank-too-low", -1, 1, 2},
    {"tensor.shape-truthful/rank-too-high", -1, 3, 2},
    {"tensor.shape-truthful/first-extent", 0, 2, 3},
    {"tensor.shape-truthful/last-extent", 1, 3, 4},
    {"tensor.extent-nonnegative/minus-one", 1, -1, 0},
    {"tensor.extent-nonnegative/lowest", 0, std::numeric_limits<std::int64_t>::min(), 0},
    {"tensor.strides-not-null/v1.2", -1, 1, 2},
    {"tensor.strides-not-null/v1.3", -1, 2, 3},
    {"tensor.strides-not-null/newer-version", -1, 1, 4},
    {"tensor.strides-not-null/empty", -1, 1, 3},
    {"tensor.strides-unit/bytes", 0, 4, 1},
    {"tensor.strides-unit/behind-unit-axis", 1, -2, -1},
    {"tensor.data-256-aligned/64", -1, 64, 0},
    {"tensor.data-256-aligned/1-byte-bare", -1, 1, 0},
    {"tensor.data-256-aligned/cuda", -1, 128, 0},
    {"tensor.in-allocation/negative-stride", -1, 8, 0},
    {"tensor.in-allocation/start-before", -1, 256, 0},
    {"tensor.in-allocation/extent", -1, 1, 0},
    {"tensor.in-allocation/byte-offset", -1, 1, 0},
    {"tensor.in-allocation/wider-elements", -1, 12, 0},
    {"tensor.in-allocation/padding-claimed", -1, 2, 0},
    {"flags.undefined-bits-zero/bit-3", -1, 8, 0},
    {"flags.undefined-bits-zero/bit-63-of-1.0", -1, std::numeric_limits<std::int64_t>::min(), 0},
    {"flags.undefined-bits-zero/newer-version", -1, 8, 4},
    {"flags.padded-only-subbyte/float32", -1, 32, 0},
    {"flags.padded-set-when-padded/clear", -1, 4, 0},
};

Numbers numbers_of(const std::string& row) {
  for (const Numbers& numbers : expected) {
    if (row == numbers.row) return numbers;
  }
  return {"", -1, 0, 0};
}

TEST(FindingNumbers, AreThoseOfTheFault) {
  for (const testing::FaultyRow& row : testing::faulty_table()) {
    const testing::Exhibit exhibit = testing::build(row);
    const Findings findings = validate(exhibit.exported(), exhibit.origin());
    ASSERT_FALSE(findings.empty()) << testing::row_text(row);
    const Numbers numbers = numbers_of(testing::row_name(row));
    EXPECT_EQ(findings[0].axis, numbers.axis) << testing::row_text(row);
    EXPECT_EQ(findings[0].value, numbers.value) << testing::row_text(row);
    EXPECT_EQ(findings[0].other, numbers.other) << testing::row_text(row);
  }
}

TEST(FindingNumbers, AreExpectedOfRowsThatExist) {
  std::map<std::string, int> rows;
  for (const testing::FaultyRow& row : testing::faulty_table()) ++rows[testing::row_name(row)];
  for (const Numbers& numbers : expected) EXPECT_EQ(rows.count(numbers.row), 1U) << numbers.row;
}

}  // namespace
}  // namespace dlspec::reference
