// The statuses that dlspec's own operations return. No operation prints, aborts or throws for bad input.
#pragma once

namespace dlspec {

enum class Status : unsigned char {
  ok,
  null_pointer,           // a required pointer (struct, shape, data of a non-empty tensor) is NULL
  bad_rank,               // negative, or above the operation's maximum
  bad_extent,             // negative
  size_overflow,          // an extent, a stride or a byte count overflows 64 bits
  bad_dtype,              // no bits, no lanes, or a width whose storage is not defined
  unsupported_dtype,      // legal, but not supported by this engine
  dtype_mismatch,         // two operands differ in dtype
  shape_mismatch,         // two operands differ in rank or extents
  destination_overlap,    // two indices of the destination share a byte
  operands_overlap,       // source and destination share bytes and are not the same view
  read_only_destination,  // the destination may not be written
  size_limit,             // more bytes than the caller allows, or than memory could be allocated for
};

// A lower-case sentence part for messages, such as "an extent is negative". Static storage.
[[nodiscard]] const char* describe(Status status);

}  // namespace dlspec
