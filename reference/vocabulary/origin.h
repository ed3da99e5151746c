// What an exported tensor is known to be, from outside the struct: the array that was asked for, the
// memory that it was given. Lets validation judge whether the struct tells the truth. Plain data;
// every part may be left out.
#pragma once

#include <cstdint>

#include <dlspec/vocabulary/layout.h>

namespace dlspec {

enum class Known : std::uint8_t { unknown, no, yes };

struct Origin {
  // dtype and shape of the source array; strides too where the exporter was told which ones to use
  // (a layout without strides says nothing about them). byte_offset is not looked at. May be NULL.
  const Layout* layout = nullptr;
  Known read_only = Known::unknown;  // the source array may not be written
  Known copied = Known::unknown;     // yes: the export is a copy; no: it shares the source's memory
  bool padded = false;               // sub-byte elements lie one to a byte
  // The memory that the export keeps alive, first byte and one past the last; both 0: not known.
  std::uintptr_t allocation_begin = 0;
  std::uintptr_t allocation_end = 0;
};

}  // namespace dlspec
