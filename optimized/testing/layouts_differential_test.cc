// Layouts: every combination of extremes over small ranks, and the exact limits of the address space.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>

#include <dlspec/optimized/descriptor/wide.h>
#include <dlspec/optimized/testing/extremes.h>
#include <dlspec/optimized/testing/raw_struct.h>
#include <dlspec/optimized/testing/sweep.h>

namespace dlspec::optimized::testing {
namespace {

constexpr abi::DataType dtypes[] = {
    {kDLUInt, 8, 1}, {kDLFloat, 32, 1}, {kDLInt, 4, 1}, {kDLUInt, 1, 3}, {kDLInt, 248, 65535}};

// Calls visit() for all extents and strides of the table on axes 0 to rank - 1.
template <class Visit>
void for_each_extreme_layout(RawStruct& raw, std::size_t rank, const Visit& visit, std::size_t axis = 0) {
  if (axis == rank) {
    raw.tensor().ndim = static_cast<std::int32_t>(rank);
    return visit();
  }
  for (const std::int64_t extent : extreme_extents) {
    for (const std::int64_t stride : extreme_strides) {
      raw.shape[axis] = extent;
      raw.strides[axis] = stride;
      for_each_extreme_layout(raw, rank, visit, axis + 1);
    }
  }
}

TEST(ValidateLayouts, AgreeOnExtremesOfRankZeroToTwo) {
  Sweep sweep;
  RawStruct raw;
  for (const std::int32_t device : {kDLCPU, kDLCUDA, kDLMetal, DeviceType(99)}) {
    for (const abi::DataType dtype : dtypes) {
      for (std::size_t rank = 0; rank <= 2; ++rank) {
        for_each_extreme_layout(raw, rank, [&] {
          raw.tensor().device.device_type = device;
          raw.tensor().dtype = dtype;
          raw.tensor().byte_offset = 0;
          sweep.compare(raw.exported());
          raw.tensor().byte_offset = std::uint64_t{1} << 62;
          sweep.compare(raw.exported());
        });
      }
    }
  }
  sweep.expect_both_kinds(1000);
}

TEST(ValidateLayouts, AgreeOnExtremesOfRankThree) {
  Sweep sweep;
  RawStruct raw;
  std::size_t turn = 0;
  for_each_extreme_layout(raw, 3, [&] {
    if (++turn % 7 != 0) return;  // 7 is coprime to the table sizes: all values meet
    raw.tensor().dtype = dtypes[turn % 5];
    sweep.compare(raw.exported());
  });
  sweep.expect_both_kinds(100);
}

// NULL strides are legal before 1.2: the layout is row-major.
TEST(ValidateLayouts, AgreeWithoutStrides) {
  Sweep sweep;
  RawStruct raw;
  raw.tensor().strides = nullptr;
  for (const Generation generation : all_generations) {
    raw.generation = generation;
    raw.managed.version.minor = 1;
    for (const abi::DataType dtype : dtypes) {
      raw.tensor().dtype = dtype;
      for (const std::int64_t first : extreme_extents) {
        for (const std::int64_t second : extreme_extents) {
          raw.shape = {first, second};
          for (const std::uint64_t address : extreme_addresses) {
            raw.set_data(address);
            sweep.compare(raw.exported());
          }
        }
      }
    }
  }
  sweep.expect_both_kinds(100);
}

// Four elements in either direction, byte by byte across both ends of the address space.
TEST(ValidateLayouts, AgreeAtTheEndsOfMemory) {
  Sweep sweep;
  RawStruct raw;
  for (const std::int32_t device : {kDLCPU, kDLCUDA, kDLOpenCL, DeviceType(99)}) {
    for (const std::int64_t stride : {1, 2, -1, -2}) {
      raw.set_layout({4}, {stride});
      raw.tensor().device.device_type = device;
      for (const std::uint64_t border : {std::uint64_t{0}, std::uint64_t{4096}, std::uint64_t{1} << 63}) {
        for (std::int64_t distance = -40; distance <= 40; ++distance) {
          const std::uint64_t start = border + static_cast<std::uint64_t>(distance);
          for (const abi::DataType dtype : dtypes) {
            raw.tensor().dtype = dtype;
            raw.set_data(start);
            raw.tensor().byte_offset = 0;
            sweep.compare(raw.exported());
            raw.set_data(256);
            raw.tensor().byte_offset = start - 256;
            sweep.compare(raw.exported());
            raw.tensor().byte_offset = start;
            sweep.compare(raw.exported());
          }
        }
      }
    }
  }
  sweep.expect_both_kinds(10);
}

// Spans and counts across 2^63 - 1 bytes, for elements of every width to 64 bits.
TEST(ValidateLayouts, AgreeAtTheLargestSizes) {
  Sweep sweep;
  RawStruct raw;
  raw.tensor().device.device_type = kDLCUDA;
  for (std::uint8_t bits = 1; bits <= 64; ++bits) {
    raw.tensor().dtype = {kDLUInt, bits, 1};
    const auto most = static_cast<std::int64_t>(std::min(8 * largest_int64 / bits, largest_int64 - 20));
    for (std::int64_t distance = -20; distance <= 20; ++distance) {
      raw.set_layout({most + distance}, {1});
      sweep.compare(raw.exported());
      raw.set_layout({2}, {most + distance});
      sweep.compare(raw.exported());
      raw.set_layout({2, 2}, {most / 2 + distance, -(most / 2)});
      sweep.compare(raw.exported());
      raw.set_layout({most + distance}, {0});
      sweep.compare(raw.exported());
    }
  }
  sweep.expect_both_kinds(100);
}

}  // namespace
}  // namespace dlspec::optimized::testing
