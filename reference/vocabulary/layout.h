// A tensor as plain data: the fields of a DLTensor, without its memory and without pointers.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include <dlspec/vocabulary/abi.h>
#include <dlspec/vocabulary/device.h>
#include <dlspec/vocabulary/exported.h>

namespace dlspec {

// Where the elements lie relative to the start of the memory.
struct Layout {
  abi::DataType dtype{2, 32, 1};
  std::vector<std::int64_t> shape;  // extents; empty for a scalar
  // In elements, one per axis. No value: strides is NULL, which means row-major and compact.
  std::optional<std::vector<std::int64_t>> strides;
  std::uint64_t byte_offset = 0;  // bytes from the start to element (0, ..., 0)

  friend bool operator==(const Layout&, const Layout&) = default;
};

// A layout with all other fields of the struct: the unit of the one-line text form
// (reference/descriptor/text.h).
struct Descriptor {
  Layout layout;
  abi::Device device{kDLCPU, 0};
  Generation generation = Generation::versioned;
  abi::Version version = abi::newest_version;  // meaningful for Generation::versioned only
  std::uint64_t flags = 0;                     // meaningful for Generation::versioned only
  bool null_data = false;

  friend bool operator==(const Descriptor&, const Descriptor&) = default;
};

}  // namespace dlspec
