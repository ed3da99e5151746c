// Changes strings field by field: for libFuzzer's custom mutators. A changed rank asks for other fields than before,
// and all that both need keep their values; with changed bytes alone every later field would get another meaning.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

#include <dlspec/reference/testing/field_reader.h>

namespace dlspec::testing {

// Decodes a string and tells the listener its fields.
using DecodeFields = void (*)(std::span<const std::uint8_t> bytes, FieldListener& listener);

// Writes to `out` the string with one to four fields changed: to anything, to the value of another field of its kind,
// by one, or to 0. Returns its length, at most out.size(). The same arguments give the same string.
[[nodiscard]] std::size_t mutate_fields(DecodeFields decode, std::span<const std::uint8_t> bytes,
                                        std::span<std::uint8_t> out, std::uint32_t seed);

// Each field from one of two strings.
[[nodiscard]] std::size_t cross_fields(DecodeFields decode, std::span<const std::uint8_t> first,
                                       std::span<const std::uint8_t> second, std::span<std::uint8_t> out,
                                       std::uint32_t seed);

}  // namespace dlspec::testing
