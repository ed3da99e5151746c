#include <dlspec/reference/testing/value_tables.h>

#include <algorithm>
#include <set>

#include <gtest/gtest.h>

#include <dlspec/vocabulary/device.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::testing {
namespace {

bool contains(const auto& table, const auto& value) {
  return std::find(std::begin(table), std::end(table), value) != std::end(table);
}

void expect_no_duplicates(const auto& table) {
  for (auto row = std::begin(table); row != std::end(table); ++row) {
    EXPECT_EQ(std::find(row + 1, std::end(table), *row), std::end(table)) << "row " << row - std::begin(table);
  }
}

TEST(ValueTables, NameEachValueOnce) {
  expect_no_duplicates(extreme_numbers);
  expect_no_duplicates(extents);
  expect_no_duplicates(strides);
  expect_no_duplicates(ranks);
  expect_no_duplicates(versions);
  expect_no_duplicates(flag_values);
  expect_no_duplicates(byte_offsets);
  expect_no_duplicates(odd_widths);
  expect_no_duplicates(lane_counts);
  expect_no_duplicates(conforming_dtypes());
  expect_no_duplicates(all_dtypes());
  expect_no_duplicates(all_devices());
}

TEST(ValueTables, HoldEveryDtypeCodeAndDevice) {
  std::set<std::uint8_t> codes;
  for (const abi::DataType dtype : all_dtypes()) codes.insert(dtype.code);
  for (const DtypeCodeRow& row : dtype_table) EXPECT_TRUE(codes.contains(row.value)) << row.name;
  EXPECT_TRUE(codes.contains(255));
  for (const DeviceRow& row : device_table) EXPECT_TRUE(contains(all_devices(), abi::Device{row.value, 0})) << row.name;
  EXPECT_TRUE(contains(all_devices(), abi::Device{256 + kDLCPU, 0}));
}

TEST(ValueTables, HoldEveryReleaseFromOneOnAndANewerOne) {
  for (std::uint32_t minor = 0; minor <= abi::newest_version.minor + 1; ++minor) {
    EXPECT_TRUE(contains(versions, abi::Version{1, minor})) << minor;
  }
}

TEST(ValueTables, UsualWidthsFillBytesOrPackIntoThem) {
  for (const DtypeCodeRow& row : dtype_table) {
    const auto widths = usual_widths(row.value);
    EXPECT_FALSE(widths.empty()) << row.name;
    for (const std::uint8_t bits : widths) EXPECT_TRUE(bits < 8 || bits % 8 == 0) << row.name << int{bits};
    EXPECT_TRUE(row.bits == 0 || (widths.size() == 1 && widths[0] == row.bits)) << row.name;
  }
  EXPECT_TRUE(usual_widths(255).empty());
}

}  // namespace
}  // namespace dlspec::testing
