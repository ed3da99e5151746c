// Whole files: read at once, written atomically.
#pragma once

#include <string>
#include <string_view>

namespace dlspec::conformance {

struct FileContents {
  std::string text;
  std::string error;  // why it cannot be read, as strerror() says it; "" when it was read
};
[[nodiscard]] FileContents read_file(const std::string& path);

// Writes to a temporary file in the same folder and renames it, so that the old file stays intact on failure. Writes in
// place to devices, pipes and terminals. Returns "" on success, else a sentence with path and reason.
[[nodiscard]] std::string write_file(const std::string& path, std::string_view contents);

}  // namespace dlspec::conformance
