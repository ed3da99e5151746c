// What is known of an exported tensor besides its struct: the array that was asked for, and the memory that it was
// given. With it a validator can judge whether the struct is truthful. Plain data; every member may keep its default.
#pragma once

#include <cstdint>

#include <dlspec/vocabulary/layout.h>

namespace dlspec {

enum class Known : std::uint8_t { unknown, no, yes };

struct Origin {
  // dtype and shape of the source array, and its strides where the exporter was told which ones to use (a layout
  // without strides makes no statement about them). byte_offset is ignored. Not owned; may be NULL.
  const Layout* layout = nullptr;
  Known read_only = Known::unknown;  // the source array may not be written
  Known copied = Known::unknown;     // yes: the export is a copy; no: it shares the source's memory
  bool padded = false;               // each sub-byte element has a byte of its own
  // Addresses of the first byte and one past the last byte of the memory that the export keeps alive; both 0: unknown.
  std::uintptr_t allocation_begin = 0;
  std::uintptr_t allocation_end = 0;
};

}  // namespace dlspec
