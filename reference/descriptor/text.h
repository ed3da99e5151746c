// The one-line text form of a tensor: printed in every failure, and parsed back.
//
//   float32 (3,4):(8,-1)+7 @cpu v1.2 ro
//
// Grammar; tokens after the layout are separated by one space each:
//
//   text       = dtype " " layout " @" device " " version { " " flag } [ " data=null" ]
//   layout     = "(" numbers ")" [ ":(" numbers ")" ] [ "+" offset ]
//   numbers    = [ number { "," number } ]
//   offset     = digits | digits "b"
//   version    = "v" digits "." digits | "legacy" | "bare"
//   flag       = "ro" | "copied" | "padded" | "flags=0x" hexdigits
//
// - dtype and device are spelled as dtype_name and device_text spell them.
// - The first numbers are the extents: "()" for rank 0, "(3)", "(3,4)". The second are the strides
//   in elements, one per extent; they are omitted when the struct's strides are NULL.
// - The offset is byte_offset: in elements when it is a whole number of them, "+7"; else in bytes,
//   "+7b"; omitted when it is 0.
// - "v1.2" is a versioned struct, "legacy" one without a version, "bare" a DLTensor alone.
// - Only versioned structs have flags. Bits without a name follow the named ones, in one number
//   without leading zeros: "flags=0x8".
// - "data=null": the data pointer is NULL.
//
// A descriptor has one spelling, and no other is accepted. Numbers are decimal, without leading
// zeros or "+"; extents and strides fit in int64, the offset in bytes in uint64.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <variant>

#include <dlspec/vocabulary/layout.h>

namespace dlspec::reference {

// The inverse of parse_text for every descriptor with one stride per extent or none, and with the version and flags of
// a default Descriptor where its generation has neither: parse_text(print_text(d)) is then d.
[[nodiscard]] std::string print_text(const Descriptor& descriptor);

// Why a text is not a descriptor, and at which byte of it, counted from 0.
struct TextError {
  std::string message;  // "an extent is expected"
  std::size_t position;
};

// Either the descriptor or the first error from the left.
[[nodiscard]] std::variant<Descriptor, TextError> parse_text(std::string_view text);

}  // namespace dlspec::reference
