// What a dlpack.h is to one compiler: the sizes, offsets and values of what it declares.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace dlspec::conformance {

struct Place {
  std::uint64_t offset = 0;  // bytes
  std::uint64_t size = 0;    // bytes
};

struct MeasuredStruct {
  std::uint64_t size = 0;       // bytes
  std::uint64_t alignment = 0;  // bytes
  std::map<std::string, Place> members;
};

// What DLTensor.shape and DLTensor.strides point to.
struct MeasuredElements {
  std::uint64_t size = 0;  // bytes
  bool is_signed = false;
};

struct Measured {
  std::map<std::string, MeasuredStruct> structs;
  std::map<std::string, std::int64_t> enumerators;
  std::map<std::string, std::uint64_t> macros;
  std::map<std::string, MeasuredElements> elements;  // "shape", "strides"
};

// Reads what the program of probe.h wrote: `struct NAME SIZE ALIGNMENT`, `member STRUCT NAME OFFSET SIZE`,
// `enumerator NAME VALUE`, `macro NAME VALUE`, `elements NAME SIZE SIGNED`, a line each. Nothing for any other text.
[[nodiscard]] std::optional<Measured> read_measured(std::string_view text);

}  // namespace dlspec::conformance
