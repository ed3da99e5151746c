// Copies the elements of one tensor into another of the same dtype and shape, bit by bit unchanged,
// whatever the two layouts are: the plainest way, one element after the other.
//
// Storage, as DLPack 1.1 has it: element i of a compact tensor begins at bit i * bits * lanes, where
// bit k of a buffer is bit k % 8, counted from the least significant, of byte k / 8. Strides count
// elements, also packed ones. A padded tensor gives each lane narrower than a byte a byte of its
// own, with the value in the low bits.
#pragma once

#include <cstdint>

#include <dlspec/reference/descriptor/extent.h>
#include <dlspec/vocabulary/abi.h>
#include <dlspec/vocabulary/layout.h>
#include <dlspec/vocabulary/status.h>

namespace dlspec::reference {

// Ranks up to this are taken.
inline constexpr std::size_t highest_rank = 64;

// Up to this many elements are visited to find out whether operands overlap where no proof decides.
inline constexpr std::size_t overlap_enumeration_limit = std::size_t{1} << 22;

// A tensor in memory that this process can read (or write): nothing is owned.
template <class Data>
struct Operand {
  abi::DataType dtype;
  Axes axes;
  Data* data;
  std::uint64_t byte_offset = 0;
  bool padded = false;  // only lanes narrower than a byte are concerned

  Operand(abi::DataType type, const Axes& all_axes, Data* start, std::uint64_t offset = 0,
          bool one_lane_per_byte = false)
      : dtype(type), axes(all_axes), data(start), byte_offset(offset), padded(one_lane_per_byte) {}
  Operand(const Layout& layout, Data* start, bool one_lane_per_byte = false)
      : Operand(layout.dtype, layout, start, layout.byte_offset, one_lane_per_byte) {}
};
using Source = Operand<const void>;
using Destination = Operand<void>;

// Writes every element of `source` to the same index of `destination`; no other bit of the
// destination's memory changes, also not in bytes that a packed element shares with neighbours, but
// for the unused high bits of padded lanes, which become 0. A copy onto itself does nothing.
//
// Nothing is written unless the answer is ok. The first of these that holds is the answer:
//   bad_rank             a rank is above highest_rank
//   bad_extent           an extent is negative
//   bad_dtype            no bits, no lanes, or a width above 8 that is not a multiple of 8
//   dtype_mismatch, shape_mismatch
//   size_overflow        elements, or the bytes from the first to the last, exceed 2^63-1
//   null_pointer         data is NULL although there are elements
//   size_overflow        the elements leave the address space
//   destination_overlap  two indices of the destination share storage, or it is too large to tell
//   operands_overlap     source and destination share storage and are not the same view, or likewise
//   size_limit           there is no memory for the bookkeeping
[[nodiscard]] Status rearrange(const Destination& destination, const Source& source);

}  // namespace dlspec::reference
