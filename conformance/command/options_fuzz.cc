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
  add_shard(fuzz, run, "One of N parts, each of other sequences");
  add_workers(fuzz, run, "Seconds for one batch of sequences (10)");
  add_environments(fuzz, run);
  add_reports(fuzz, run.reports);
  fuzz.add_option("--emit-reproducer", run.reproducers, "Write a script of its own for each finding")
      ->check(not_empty("folder"))
      ->type_name("DIR");
  fuzz.add_flag("--quiet", run.quiet, "Print errors only");
  add_color(fuzz, run.color);
}

}  // namespace dlspec::command
