#include <dlspec/conformance/plan/contents.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <set>

#include <gtest/gtest.h>

#include <dlspec/conformance/plan/plan.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::conformance {
namespace {

std::vector<const char*> all_dtypes() {
  std::vector<const char*> names = full_dtypes();
  for (const auto& more : {narrow_dtypes(), rare_dtypes()}) names.insert(names.end(), more.begin(), more.end());
  return names;
}

template <class Number>
std::vector<Number> numbers(const std::string& bytes) {
  std::vector<Number> values(bytes.size() / sizeof(Number));
  std::memcpy(values.data(), bytes.data(), bytes.size());
  return values;
}

TEST(Contents, AreForDtypesThatTheVocabularyKnows) {
  EXPECT_EQ(full_dtypes().size(), 15u);
  EXPECT_EQ(narrow_dtypes().size(), 5u);
  EXPECT_EQ(rare_dtypes().size(), 14u);
  for (const char* name : all_dtypes()) EXPECT_TRUE(parse_dtype(name).has_value()) << name;
}

TEST(Contents, FillTheElementsExactly) {
  for (const char* name : all_dtypes()) {
    const std::uint64_t bits = element_bits(*parse_dtype(name));
    for (const std::int64_t count : {0, 1, 5, 12}) {
      EXPECT_EQ(memory_contents(name, count, 0).size(), (static_cast<std::uint64_t>(count) * bits + 7) / 8) << name;
    }
  }
}

TEST(Contents, DependOnTheSeedAlone) {
  for (const char* name : all_dtypes()) {
    EXPECT_EQ(memory_contents(name, 12, 7), memory_contents(name, 12, 7)) << name;
    EXPECT_NE(memory_contents(name, 12, 7), memory_contents(name, 12, 8)) << name;
  }
}

TEST(Contents, ElementsAreDistinct) {
  for (const char* name : all_dtypes()) {
    const std::uint32_t bits = element_bits(*parse_dtype(name));
    if (std::string_view(name) == "bool" || bits < 8) continue;
    const std::string bytes = memory_contents(name, 27, 0);  // as many as the widest layout spans
    std::set<std::string> elements;
    for (std::size_t at = 0; at < bytes.size(); at += bits / 8) elements.insert(bytes.substr(at, bits / 8));
    EXPECT_EQ(elements.size(), 27u) << name;
  }
}

template <class Number>
void expect_normal(const char* dtype) {
  for (const Number value : numbers<Number>(memory_contents(dtype, 27, 3))) {
    EXPECT_TRUE(std::isnormal(value)) << dtype << " " << value;
    EXPECT_LT(std::abs(value), Number{64}) << dtype;
    EXPECT_GT(std::abs(value), Number{0.01F}) << dtype;
  }
}

TEST(Contents, FloatsAreFiniteAndNormalInEveryPart) {
  expect_normal<float>("float32");
  expect_normal<double>("float64");
  expect_normal<float>("complex64");
  expect_normal<double>("complex128");
  expect_normal<float>("float32x4");
}

// Exponent fields of the formats that C++ has no type for: 0 is subnormal, the last is infinite.
TEST(Contents, SmallFloatsAreFiniteAndNormal) {
  for (const std::uint16_t value : numbers<std::uint16_t>(memory_contents("float16", 27, 0))) {
    EXPECT_TRUE((value >> 10 & 31) != 0 && (value >> 10 & 31) != 31) << value;
  }
  for (const std::uint16_t value : numbers<std::uint16_t>(memory_contents("bfloat16", 27, 0))) {
    EXPECT_TRUE((value >> 7 & 255) != 0 && (value >> 7 & 255) != 255) << value;
  }
  for (const std::uint8_t value : numbers<std::uint8_t>(memory_contents("float8_e4m3fn", 240, 0))) {
    EXPECT_TRUE((value >> 3 & 15) != 0 && (value & 127) != 127) << int{value};
  }
  for (const std::uint8_t value : numbers<std::uint8_t>(memory_contents("float8_e5m2", 240, 0))) {
    EXPECT_TRUE((value >> 2 & 31) != 0 && (value >> 2 & 31) != 31) << int{value};
  }
  for (const std::uint8_t value : numbers<std::uint8_t>(memory_contents("float8_e3m4", 240, 0))) {
    EXPECT_TRUE((value >> 4 & 7) != 0 && (value >> 4 & 7) != 7) << int{value};
  }
  for (const std::uint8_t value : numbers<std::uint8_t>(memory_contents("float8_e4m3", 240, 0))) {
    EXPECT_TRUE((value >> 3 & 15) != 0 && (value >> 3 & 15) != 15) << int{value};
  }
  for (const char* name : {"float8_e4m3b11fnuz", "float8_e4m3fnuz", "float8_e5m2fnuz"}) {
    for (const std::uint8_t value : numbers<std::uint8_t>(memory_contents(name, 240, 0)))
      EXPECT_NE(value & 127, 0) << name;
  }
  for (const std::uint8_t value : numbers<std::uint8_t>(memory_contents("float8_e8m0fnu", 240, 0)))
    EXPECT_NE(value, 255);
  for (const std::uint16_t value : numbers<std::uint16_t>(memory_contents("complex32", 12, 0))) {
    EXPECT_TRUE((value >> 10 & 31) != 0 && (value >> 10 & 31) != 31) << value;
  }
  for (const std::uint16_t value : numbers<std::uint16_t>(memory_contents("bcomplex32", 12, 0))) {
    EXPECT_TRUE((value >> 7 & 255) != 0 && (value >> 7 & 255) != 255) << value;
  }
  for (const std::uint8_t pair : numbers<std::uint8_t>(memory_contents("float4_e2m1fn", 24, 0))) {
    EXPECT_TRUE((pair >> 1 & 3) != 0 && (pair >> 5 & 3) != 0) << int{pair};
  }
}

TEST(Contents, ExtremeFloatsAreOfEveryKind) {
  const std::string bytes = memory_contents("float32", 12, 0, Values::extreme);
  std::set<int> kinds, signs;
  for (const float value : numbers<float>(bytes)) {
    kinds.insert(std::fpclassify(value));
    signs.insert(std::signbit(value) ? 1 : 0);
  }
  EXPECT_EQ(kinds, (std::set<int>{FP_NAN, FP_INFINITE, FP_ZERO, FP_SUBNORMAL, FP_NORMAL}));
  EXPECT_EQ(signs.size(), 2u);
}

// A conversion makes signalling NaNs quiet: that these are quiet already keeps readers that convert from being blamed.
TEST(Contents, ExtremeNansAreQuiet) {
  for (const std::uint64_t value : numbers<std::uint64_t>(memory_contents("float64", 28, 0, Values::extreme))) {
    const std::uint64_t magnitude = value & ~(std::uint64_t{1} << 63), infinity = std::uint64_t{0x7FF} << 52;
    if (magnitude > infinity) {
      EXPECT_NE(magnitude & std::uint64_t{1} << 51, 0u);
    }
  }
}

TEST(Contents, ExtremeIntegersAreTheEndsOfTheirRange) {
  const auto values = numbers<std::int64_t>(memory_contents("int64", 8, 0, Values::extreme));
  for (const std::int64_t end : {INT64_MIN, INT64_MAX, std::int64_t{-1}, std::int64_t{0}}) {
    EXPECT_NE(std::find(values.begin(), values.end(), end), values.end()) << end;
  }
}

TEST(Contents, BoolIsZeroOrOneAndBothOccur) {
  const std::string bytes = memory_contents("bool", 12, 0);
  EXPECT_EQ(bytes.find_first_not_of(std::string("\0\1", 2)), std::string::npos);
  EXPECT_NE(bytes.find('\0'), std::string::npos);
  EXPECT_NE(bytes.find('\1'), std::string::npos);
}

TEST(Contents, SubbyteElementsStartAtTheLowestBit) {
  const auto packed = numbers<std::uint8_t>(memory_contents("int4", 16, 0));
  std::set<int> elements;
  for (const std::uint8_t pair : packed) elements.insert({pair & 15, pair >> 4});
  EXPECT_EQ(elements.size(), 16u) << "all values of 4 bits occur once";
  const auto odd = numbers<std::uint8_t>(memory_contents("int4", 15, 0));
  EXPECT_EQ(odd.back(), packed.back() & 15) << "the last half byte is 0";
}

Order order_with(const char* layout) { return *order_of(std::string("producer/int32/") + layout + "/x"); }

TEST(OrderContents, FollowTheLayout) {
  const auto memory = numbers<std::int32_t>(memory_contents("int32", 27, 0));
  const auto c = numbers<std::int32_t>(order_contents(order_with("c"), 0));
  const auto fortran = numbers<std::int32_t>(order_contents(order_with("fortran"), 0));
  const auto strided = numbers<std::int32_t>(order_contents(order_with("strided"), 0));
  const auto negative = numbers<std::int32_t>(order_contents(order_with("negative"), 0));
  ASSERT_EQ(c.size(), 12u);
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t column = 0; column < 4; ++column) {
      const std::size_t at = row * 4 + column;
      EXPECT_EQ(c[at], memory[at]);
      EXPECT_EQ(fortran[at], memory[row + column * 3]);
      EXPECT_EQ(strided[at], memory[row * 10 + column * 2]);
      EXPECT_EQ(negative[at], memory[11 - at]);
    }
  }
}

TEST(OrderContents, AreEqualWhereIndicesShareAPlace) {
  const auto broadcast = numbers<std::int32_t>(order_contents(order_with("broadcast"), 0));
  const auto overlap = numbers<std::int32_t>(order_contents(order_with("overlap"), 0));
  for (std::size_t column = 0; column < 4; ++column) EXPECT_EQ(broadcast[column], broadcast[8 + column]);
  EXPECT_EQ(overlap[1], overlap[4]);
  EXPECT_EQ(overlap[3], overlap[6]);
  EXPECT_NE(overlap[0], overlap[1]);
}

TEST(OrderContents, OfEmptyAndScalar) {
  EXPECT_EQ(order_contents(order_with("empty"), 0), "");
  EXPECT_EQ(order_contents(order_with("empty_middle"), 0), "");
  EXPECT_EQ(order_contents(order_with("scalar"), 0).size(), 4u);
  EXPECT_EQ(order_contents(order_with("extent1"), 0), memory_contents("int32", 4, 0));
}

TEST(Contents, MoreElementsThanBfloat16HasValuesRepeatSome) {
  Order order;
  order.dtype = "bfloat16";
  order.shape = {20000};
  EXPECT_EQ(order_contents(order, 0).size(), 40000U);
}

TEST(Contents, AVectorHasAsManyPartsAsLanes) {
  EXPECT_EQ(memory_contents("int16x3", 5, 0).size(), 30U);
  EXPECT_EQ(memory_contents("complex64x2", 5, 0).size(), 80U);
  EXPECT_EQ(memory_contents("int4x2", 5, 0).size(), 5U);
  for (const char* name : {"int16x", "int16x0", "int16x257", "int16x3x", "x3", "int17x2"})
    EXPECT_TRUE(memory_contents(name, 5, 0).empty()) << name;
}

}  // namespace
}  // namespace dlspec::conformance
