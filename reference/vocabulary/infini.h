// The words of InfiniOP's C API: statuses, dtypes and devices. Typed access to infini_*.def.
#pragma once

#include <cstddef>
#include <cstdint>

#include <dlspec/vocabulary/abi.h>
#include <dlspec/vocabulary/dtype.h>
#include <dlspec/vocabulary/limits.h>

namespace dlspec {

enum class InfiniStatus : int {
#define DLSPEC_INFINI_STATUS(value, name, spelling, text) name = value,
#include <dlspec/vocabulary/infini_status.def>
#undef DLSPEC_INFINI_STATUS
};

struct InfiniStatusRow {
  InfiniStatus value;
  const char* spelling;
  const char* text;
};

inline constexpr InfiniStatusRow infini_status_table[] = {
#define DLSPEC_INFINI_STATUS(value, name, spelling, text) {InfiniStatus::name, #spelling, text},
#include <dlspec/vocabulary/infini_status.def>
#undef DLSPEC_INFINI_STATUS
};

// A lower-case sentence part for messages. Static storage.
[[nodiscard]] constexpr const char* describe(InfiniStatus status) {
  for (const InfiniStatusRow& row : infini_status_table) {
    if (row.value == status) return row.text;
  }
  return "unknown status";
}

// How a dtype of InfiniOP and one of DLPack stand for each other: see infini_dtype.def.
enum class InfiniBridge : std::uint8_t { exact, one_way, none };

struct InfiniDtypeRow {
  int number;  // 0: not assigned
  const char* name;
  std::uint8_t bytes;
  const char* notation;
  abi::DataType dlpack;
  InfiniBridge bridge;
};

// Indexed by number; row 0 is no dtype.
inline constexpr InfiniDtypeRow infini_dtype_table[] = {
    {0, "INVALID", 0, "", {0, 0, 0}, InfiniBridge::none},
#define DLSPEC_INFINI_DTYPE(number, name, bytes, notation, code, bits, bridge) \
  {number, #name, bytes, #notation, {code, bits, 1}, InfiniBridge::bridge},
#include <dlspec/vocabulary/infini_dtype.def>
#undef DLSPEC_INFINI_DTYPE
};
inline constexpr int infini_dtype_count = static_cast<int>(sizeof infini_dtype_table / sizeof *infini_dtype_table);

enum InfiniDtype : int {
#define DLSPEC_INFINI_DTYPE(number, name, bytes, notation, code, bits, bridge) infini_##name = number,
#include <dlspec/vocabulary/infini_dtype.def>
#undef DLSPEC_INFINI_DTYPE
};

// The row of a dtype number that a caller wrote, or NULL.
[[nodiscard]] constexpr const InfiniDtypeRow* find_infini_dtype(int number) {
  return number > 0 && number < infini_dtype_count ? &infini_dtype_table[number] : nullptr;
}

enum InfiniDevice : int {
#define DLSPEC_INFINI_DEVICE(number, name) infini_device_##name = number,
#include <dlspec/vocabulary/infini_device.def>
#undef DLSPEC_INFINI_DEVICE
  infini_device_count
};

// Axes of a descriptor, at most.
inline constexpr std::size_t infini_max_rank = max_rank;

}  // namespace dlspec
