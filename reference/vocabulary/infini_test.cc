#include <dlspec/vocabulary/infini.h>

#include <iterator>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

namespace dlspec {
namespace {

using Names = std::vector<std::string>;

TEST(InfiniWords, TheDtypeTableIsIndexedByNumber) {
  Names names, notations;
  for (int number = 0; number < infini_dtype_count; ++number) {
    EXPECT_EQ(infini_dtype_table[number].number, number);
    names.emplace_back(infini_dtype_table[number].name);
    notations.emplace_back(infini_dtype_table[number].notation);
  }
  EXPECT_EQ(names, (Names{"INVALID", "BYTE", "BOOL", "I8",  "I16", "I32", "I64", "U8",  "U16",  "U32",
                          "U64",     "F8",   "F16",  "F32", "F64", "C16", "C32", "C64", "C128", "BF16"}));
  EXPECT_EQ(notations, (Names{"",        "byte",      "bool",      "int8",      "int16",      "int32",   "int64",
                              "uint8",   "uint16",    "uint32",    "uint64",    "float8",     "float16", "float32",
                              "float64", "complex16", "complex32", "complex64", "complex128", "bfloat16"}));
}

TEST(InfiniWords, NumbersWithoutARowAreNoDtype) {
  for (const int number : {0, 20, 99, -1, -2147483647 - 1, 2147483647}) EXPECT_EQ(find_infini_dtype(number), nullptr);
  EXPECT_EQ(find_infini_dtype(19)->dlpack, (abi::DataType{kDLBfloat, 16, 1}));
}

TEST(InfiniWords, ElementsHaveTheSizeOfTheirCounterpart) {
  for (int number = 1; number < infini_dtype_count; ++number) {
    const InfiniDtypeRow& row = infini_dtype_table[number];
    EXPECT_EQ(row.bytes, item_size(row.dlpack)) << row.name;
  }
}

// Otherwise an import would have to choose.
TEST(InfiniWords, NoTwoExactRowsShareACounterpart) {
  std::set<std::pair<int, int>> seen;
  Names not_exact;
  for (const InfiniDtypeRow& row : infini_dtype_table) {
    if (row.bridge != InfiniBridge::exact) {
      not_exact.emplace_back(row.name);
    } else {
      EXPECT_TRUE(seen.insert({row.dlpack.code, row.dlpack.bits}).second) << row.name;
    }
  }
  EXPECT_EQ(not_exact, (Names{"INVALID", "BYTE", "C16"}));
}

TEST(InfiniWords, StatusesHaveTheDocumentedNumbersAndATextEach) {
  const std::map<int, std::string> documented = {
      {0, "SUCCESS"},
      {1, "INTERNAL_ERROR"},
      {2, "NOT_IMPLEMENTED"},
      {3, "BAD_PARAM"},
      {4, "NULL_POINTER"},
      {5, "DEVICE_TYPE_NOT_SUPPORTED"},
      {6, "DEVICE_NOT_FOUND"},
      {7, "DEVICE_NOT_INITIALIZED"},
      {8, "DEVICE_ARCHITECTURE_NOT_SUPPORTED"},
      {10, "BAD_TENSOR_DTYPE"},
      {11, "BAD_TENSOR_SHAPE"},
      {12, "BAD_TENSOR_STRIDES"},
      {13, "INSUFFICIENT_WORKSPACE"},
  };
  std::map<int, std::string> statuses;
  std::set<std::string> texts;
  for (const InfiniStatusRow& row : infini_status_table) {
    statuses[static_cast<int>(row.value)] = row.spelling;
    EXPECT_TRUE(texts.insert(describe(row.value)).second) << row.spelling;
  }
  EXPECT_EQ(statuses, documented);
  EXPECT_STREQ(describe(static_cast<InfiniStatus>(9)), "unknown status");
}

TEST(InfiniWords, DevicesAreNumberedWithoutGaps) {
  const char* const names[] = {
#define DLSPEC_INFINI_DEVICE(number, name) #name,
#include <dlspec/vocabulary/infini_device.def>
#undef DLSPEC_INFINI_DEVICE
  };
  EXPECT_EQ(Names(std::begin(names), std::end(names)), (Names{"CPU", "NVIDIA", "CAMBRICON", "ASCEND", "METAX", "MOORE",
                                                              "ILUVATAR", "KUNLUN", "HYGON", "QY", "ALI"}));
  EXPECT_EQ(infini_device_count, static_cast<int>(std::size(names)));
  EXPECT_EQ(infini_device_CPU, 0);
  EXPECT_EQ(infini_device_ALI, 10);
}

}  // namespace
}  // namespace dlspec
