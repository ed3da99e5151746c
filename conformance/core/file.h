// Atomic file output.
#pragma once

#include <string>
#include <string_view>

namespace dlspec::conformance {

// Writes to a temporary file in the same folder and renames it, so that the old file stays intact on failure. Writes in
// place to devices, pipes and terminals. Returns "" on success, else a sentence with path and reason.
[[nodiscard]] std::string write_file(const std::string& path, std::string_view contents);

}  // namespace dlspec::conformance
