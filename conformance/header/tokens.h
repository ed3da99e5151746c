// Words and punctuation of preprocessed C. Internal to header/.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dlspec::conformance {

// Names, numbers and single characters of punctuation in their order. Text of system headers and all literals are left
// out; line markers say where a system header begins and ends.
[[nodiscard]] std::vector<std::string> tokens_of(std::string_view preprocessed);

[[nodiscard]] bool is_name(std::string_view token);

}  // namespace dlspec::conformance
