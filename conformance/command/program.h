// The subcommands. Each returns the exit status of the process.
#pragma once

#include "options.h"

namespace dlspec::command {

[[nodiscard]] int run(const RunOptions& options, const conformance::Invocation& invocation);
[[nodiscard]] int matrix(const MatrixOptions& options, const conformance::Invocation& invocation);
[[nodiscard]] int inspect(const InspectOptions& options);
[[nodiscard]] int rules(const RulesOptions& options);
[[nodiscard]] int selftest(const SelftestOptions& options);
[[nodiscard]] int fuzz(const FuzzOptions& options, const conformance::Invocation& invocation);
[[nodiscard]] int header(const HeaderOptions& options);
[[nodiscard]] int report(const ReportOptions& options);
[[nodiscard]] int baseline(const BaselineOptions& options);
[[nodiscard]] int init(const InitOptions& options, const conformance::Invocation& invocation);

}  // namespace dlspec::command
