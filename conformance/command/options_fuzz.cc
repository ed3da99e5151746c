// Options of dlspec fuzz.
#include "subcommands.h"

namespace dlspec::command {

void add_fuzz(CLI::App& app, FuzzOptions& options) {
  CLI::App& fuzz = add_command(app, "fuzz");
  RunOptions& run = options.run;
  fuzz.add_option_function<std::string>(
          "SUBJECT", [&run](const std::string& text) { run.subjects = {text}; }, "What to judge")
      ->required()
      ->type_name("");
  fuzz.add_option("--minutes", options.settings.minutes, "Stop after N minutes (default: when interrupted)")
      ->check(number_between(0.001, 1e6))
      ->type_name("N");
  fuzz.add_flag("--first", options.settings.first, "Stop at the first finding");
  fuzz.add_option("--sequence", options.settings.sequence, "This sequence only, as in a finding's repeat line")
      ->type_name("STEPS");
  fuzz.add_option("--seed", run.seed, "Seed of the sequences (0)")
      ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{INT64_MAX}))
      ->type_name("N");
  fuzz.add_option("--python", run.python, "The interpreter for Python subjects (of the active environment)")
      ->check(not_empty("interpreter"))
      ->type_name("PATH");
  add_jobs(fuzz, run.jobs);
  fuzz.add_option("--timeout", run.timeout, "Seconds for one batch of sequences (10)")
      ->check(number_between(least_timeout, 1e6))
      ->type_name("S");
  fuzz.add_option("--memory", run.memory, "MiB of memory that a worker may hold (4096)")
      ->check(CLI::Range(least_memory, std::uint64_t{1} << 24))
      ->type_name("MIB");
  fuzz.add_flag("--offline", run.offline, "Only environments that are in the cache");
  fuzz.add_flag("--refresh", run.refresh, "Look up @latest in the package index even if it was looked up today");
  fuzz.add_flag("--yes", run.yes, "No question before a large download");
  add_reports(fuzz, run.reports);
  fuzz.add_option("--emit-reproducer", run.reproducers, "Write a script of its own for each finding")
      ->check(not_empty("folder"))
      ->type_name("DIR");
  fuzz.add_flag("--quiet", run.quiet, "Print errors only");
  add_color(fuzz, run.color);
}

}  // namespace dlspec::command
