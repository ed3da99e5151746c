// Structs compared with facts about their source.
#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <vector>

#include <dlspec/optimized/testing/extremes.h>
#include <dlspec/optimized/testing/raw_struct.h>
#include <dlspec/optimized/testing/sweep.h>

namespace dlspec::optimized::testing {
namespace {

constexpr Known all_known[] = {Known::unknown, Known::no, Known::yes};

TEST(ValidateOrigin, AgreesOnEveryFlagAndFact) {
  Sweep sweep;
  RawStruct raw;
  for (const Generation generation : all_generations) {
    for (const std::uint32_t minor : extreme_versions) {
      for (std::uint64_t flags = 0; flags < 16; ++flags) {
        for (const std::uint8_t bits : std::initializer_list<std::uint8_t>{0, 1, 4, 7, 8, 32}) {
          for (const Known read_only : all_known) {
            for (const Known copied : all_known) {
              for (const bool padded : {false, true}) {
                raw.generation = generation;
                raw.managed.version.minor = minor;
                raw.managed.flags = flags;
                raw.tensor().dtype = {kDLInt, bits, 1};
                const Origin origin{nullptr, read_only, copied, padded, 0, 0};
                sweep.compare(raw.exported(), &origin);
              }
            }
          }
        }
      }
    }
  }
  sweep.expect_both_kinds(1000);
}

TEST(ValidateOrigin, AgreesOnEveryPairOfDtypes) {
  Sweep sweep;
  RawStruct raw;
  std::vector<abi::DataType> dtypes;
  for (std::uint8_t code = 0; code < 20; ++code) {
    for (const std::uint8_t bits : std::initializer_list<std::uint8_t>{0, 4, 8, 12, 16, 32, 64, 128}) {
      for (const std::uint16_t lanes : std::initializer_list<std::uint16_t>{0, 1, 2, 3})
        dtypes.push_back({code, bits, lanes});
    }
  }
  Layout source;
  source.shape = {3, 4};
  for (const abi::DataType from : dtypes) {
    for (const abi::DataType to : dtypes) {
      source.dtype = from;
      raw.tensor().dtype = to;
      const Origin origin{.layout = &source};
      sweep.compare(raw.exported(), &origin);
    }
  }
  sweep.expect_both_kinds(40);
}

std::vector<std::vector<std::int64_t>> shapes() {
  std::vector<std::vector<std::int64_t>> all{{}};
  const std::int64_t extents[] = {0, 1, 2, 4, 8, -1, INT64_MAX / 2, INT64_MAX};
  for (const std::int64_t first : extents) {
    all.push_back({first});
    for (const std::int64_t second : extents) {
      all.push_back({first, second});
      for (const std::int64_t third : {1, 2, 4}) all.push_back({first, second, third});
    }
  }
  return all;
}

// Other shapes; lanes folded into the last extent or added as an axis; pairs of fp4.
TEST(ValidateOrigin, AgreesOnEveryPairOfShapes) {
  Sweep sweep;
  RawStruct raw;
  const auto all = shapes();
  Layout source;
  const Origin origin{.layout = &source};
  for (const auto& from : all) {
    for (const auto& to : all) {
      source.shape = from;
      std::copy(to.begin(), to.end(), raw.shape.begin());
      raw.strides.fill(1);
      raw.tensor().ndim = static_cast<std::int32_t>(to.size());
      for (const std::uint16_t lanes : std::initializer_list<std::uint16_t>{1, 2, 4}) {
        raw.tensor().dtype = {kDLFloat, 32, lanes};
        source.dtype = raw.tensor().dtype;
        sweep.compare(raw.exported(), &origin);
      }
      raw.tensor().dtype = {kDLFloat4_e2m1fn, 4, 2};
      source.dtype = {kDLFloat4_e2m1fn, 4, 1};
      sweep.compare(raw.exported(), &origin);
    }
  }
  sweep.expect_both_kinds(100);
}

TEST(ValidateOrigin, AgreesOnStridesInBytes) {
  Sweep sweep;
  RawStruct raw;
  const std::int64_t strides[] = {0, 1, -1, 4, 2, 16, INT64_MAX / 2, INT64_MAX, INT64_MIN};
  Layout source;
  const Origin origin{.layout = &source};
  for (const std::int64_t first : {-1, 0, 1, 2, 3}) {
    for (const std::int64_t second : {1, 4}) {
      source.shape = {first, second};
      for (const std::int64_t from_0 : strides) {
        for (const std::int64_t from_1 : strides) {
          for (const std::int64_t to_0 : strides) {
            for (const std::int64_t to_1 : strides) {
              for (const std::uint8_t bits : std::initializer_list<std::uint8_t>{4, 8, 16, 32}) {
                source.strides = {from_0, from_1};
                source.dtype = raw.tensor().dtype = {kDLInt, bits, 1};
                raw.set_layout({first, second}, {to_0, to_1});
                sweep.compare(raw.exported(), &origin);
              }
            }
          }
        }
      }
    }
  }
  sweep.expect_both_kinds(1000);
}

// The first and the last byte of the memory move across the span of the elements.
TEST(ValidateOrigin, AgreesAtTheEndsOfTheAllocation) {
  Sweep sweep;
  RawStruct raw;
  for (const abi::DataType dtype : {abi::DataType{kDLFloat, 32, 1}, {kDLInt, 4, 1}, {kDLUInt, 1, 3}}) {
    for (const std::int64_t stride : {1, -1, 3, 0}) {
      for (const std::uint64_t flags : std::initializer_list<std::uint64_t>{0, 4}) {
        raw.set_layout({5, 1}, {stride, 100});
        raw.tensor().dtype = dtype;
        raw.managed.flags = flags;
        for (std::int64_t from = -60; from <= 4; ++from) {
          for (std::int64_t size = 0; size <= 120; size += 1) {
            const auto begin = RawStruct::address + static_cast<std::uintptr_t>(from);
            const Origin origin{.allocation_begin = begin, .allocation_end = begin + static_cast<std::uintptr_t>(size)};
            sweep.compare(raw.exported(), &origin);
          }
        }
      }
    }
  }
  for (const std::uint64_t begin : extreme_addresses) {
    for (const std::uint64_t end : extreme_addresses) {
      for (const std::uint64_t data : extreme_addresses) {
        raw.set_data(data);
        const Origin origin{.allocation_begin = begin, .allocation_end = end};
        sweep.compare(raw.exported(), &origin);
      }
    }
  }
  sweep.expect_both_kinds(1000);
}

// One fault often moves elements outside the memory too: then only the fault itself is reported.
TEST(ValidateOrigin, AgreesWhichOfTwoRulesIsReported) {
  Sweep sweep;
  RawStruct raw;
  const std::vector<std::int64_t> row_major{4, 1}, in_halves{2, 1};
  for (const abi::DataType from :
       {abi::DataType{kDLFloat, 32, 1}, {kDLInt, 32, 1}, {kDLFloat, 32, 2}, {kDLInt, 16, 1}}) {
    for (const abi::DataType to :
         {abi::DataType{kDLFloat, 32, 1}, {kDLInt, 0, 1}, {kDLFloat, 32, 2}, {kDLInt, 16, 1}}) {
      for (const std::int64_t extent : {2, 4, 8}) {
        for (const auto& steps : {row_major, in_halves}) {
          for (const std::int64_t stride : std::initializer_list<std::int64_t>{1, 2, 4, 8, INT64_MAX / 16}) {
            raw.set_layout({3, extent}, {4 * stride, stride});
            raw.tensor().dtype = to;
            const Layout source{from, {3, 4}, steps, 0};
            for (const std::uintptr_t size : std::initializer_list<std::uintptr_t>{8, 48, 96, 400}) {
              const Origin origin{.layout = &source,
                                  .allocation_begin = RawStruct::address,
                                  .allocation_end = RawStruct::address + size};
              sweep.compare(raw.exported(), &origin);
            }
          }
        }
      }
    }
  }
  sweep.expect_both_kinds(5);
}

}  // namespace
}  // namespace dlspec::optimized::testing
