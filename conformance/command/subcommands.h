// The subcommands of the command line, one function each, and the options that several of them share. Internal to
// command/.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include <CLI/CLI.hpp>

#include "options.h"

namespace dlspec::command {

inline constexpr const char* baseline_help = "Deviations that are accepted: a file, or those that dlspec ships";

// A subcommand of `parent` with the texts that commands.def has for it. `name` must be in that table.
CLI::App& add_command(CLI::App& parent, std::string_view name);

// Each adds a subcommand whose values are parsed into `options`, which must outlive the parsing.
void add_run(CLI::App& app, RunOptions& options);
void add_matrix(CLI::App& app, MatrixOptions& options);
void add_inspect(CLI::App& app, InspectOptions& options);
void add_rules(CLI::App& app, RulesOptions& options);
void add_selftest(CLI::App& app, SelftestOptions& options);
void add_fuzz(CLI::App& app, FuzzOptions& options);
void add_header(CLI::App& app, HeaderOptions& options);
void add_report(CLI::App& app, ReportOptions& options);
void add_baseline(CLI::App& app, BaselineOptions& options);
void add_init(CLI::App& app, InitOptions& options);

// A number from `least` to `most`. Nothing else is one: "nan" is not between them.
[[nodiscard]] CLI::Validator number_between(double least, double most);
// What names a file or folder has a character at least.
[[nodiscard]] CLI::Validator not_empty(const char* what);
inline constexpr double least_timeout = 0.1;       // seconds; dlspec's own cases take some milliseconds
inline constexpr std::uint64_t least_memory = 64;  // MiB; a worker takes some 20 before it loads a library

void add_color(CLI::App& app, Color& color);
// -v and --quiet.
void add_volume(CLI::App& app, bool& verbose, bool& quiet);
void add_jobs(CLI::App& app, unsigned& jobs);
// --python. The default is the interpreter of the active environment.
void add_python(CLI::App& app, std::string& python, const char* help = "The interpreter (of the active environment)");
// --python, --jobs and --timeout, with this help.
void add_workers(CLI::App& app, RunOptions& options, const char* timeout_help);
// --memory, --offline, --refresh and --yes.
void add_environments(CLI::App& app, RunOptions& options);
void add_shard(CLI::App& app, RunOptions& options, const char* help);
// An option with a GLOB, any number of times. `globs` becomes what matches_globs takes.
void add_globs(CLI::App& app, const std::string& option, std::string& globs, const char* what);
// One option per format, named after it, with the path of the file.
void add_reports(CLI::App& app, conformance::Reports& reports);

// An option whose value is one of the keys of `table`.
template <class Value>
void add_choice(CLI::App& app, const char* name, Value& target, const std::map<std::string, Value>& table,
                const char* type, const char* what) {
  std::vector<std::string> names;
  for (const auto& entry : table) names.push_back(entry.first);
  app.add_option_function<std::string>(
         name, [&target, table](const std::string& text) { target = table.at(text); }, what)
      ->check(CLI::IsMember(names))
      ->type_name(type);
}

}  // namespace dlspec::command
