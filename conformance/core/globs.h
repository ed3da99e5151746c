// Lists of patterns, as the option --rules takes them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace dlspec::conformance {

// Whether the text matches a list of patterns (glob_match) with blanks between them: one of them at least, unless all
// begin with "!", and none of these without their "!". "tensor.* !tensor.data-*": the group without some.
[[nodiscard]] bool matches_globs(std::string_view globs, std::string_view text);

// The patterns of the list, without their "!".
[[nodiscard]] std::vector<std::string> patterns_of(std::string_view globs);

}  // namespace dlspec::conformance
