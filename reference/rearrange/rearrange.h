// Copies the elements of one tensor, bitwise, into another tensor of the same dtype and shape and of any layout: the
// reference implementation, one element after the other.
//
// Storage, as DLPack 1.1 defines it: element i of a compact tensor begins at bit i * bits * lanes, where bit k of a
// buffer is bit k % 8, counted from the least significant, of byte k / 8. Strides count elements, packed ones too. In a
// padded tensor each lane narrower than a byte has a byte of its own, with the value in the low bits.
#pragma once

#include <cstdint>

#include <dlspec/reference/descriptor/extent.h>
#include <dlspec/vocabulary/abi.h>
#include <dlspec/vocabulary/layout.h>
#include <dlspec/vocabulary/limits.h>
#include <dlspec/vocabulary/status.h>

namespace dlspec::reference {

// Where no proof decides whether operands overlap, up to this number of elements are visited.
inline constexpr std::size_t overlap_enumeration_limit = std::size_t{1} << 22;

// A tensor in memory that this process can read (Source) or write (Destination). Owns nothing.
template <class Data>
struct Operand {
  abi::DataType dtype;
  Axes axes;
  Data* data;
  std::uint64_t byte_offset = 0;
  bool padded = false;  // matters only for lanes narrower than a byte

  Operand(abi::DataType type, const Axes& all_axes, Data* start, std::uint64_t offset = 0,
          bool one_lane_per_byte = false)
      : dtype(type), axes(all_axes), data(start), byte_offset(offset), padded(one_lane_per_byte) {}
  Operand(const Layout& layout, Data* start, bool one_lane_per_byte = false)
      : Operand(layout.dtype, layout, start, layout.byte_offset, one_lane_per_byte) {}
};
using Source = Operand<const void>;
using Destination = Operand<void>;

// Writes every element of `source` to the same index of `destination`. The unused high bits of padded lanes become 0;
// no other bit of the destination's memory changes, not even in bytes that a packed element shares with its neighbours.
// A copy of a tensor onto itself does nothing. Does not throw; safe to call from several threads on different
// destinations.
//
// Writes nothing unless the status is ok. The first of these that holds is returned:
//   bad_rank             a rank is above max_rank
//   bad_extent           an extent is negative
//   bad_dtype            no bits, no lanes, or a width above 8 that is not a multiple of 8
//   dtype_mismatch, shape_mismatch
//   size_overflow        elements, or the bytes from the first to the last, exceed 2^63-1
//   null_pointer         data is NULL although there are elements
//   size_overflow        the elements leave the address space
//   destination_overlap  two indices of the destination share storage, or it is too large to decide
//   operands_overlap     source and destination share storage and are not the same view, or it is too large to decide
//   size_limit           memory for the loop state could not be allocated
[[nodiscard]] Status rearrange(const Destination& destination, const Source& source);

}  // namespace dlspec::reference
