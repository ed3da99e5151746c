// How many columns a terminal gives to a character.
#pragma once

#include <cstddef>
#include <string_view>

namespace dlspec::conformance {

// Removes the first character of `text`, which is not empty, and returns its columns: 2 for ideographs and emoji, 0 for
// accents of their own and joiners. A byte that begins no character of UTF-8 is one of one column.
[[nodiscard]] std::size_t take_character(std::string_view& text);

}  // namespace dlspec::conformance
