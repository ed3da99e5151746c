#include <dlspec/vocabulary/dtype.h>

#include <iterator>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <dlspec/vocabulary/table_testing.h>

namespace dlspec {
namespace {

// At the bounds of the field and of the lane counts in use.
constexpr std::uint16_t lane_samples[] = {0, 1, 2, 3, 4, 10, 255, 256, 0x7FFF, 0x8000, 0xFFFF};

struct Named {
  abi::DataType dtype;
  const char* name;
};

constexpr Named known_names[] = {
    {{kDLInt, 8, 1}, "int8"},
    {{kDLUInt, 64, 1}, "uint64"},
    {{kDLFloat, 32, 1}, "float32"},
    {{kDLFloat, 32, 4}, "float32x4"},
    {{kDLOpaqueHandle, 64, 1}, "opaque64"},
    {{kDLBfloat, 16, 1}, "bfloat16"},
    {{kDLBfloat, 16, 2}, "bfloat16x2"},
    {{kDLComplex, 64, 1}, "complex64"},
    {{kDLComplex, 128, 2}, "complex128x2"},
    {{kDLBool, 8, 1}, "bool"},
    {{kDLFloat8_e4m3b11fnuz, 8, 1}, "float8_e4m3b11fnuz"},
    {{kDLFloat6_e3m2fn, 6, 1}, "float6_e3m2fn"},
    {{kDLFloat4_e2m1fn, 4, 2}, "float4_e2m1fnx2"},
    {{kDLInt, 4, 1}, "int4"},
    {{kDLBcomplex, 32, 1}, "bcomplex32"},
    {{kDLBool, 1, 1}, "dtype(6,1,1)"},
    {{kDLFloat, 0, 1}, "dtype(2,0,1)"},
    {{kDLFloat, 32, 0}, "dtype(2,32,0)"},
    {{19, 8, 1}, "dtype(19,8,1)"},
    {{255, 255, 65535}, "dtype(255,255,65535)"},
};

constexpr const char* no_dtypes[] = {
    "",
    "x",
    "x4",
    "float",
    "float032",
    "float0",
    "float256",
    "dtypo(1,8,1)",
    "int8)",
    "float-8",
    "float32x",
    "float32x0",
    "float32x1",
    "float32x04",
    "float32x65536",
    "float32x4x2",
    " float32",
    "float32 ",
    "Float32",
    "bool8",
    "bool1",
    "bfloat32",
    "bfloat",
    "complex",
    "dtype",
    "dtype()",
    "dtype(1,2)",
    "dtype(1,2,",
    "dtype(,,)",
    "dtype(1,2,3,4)",
    "dtype(256,8,1)",
    "dtype(1,256,1)",
    "dtype(1,8,65536)",
    "dtype(01,8,1)",
    "dtype(-1,8,1)",
    "dtype(1,8,1)x2",
    "float8_e4m3f",
    "float4_e2m1fn4",
    "int8,",
    "\xff",
};

TEST(DtypeTable, HasEveryCodeUpTo18InOrder) {
  ASSERT_EQ(std::size(dtype_table), 19u);
  for (std::size_t code = 0; code < std::size(dtype_table); ++code) {
    EXPECT_EQ(dtype_table[code].value, code);
    EXPECT_EQ(find_dtype_code(static_cast<std::uint8_t>(code)), &dtype_table[code]);
  }
  for (unsigned code = 19; code < 256; ++code)
    EXPECT_EQ(find_dtype_code(static_cast<std::uint8_t>(code)), nullptr) << code;
}

TEST(DtypeTable, NamesAreDistinct) {
  EXPECT_EQ(repeated(dtype_table, &DtypeCodeRow::name), "");
  EXPECT_EQ(repeated(dtype_table, &DtypeCodeRow::stem), "");
}

// "float6_e2m3fn" has 6 bits, "bfloat16" 16; only the name of bool has no width.
TEST(DtypeTable, FixedWidthsAreThoseInTheName) {
  for (const DtypeCodeRow& row : dtype_table) {
    if (row.bits == 0 || row.value == kDLBool) continue;
    const std::string stem = row.stem;
    EXPECT_EQ(std::stoi(stem.substr(stem.find_first_of("0123456789"))), row.bits) << stem;
  }
}

// IEEE 754-2019, section 3.6, as a formula; dtype.h lists the same widths.
TEST(DtypeWidths, OfFloatsAreTheInterchangeFormats) {
  const std::set<unsigned> listed(std::begin(float_widths), std::end(float_widths));
  for (unsigned bits = 1; bits < 256; ++bits) {
    const bool is_interchange = bits == 16 || bits == 32 || bits == 64 || (bits >= 128 && bits % 32 == 0);
    EXPECT_EQ(listed.contains(bits), is_interchange) << bits;
  }
}

TEST(DtypeWidths, OfComplexNumbersAreTwoFloatsOfUpTo64Bits) {
  EXPECT_EQ(std::vector<unsigned>(std::begin(complex_widths), std::end(complex_widths)),
            (std::vector<unsigned>{2 * 16, 2 * 32, 2 * 64}));
}

TEST(DtypeTable, OnlyBcomplexIsUnreleased) {
  for (const DtypeCodeRow& row : dtype_table) {
    EXPECT_EQ(row.released(), row.value != kDLBcomplex) << row.name;
    EXPECT_TRUE(!row.released() || row.since <= abi::newest_version) << row.name;
  }
}

TEST(DtypeTable, EachReleaseAddedTheseCodes) {
  const std::map<abi::Version, std::set<unsigned>> added = {
      {{0, 1}, {0, 1, 2}}, {{0, 3}, {4}},      {{0, 4}, {3, 5}},
      {{0, 8}, {6}},       {unreleased, {18}}, {{1, 1}, {7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17}},
  };
  std::map<abi::Version, std::set<unsigned>> found;
  for (const DtypeCodeRow& row : dtype_table) found[row.since].insert(row.value);
  EXPECT_EQ(found, added);
}

TEST(DtypeName, IsTheNameOfTheArrayApi) {
  for (const Named& known : known_names) EXPECT_EQ(dtype_name(known.dtype), known.name);
}

TEST(ParseDtype, ReadsKnownNames) {
  for (const Named& known : known_names) EXPECT_EQ(parse_dtype(known.name), known.dtype) << known.name;
}

TEST(ParseDtype, ReadsNoFartherThanTheText) {
  EXPECT_EQ(parse_dtype(std::string_view("int816", 4)), (abi::DataType{kDLInt, 8, 1}));
}

TEST(ParseDtype, RefusesWhatNamesNoDtype) {
  for (const char* text : no_dtypes) EXPECT_EQ(parse_dtype(text), std::nullopt) << '"' << text << '"';
  EXPECT_EQ(parse_dtype(std::string_view("int8\0", 5)), std::nullopt);
}

TEST(ParseDtype, InvertsDtypeName) {
  for (unsigned code = 0; code < 256; ++code) {
    for (unsigned bits = 0; bits < 256; ++bits) {
      for (const std::uint16_t lanes : lane_samples) {
        const abi::DataType dtype{static_cast<std::uint8_t>(code), static_cast<std::uint8_t>(bits), lanes};
        ASSERT_EQ(parse_dtype(dtype_name(dtype)), dtype) << dtype_name(dtype);
      }
    }
  }
}

TEST(ElementBits, CountsAllLanesWithoutOverflow) {
  EXPECT_EQ(element_bits({kDLFloat, 32, 4}), 128u);
  EXPECT_EQ(element_bits({kDLFloat, 255, 65535}), 255u * 65535u);
  EXPECT_EQ(element_bits({kDLFloat, 0, 4}), 0u);
}

TEST(ItemSize, IsZeroWhereElementsFillNoWholeBytes) {
  EXPECT_EQ(item_size({kDLFloat, 64, 1}), 8u);
  EXPECT_EQ(item_size({kDLFloat4_e2m1fn, 4, 1}), 0u);
  EXPECT_EQ(item_size({kDLFloat4_e2m1fn, 4, 2}), 1u);
  EXPECT_EQ(item_size({kDLFloat6_e2m3fn, 6, 4}), 3u);
  EXPECT_EQ(item_size({kDLInt, 12, 1}), 0u);
  EXPECT_EQ(item_size({kDLInt, 8, 0}), 0u);
}

TEST(IsSubbyte, DependsOnTheWidthOfOneLane) {
  EXPECT_TRUE(is_subbyte({kDLFloat4_e2m1fn, 4, 2}));
  EXPECT_TRUE(is_subbyte({kDLInt, 7, 1}));
  EXPECT_FALSE(is_subbyte({kDLInt, 8, 1}));
}

}  // namespace
}  // namespace dlspec
