#include <dlspec/vocabulary/device.h>

#include <cstdint>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include <dlspec/vocabulary/table_testing.h>

namespace dlspec {
namespace {

constexpr std::int32_t int32_min = std::numeric_limits<std::int32_t>::min();
constexpr std::int32_t int32_max = std::numeric_limits<std::int32_t>::max();

constexpr const char* no_devices[] = {
    "",
    ":",
    ":1",
    "cpu:",
    "cpu:x",
    "cpu:1x",
    "device(1x)",
    "devise(12)",
    "cuda)",
    "cpu:1:2",
    "cpu:+1",
    "cpu: 1",
    " cpu",
    "cpu ",
    "CPU",
    "cp",
    "cpu1",
    "device",
    "device()",
    "device(",
    "device(x)",
    "device(1",
    "device(1):",
    "device( 1)",
    "device(2147483648)",
    "cpu:2147483648",
    "cpu:-2147483649",
    "kDLCPU",
    "\xff",
};

TEST(DeviceTable, HasEveryAssignedType) {
  ASSERT_EQ(std::size(device_table), 19u);
  const std::set<std::int32_t> unassigned = {5, 6};
  for (std::int32_t type = -2; type <= 30; ++type) {
    const bool assigned = type >= 1 && type <= 21 && !unassigned.contains(type);
    const DeviceRow* const row = find_device(type);
    EXPECT_EQ(row != nullptr, assigned) << type;
    if (row != nullptr) {
      EXPECT_EQ(row->value, type);
    }
  }
  for (const std::int32_t type : {int32_min, int32_max, 257, 256 + 2}) EXPECT_EQ(find_device(type), nullptr) << type;
}

TEST(DeviceTable, NamesAreDistinct) {
  EXPECT_EQ(repeated(device_table, &DeviceRow::name), "");
  EXPECT_EQ(repeated(device_table, &DeviceRow::short_name), "");
}

TEST(DeviceTable, LastThreeAreUnreleased) {
  for (const DeviceRow& row : device_table) {
    EXPECT_EQ(row.released(), row.value < kDLTPU) << row.name;
    EXPECT_TRUE(!row.released() || row.since <= abi::newest_version) << row.name;
  }
}

TEST(DeviceTable, HostDevicesHaveAddresses) {
  const std::set<std::int32_t> host = {kDLCPU, kDLCUDAHost, kDLROCMHost, kDLCUDAManaged};
  for (const DeviceRow& row : device_table) {
    EXPECT_EQ(row.host, host.contains(row.value)) << row.name;
    EXPECT_TRUE(row.address() || !row.host) << row.name;
  }
}

TEST(DeviceTable, TheseDevicesHaveAddressesAndNoOthers) {
  const std::set<std::int32_t> with_address = {kDLCPU,      kDLCUDA,        kDLCUDAHost, kDLROCM,
                                               kDLROCMHost, kDLCUDAManaged, kDLOneAPI};
  for (const DeviceRow& row : device_table) EXPECT_EQ(row.address(), with_address.contains(row.value)) << row.name;
}

TEST(DeviceTable, TheseDevicesHaveHandlesAndNoOthers) {
  const std::set<std::int32_t> with_handle = {kDLOpenCL, kDLVulkan, kDLMetal, kDLWebGPU};
  for (const DeviceRow& row : device_table)
    EXPECT_EQ(row.data == DeviceData::handle, with_handle.contains(row.value)) << row.name;
}

TEST(DeviceTable, EachReleaseAddedTheseTypes) {
  const std::map<abi::Version, std::set<std::int32_t>> added = {
      {{0, 1}, {1, 2, 3, 4}}, {{0, 2}, {8, 9, 10}}, {{0, 3}, {7, 12}}, {{0, 6}, {11, 13}},
      {{0, 7}, {14, 15, 16}}, {{1, 0}, {17}},       {{1, 2}, {18}},    {unreleased, {19, 20, 21}},
  };
  std::map<abi::Version, std::set<std::int32_t>> found;
  for (const DeviceRow& row : device_table) found[row.since].insert(row.value);
  EXPECT_EQ(found, added);
}

TEST(DeviceText, OmitsTheIdZero) {
  EXPECT_EQ(device_text({kDLCPU, 0}), "cpu");
  EXPECT_EQ(device_text({kDLCUDA, 1}), "cuda:1");
  EXPECT_EQ(device_text({kDLCUDAManaged, -1}), "cuda_managed:-1");
  EXPECT_EQ(device_text({99, 3}), "device(99):3");
  EXPECT_EQ(device_text({-1, 0}), "device(-1)");
}

TEST(ParseDevice, InvertsDeviceText) {
  for (std::int32_t type = -3; type <= 30; ++type) {
    for (const std::int32_t id : {0, 1, 7, -1, int32_min, int32_max}) {
      const abi::Device device{type, id};
      EXPECT_EQ(parse_device(device_text(device)), device) << device_text(device);
    }
  }
  for (const std::int32_t type : {int32_min, int32_max})
    EXPECT_EQ(parse_device(device_text({type, 0})), (abi::Device{type, 0}));
}

TEST(ParseDevice, ReadsNoFartherThanTheText) {
  EXPECT_EQ(parse_device(std::string_view("cuda:12", 6)), (abi::Device{kDLCUDA, 1}));
}

TEST(ParseDevice, RefusesWhatNamesNoDevice) {
  for (const char* text : no_devices) EXPECT_EQ(parse_device(text), std::nullopt) << '"' << text << '"';
}

}  // namespace
}  // namespace dlspec
