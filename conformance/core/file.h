// Files that the command writes.
#pragma once

#include <string>
#include <string_view>

namespace dlspec::conformance {

// Writes the file whole or leaves what was there: into a temporary beside it, then renamed. Empty on
// success, else a sentence with path and reason.
[[nodiscard]] std::string write_file(const std::string& path, std::string_view contents);

}  // namespace dlspec::conformance
