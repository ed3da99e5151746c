// Files that are asked for on the command line.
#pragma once

#include <string>

namespace dlspec::command {

// A sentence when a file cannot be created or replaced at this path, found out before the work that
// would be lost; else "". An empty path is fine.
[[nodiscard]] std::string check_writable(const std::string& path);

}  // namespace dlspec::command
