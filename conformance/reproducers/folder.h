// The output folder of `--emit-reproducer`: a script for each failing rule, and a page that lists them.
#pragma once

#include <map>
#include <string>
#include <vector>

namespace dlspec::conformance {

// An error sentence when the folder cannot be created: it exists and is not empty, is a file, or its parent is not
// writable; else "".
[[nodiscard]] std::string check_new_folder(const std::string& path);

// Writes the files into the new folder, all or none. Returns "" on success, else a sentence with path and reason.
[[nodiscard]] std::string write_folder(const std::string& path, const std::map<std::string, std::string>& files);

}  // namespace dlspec::conformance
