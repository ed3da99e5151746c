// Options of dlspec report and dlspec baseline.
#include "subcommands.h"

namespace dlspec::command {

void add_report(CLI::App& app, ReportOptions& options) {
  CLI::App& report = add_command(app, "report");
  report.add_option("RESULT", options.files, "Result documents")->required()->type_name("");
  report.add_option("--baseline", options.baseline, baseline_help)->check(not_empty("file"))->type_name("FILE|shipped");
  add_reports(report, options.reports);
  report.add_flag("--strict", options.strict, "Warnings count as failures");
  add_volume(report, options.verbose, options.quiet);
  add_color(report, options.color);
}

void add_baseline(CLI::App& app, BaselineOptions& options) {
  CLI::App& baseline = add_command(app, "baseline");
  baseline.require_subcommand(1);
  CLI::App& update = add_command(baseline, "update");
  update.add_option("FILE", options.file, "The baseline")->required()->check(not_empty("file"))->type_name("");
  update.add_option("RESULT", options.results, "Result documents, of several versions if you like")
      ->required()
      ->type_name("");
  update.add_flag("--quiet", options.quiet, "Print errors only");
}

}  // namespace dlspec::command
