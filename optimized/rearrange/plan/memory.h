// The questions that every execution asks of the addresses that it is given. Short, and in a header, because a small
// copy takes no longer than a few calls.
#pragma once

#include <cstdint>

#include <dlspec/optimized/rearrange/plan/geometry.h>

namespace dlspec::optimized {

// Addresses of the first and of the last byte that a side reaches.
struct Addresses {
  std::uintptr_t first;
  std::uintptr_t last;
};

// Those of a range that is counted from `start`; false when it leaves the address space. The range is not empty, and
// has 0 in it.
[[nodiscard]] inline bool addresses_of(std::uintptr_t start, const ByteRange& range, Addresses& all) noexcept {
  const auto before = static_cast<std::uintptr_t>(range.begin), end = static_cast<std::uintptr_t>(range.end);
  // What begins before the address space wraps to its end, from where more bytes than are left there lead out of it.
  all.first = start + before;
  return !__builtin_add_overflow(all.first, end - before - 1, &all.last);
}

// Where the elements (0, ..., 0) lie. The geometry is that of an answer ok with elements.
//   null_pointer      one of them is NULL
//   size_overflow     the elements leave the address space
[[nodiscard]] inline Status check_memory(const Geometry& geometry, std::uintptr_t destination, std::uintptr_t source,
                                         Addresses& to, Addresses& from) noexcept {
  if (destination == 0) return Status::null_pointer;
  if (!addresses_of(destination, geometry.to_range, to)) return Status::size_overflow;
  if (source == 0) return Status::null_pointer;
  return addresses_of(source, geometry.from_range, from) ? Status::ok : Status::size_overflow;
}

// Are all bytes of one side before all of the other's?
[[nodiscard]] inline bool are_apart(const Addresses& to, const Addresses& from) noexcept {
  return to.last < from.first || from.last < to.first;
}

}  // namespace dlspec::optimized
