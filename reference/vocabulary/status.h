// What dlspec's own operations answer. Libraries never print, abort or throw for bad input: they
// return one of these.
#pragma once

namespace dlspec {

enum class Status : unsigned char {
  ok,
  null_pointer,           // a required pointer (struct, shape, data of a non-empty tensor) is NULL
  bad_rank,               // negative, or above what the operation takes
  bad_extent,             // negative
  size_overflow,          // an extent, stride or byte count leaves the 64-bit range
  bad_dtype,              // no bits, no lanes, or a width without defined storage
  unsupported_dtype,      // legal, but this engine cannot
  dtype_mismatch,         // two operands differ in dtype
  shape_mismatch,         // two operands differ in rank or extents
  destination_overlap,    // two indices of the destination share a byte
  operands_overlap,       // source and destination share bytes and are not the same view
  read_only_destination,  // the destination may not be written
  size_limit,             // more bytes than the caller allows, or than there is memory for
};

// A lower-case sentence part for messages, such as "an extent is negative". Static storage.
[[nodiscard]] const char* describe(Status status);

}  // namespace dlspec
