// The report files that the command line names.
#pragma once

#include <string>
#include <vector>

#include <dlspec/conformance/core/document.h>

#include <dlspec/conformance/judging/options.h>

namespace dlspec::conformance {

// An error sentence when no file can be created or replaced at this path; else "". Called before a run, so that no work
// is lost. Accepts an empty path.
[[nodiscard]] std::string check_writable(const std::string& path);
// The first error of all reports. Two reports with the same path are an error too.
[[nodiscard]] std::string check_writable(const Reports& reports);

// Writes each report atomically (write_file). Returns an error sentence for each report that was not written.
[[nodiscard]] std::vector<std::string> write_reports(const Document& document, const Reports& reports);

}  // namespace dlspec::conformance
