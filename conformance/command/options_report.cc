// Options of dlspec report and dlspec baseline.
#include "subcommands.h"

namespace dlspec::command {

namespace {

constexpr const char* report_about =
    "Merges result documents of `dlspec run --json` (shards of one plan, or different subjects), prints them and\n"
    "renders them in other formats.";
constexpr const char* report_examples =
    "Examples:\n  dlspec report shard-1.json shard-2.json --json whole.json --html whole.html";
constexpr const char* baseline_about = "Keeps the file of a library's known and accepted deviations.";
constexpr const char* update_about =
    "Writes the deviations of these results into FILE, which is created if it is missing. Reasons\n"
    "that it has already are kept.";
constexpr const char* baseline_examples =
    "Examples:\n"
    "  dlspec run mylib --json result.json; dlspec baseline update mylib.txt result.json\n"
    "  dlspec run mylib --baseline mylib.txt";

}  // namespace

void add_report(CLI::App& app, ReportOptions& options) {
  CLI::App& report = *app.add_subcommand("report", report_about);
  report.footer(report_examples);
  report.add_option("RESULT", options.files, "Result documents")->required()->type_name("");
  report.add_option("--baseline", options.baseline, baseline_help)->check(not_empty("file"))->type_name("FILE|shipped");
  add_reports(report, options.reports);
  report.add_flag("--strict", options.strict, "Warnings count as failures");
  add_volume(report, options.verbose, options.quiet);
  add_color(report, options.color);
}

void add_baseline(CLI::App& app, BaselineOptions& options) {
  CLI::App& baseline = *app.add_subcommand("baseline", baseline_about);
  baseline.footer(baseline_examples);
  baseline.require_subcommand(1);
  CLI::App& update = *baseline.add_subcommand("update", update_about);
  update.footer(baseline_examples);
  update.add_option("FILE", options.file, "The baseline")->required()->type_name("");
  update.add_option("RESULT", options.results, "Result documents, of several versions if you like")
      ->required()
      ->type_name("");
  update.add_flag("--quiet", options.quiet, "Print errors only");
}

}  // namespace dlspec::command
