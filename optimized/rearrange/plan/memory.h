// Address checks of every execution. Inline, because a small copy takes no longer than a few calls.
#pragma once

#include <cstdint>

#include <dlspec/optimized/rearrange/plan/geometry.h>

namespace dlspec::optimized {

// Addresses of the first and the last byte of an operand.
struct Addresses {
  std::uintptr_t first;
  std::uintptr_t last;
};

// The addresses of a byte range relative to `start`; false if they leave the address space. The range is not empty and
// contains 0.
[[nodiscard]] inline bool address_span(std::uintptr_t start, const ByteRange& range, Addresses& all) noexcept {
  const auto before = static_cast<std::uintptr_t>(range.begin), end = static_cast<std::uintptr_t>(range.end);
  // A range that begins below address 0 wraps to the top of the address space, so its end overflows.
  all.first = start + before;
  return !__builtin_add_overflow(all.first, end - before - 1, &all.last);
}

// `destination` and `source` are the addresses of elements (0, ..., 0). normalise() returned ok and there are elements.
//   null_pointer      an address is NULL
//   size_overflow     the elements leave the address space
[[nodiscard]] inline Status check_memory(const Geometry& geometry, std::uintptr_t destination, std::uintptr_t source,
                                         Addresses& to, Addresses& from) noexcept {
  if (destination == 0) return Status::null_pointer;
  if (!address_span(destination, geometry.to_range, to)) return Status::size_overflow;
  if (source == 0) return Status::null_pointer;
  return address_span(source, geometry.from_range, from) ? Status::ok : Status::size_overflow;
}

// True if the address ranges do not intersect.
[[nodiscard]] inline bool are_apart(const Addresses& to, const Addresses& from) noexcept {
  return to.last < from.first || from.last < to.first;
}

}  // namespace dlspec::optimized
