// Field by field: all values of small fields, extremes of large ones, and all triples of extremes of three fields.
#include <gtest/gtest.h>

#include <cstdint>
#include <functional>
#include <vector>

#include <dlspec/optimized/testing/extremes.h>
#include <dlspec/optimized/testing/raw_struct.h>
#include <dlspec/optimized/testing/sweep.h>

namespace dlspec::optimized::testing {
namespace {

TEST(ValidateFields, AgreeOnEveryDtype) {
  Sweep sweep;
  RawStruct raw;
  for (unsigned code = 0; code < 256; code += code < 24 ? 1 : 29) {
    for (unsigned bits = 0; bits < 256; ++bits) {
      for (const std::uint16_t lanes : extreme_lanes) {
        for (const std::uint32_t minor : extreme_versions) {
          raw.managed.version.minor = minor;
          raw.managed.flags = (bits + minor) % 2 == 0 ? 0 : 4;
          raw.tensor().dtype = {static_cast<std::uint8_t>(code), static_cast<std::uint8_t>(bits), lanes};
          sweep.compare(raw.exported());
        }
        raw.generation = Generation::bare;
        sweep.compare(raw.exported());
        raw.generation = Generation::versioned;
      }
    }
  }
  sweep.expect_both_kinds(1000);
}

TEST(ValidateFields, AgreeOnEveryDevice) {
  Sweep sweep;
  RawStruct raw;
  std::vector<std::int32_t> types{INT32_MIN, INT32_MIN + 1, -256, -255,     -1,      256,
                                  257,       258,           275,  512 + 19, 0x10001, INT32_MAX};
  for (std::int32_t type = 0; type < 256; ++type) types.push_back(type);
  for (const std::int32_t type : types) {
    for (const std::int32_t id : extreme_device_ids) {
      for (const std::uint32_t minor : extreme_versions) {
        for (const Generation generation : all_generations) {
          raw.generation = generation;
          raw.managed.version.minor = minor;
          raw.tensor().device = {type, id};
          sweep.compare(raw.exported());
        }
      }
    }
  }
  sweep.expect_both_kinds(100);
}

TEST(ValidateFields, AgreeOnEveryPrefix) {
  Sweep sweep;
  for (const std::uint32_t major : extreme_versions) {
    for (const std::uint32_t minor : extreme_versions) {
      for (int bit = -1; bit < 64; ++bit) {
        for (const bool with_deleter : {true, false}) {
          RawStruct raw;
          raw.managed.version = {major, minor};
          raw.managed.flags = bit < 0 ? 0 : std::uint64_t{1} << bit;
          if (!with_deleter) raw.managed.deleter = nullptr;
          if (bit % 2 == 0) raw.tensor().dtype = {kDLFloat4_e2m1fn, 4, 1};
          sweep.compare(raw.exported());
        }
      }
    }
  }
  sweep.expect_both_kinds(5);
}

TEST(ValidateFields, AgreeOnPointersToNowhere) {
  Sweep sweep;
  RawStruct raw;
  alignas(8) unsigned char bytes[256] = {};
  for (const Generation generation : all_generations) {
    sweep.compare(Exported(generation, nullptr));
    for (int shift = 0; shift < 8; ++shift) sweep.compare(Exported(generation, bytes + shift));
    raw.generation = generation;
    sweep.compare(raw.exported());
  }
  sweep.expect_both_kinds(3);
}

// Targets of shape and strides, for every rank around the boundaries.
TEST(ValidateFields, AgreeOnArraysThatMayNotBeRead) {
  Sweep sweep;
  RawStruct raw;
  const auto shifted = [](std::int64_t* array, std::uintptr_t shift) {
    return shift == 8 ? nullptr : reinterpret_cast<std::int64_t*>(reinterpret_cast<std::uintptr_t>(array) + shift);
  };
  for (const std::int32_t ndim : {INT32_MIN, -1, 0, 1, 2, 63, 64, 65, INT32_MAX}) {
    for (std::uintptr_t shape_shift = 0; shape_shift <= 8; ++shape_shift) {
      for (std::uintptr_t strides_shift = 0; strides_shift <= 8; ++strides_shift) {
        for (const std::uint32_t minor : extreme_versions) {
          raw.shape.fill(1);
          raw.managed.version.minor = minor;
          raw.tensor().ndim = ndim;
          raw.tensor().shape = shifted(raw.shape.data(), shape_shift);
          raw.tensor().strides = shifted(raw.strides.data(), strides_shift);
          for (const Generation generation : all_generations) {
            raw.generation = generation;
            sweep.compare(raw.exported());
          }
        }
      }
    }
  }
  sweep.expect_both_kinds(20);
}

using Change = std::function<void(RawStruct&)>;

// One list per field.
std::vector<std::vector<Change>> changes() {
  std::vector<std::vector<Change>> all;
  const auto field = [&](const auto& values, auto set) {
    std::vector<Change>& list = all.emplace_back();
    for (const auto value : values) list.push_back([=](RawStruct& raw) { set(raw, value); });
  };
  field(all_generations, [](RawStruct& raw, Generation value) { raw.generation = value; });
  field(extreme_versions, [](RawStruct& raw, std::uint32_t value) { raw.managed.version.minor = value; });
  field(std::vector<std::uint64_t>{0, 1, 2, 3, 4, 7, 8, UINT64_MAX},
        [](RawStruct& raw, std::uint64_t value) { raw.managed.flags = value; });
  field(std::vector<int>{0}, [](RawStruct& raw, int) { raw.managed.deleter = nullptr; });
  field(extreme_addresses, [](RawStruct& raw, std::uint64_t value) { raw.set_data(value); });
  field(extreme_offsets, [](RawStruct& raw, std::uint64_t value) { raw.tensor().byte_offset = value; });
  field(std::vector<std::int32_t>{0, 1, 2, 3, 4, 10, 18, 19, 21, 22, 99, 257, -1},
        [](RawStruct& raw, std::int32_t value) { raw.tensor().device.device_type = value; });
  field(extreme_device_ids, [](RawStruct& raw, std::int32_t value) { raw.tensor().device.device_id = value; });
  field(std::vector<std::uint8_t>{0, 1, 3, 4, 5, 6, 7, 15, 17, 18, 19, 255},
        [](RawStruct& raw, std::uint8_t value) { raw.tensor().dtype.code = value; });
  field(std::vector<std::uint8_t>{0, 1, 4, 6, 8, 12, 16, 128, 255},
        [](RawStruct& raw, std::uint8_t value) { raw.tensor().dtype.bits = value; });
  field(extreme_lanes, [](RawStruct& raw, std::uint16_t value) { raw.tensor().dtype.lanes = value; });
  field(std::vector<std::int32_t>{-1, 0, 1, 64, 65, INT32_MAX},
        [](RawStruct& raw, std::int32_t value) { raw.tensor().ndim = value; });
  field(std::vector<int>{0}, [](RawStruct& raw, int) { raw.tensor().shape = nullptr; });
  field(std::vector<int>{0}, [](RawStruct& raw, int) { raw.tensor().strides = nullptr; });
  field(extreme_extents, [](RawStruct& raw, std::int64_t value) { raw.shape[0] = value; });
  field(extreme_extents, [](RawStruct& raw, std::int64_t value) { raw.shape[1] = value; });
  field(extreme_strides, [](RawStruct& raw, std::int64_t value) { raw.strides[0] = value; });
  field(extreme_strides, [](RawStruct& raw, std::int64_t value) { raw.strides[1] = value; });
  return all;
}

TEST(ValidateFields, AgreeOnEveryThreeExtremes) {
  Sweep sweep;
  RawStruct raw;
  const auto all = changes();
  for (std::size_t i = 0; i < all.size(); ++i) {
    for (std::size_t j = i + 1; j < all.size(); ++j) {
      for (std::size_t k = j + 1; k < all.size(); ++k) {
        for (const Change& first : all[i]) {
          for (const Change& second : all[j]) {
            for (const Change& third : all[k]) {
              raw.reset();
              first(raw);
              second(raw);
              third(raw);
              sweep.compare(raw.exported());
            }
          }
        }
      }
    }
  }
  sweep.expect_both_kinds(1000);
}

}  // namespace
}  // namespace dlspec::optimized::testing
