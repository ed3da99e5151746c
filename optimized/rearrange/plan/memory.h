// The questions that every execution asks of the addresses that it is given. Short, and in a header, because a small
// copy takes no longer than a few calls.
#pragma once

#include <cstdint>

#include <dlspec/optimized/rearrange/plan/geometry.h>

namespace dlspec::optimized {

// Do the bytes of the range lie in the address space, if it is counted from `start`?
inline bool in_address_space(std::uintptr_t start, const ByteRange& range) noexcept {
  std::uintptr_t last;
  const auto before = std::uintptr_t{0} - static_cast<std::uintptr_t>(range.begin);
  // One past the last byte may be the end of the address space.
  return start >= before && !__builtin_add_overflow(start, static_cast<std::uintptr_t>(range.end) - 1, &last);
}

// Where the elements (0, ..., 0) lie. The geometry is that of an answer ok with elements.
//   null_pointer      one of them is NULL
//   size_overflow     the elements leave the address space
[[nodiscard]] inline Status check_memory(const Geometry& geometry, std::uintptr_t destination, std::uintptr_t source) noexcept {
  if (destination == 0) return Status::null_pointer;
  if (!in_address_space(destination, geometry.to_range)) return Status::size_overflow;
  if (source == 0) return Status::null_pointer;
  return in_address_space(source, geometry.from_range) ? Status::ok : Status::size_overflow;
}

// Are all bytes of one side before all of the other's? Memory is checked: nothing here wraps.
[[nodiscard]] inline bool are_apart(const Geometry& geometry, std::uintptr_t destination, std::uintptr_t source) noexcept {
  const auto place = [](std::uintptr_t start, std::int64_t offset) { return start + static_cast<std::uintptr_t>(offset); };
  return place(destination, geometry.to_range.end - 1) < place(source, geometry.from_range.begin) ||
         place(source, geometry.from_range.end - 1) < place(destination, geometry.to_range.begin);
}

}  // namespace dlspec::optimized
