// Files that are asked for on the command line.
#pragma once

#include <string>
#include <vector>

#include <dlspec/conformance/core/document.h>

#include <dlspec/conformance/judging/options.h>

namespace dlspec::conformance {

// A sentence when a file cannot be created or replaced at this path, found out before the work that
// would be lost; else "". An empty path is fine.
[[nodiscard]] std::string check_writable(const std::string& path);
// The same for all of them: the first complaint. Two reports into one file are one as well.
[[nodiscard]] std::string check_writable(const Reports& reports);

// Writes each report whole, or leaves what was there. A sentence for each that could not be written.
[[nodiscard]] std::vector<std::string> write_reports(const Document& document, const Reports& reports);

}  // namespace dlspec::conformance
