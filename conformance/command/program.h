// The subcommands. Each returns the exit status of the process.
#pragma once

#include <string>

#include "options.h"

namespace dlspec::command {

// How the command was invoked (argv[0]), so that what is printed can be pasted.
[[nodiscard]] int run(const RunOptions& options, const std::string& invoked_as);
[[nodiscard]] int matrix(const MatrixOptions& options, const std::string& invoked_as);
[[nodiscard]] int inspect(const InspectOptions& options);
[[nodiscard]] int rules(const RulesOptions& options);
[[nodiscard]] int selftest(const SelftestOptions& options);
[[nodiscard]] int report(const ReportOptions& options);
[[nodiscard]] int baseline(const BaselineOptions& options);

}  // namespace dlspec::command
