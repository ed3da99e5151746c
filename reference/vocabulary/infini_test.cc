#include <dlspec/vocabulary/infini.h>

#include <cstring>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace dlspec {
namespace {

TEST(InfiniWords, TheDtypeTableIsIndexedByNumber) {
  EXPECT_EQ(infini_dtype_count, 20);
  std::set<std::string> names, notations;
  for (int number = 0; number < infini_dtype_count; ++number) {
    EXPECT_EQ(infini_dtype_table[number].number, number);
    names.insert(infini_dtype_table[number].name);
    notations.insert(infini_dtype_table[number].notation);
  }
  EXPECT_EQ(names.size(), 20u);
  EXPECT_EQ(notations.size(), 20u);
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

// Else an import would have to choose.
TEST(InfiniWords, NoTwoExactRowsShareACounterpart) {
  std::set<std::pair<int, int>> taken;
  for (const InfiniDtypeRow& row : infini_dtype_table) {
    if (row.bridge != InfiniBridge::exact) continue;
    EXPECT_TRUE(taken.insert({row.dlpack.code, row.dlpack.bits}).second) << row.name;
  }
  EXPECT_EQ(taken.size(), 17u);
}

TEST(InfiniWords, StatusesHaveTheDocumentedNumbersAndATextEach) {
  EXPECT_EQ(static_cast<int>(InfiniStatus::bad_param), 3);
  EXPECT_EQ(static_cast<int>(InfiniStatus::device_architecture_not_supported), 8);
  EXPECT_EQ(static_cast<int>(InfiniStatus::bad_tensor_dtype), 10);
  EXPECT_EQ(static_cast<int>(InfiniStatus::insufficient_workspace), 13);
  std::set<std::string> texts;
  for (const InfiniStatusRow& row : infini_status_table) texts.insert(describe(row.value));
  EXPECT_EQ(texts.size(), 13u);
  EXPECT_STREQ(describe(static_cast<InfiniStatus>(9)), "unknown status");
}

TEST(InfiniWords, DevicesAreCountedWithoutGaps) {
  EXPECT_EQ(infini_device_count, 11);
  EXPECT_EQ(infini_device_CPU, 0);
  EXPECT_EQ(infini_device_ALI, 10);
}

}  // namespace
}  // namespace dlspec
