// The bit formats of the dtypes of a plan.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace dlspec::conformance {

enum class Family : std::uint8_t { boolean, integer, floating };

// The bit format of an element. Vectors and complex numbers have several parts.
struct Encoding {
  std::string_view name;
  Family family;
  unsigned bits;               // of one part
  unsigned parts;              // of one element
  unsigned exponent_bits;      // floating only
  std::uint64_t top_exponent;  // largest exponent field with finite values only
};

// The named dtypes, in the order of the lists of contents.h.
[[nodiscard]] std::span<const Encoding> encodings();

// That of a dtype by its name: a row, or "float64x2": the row of one lane with as many times its parts. `name` has to
// live as long as what is given.
[[nodiscard]] std::optional<Encoding> find_encoding(std::string_view name);

}  // namespace dlspec::conformance
