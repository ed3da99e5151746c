// Parts of the text of a program in C. Internal to reproducers/.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dlspec::conformance {

// A string literal. Uses octal escapes, which unlike \x end after three digits.
[[nodiscard]] std::string c_quoted(const std::string& text);
// Initializer lists; C99 does not allow an empty one, which has a 0 instead.
[[nodiscard]] std::string c_list(const std::vector<std::int64_t>& numbers);
[[nodiscard]] std::string c_bytes(const std::string& bytes);
// "#define NAME VALUE" and a line break.
[[nodiscard]] std::string c_constant(std::string_view name, const std::string& value);

}  // namespace dlspec::conformance
