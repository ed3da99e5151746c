// Options that several subcommands share.
#include <dlspec/conformance/report/formats.h>

#include "subcommands.h"

namespace dlspec::command {

void add_color(CLI::App& app, Color& color) {
  add_choice<Color>(app, "--color", color,
                    {{"auto", Color::automatic}, {"always", Color::always}, {"never", Color::never}}, "WHEN",
                    "Colours: auto means on a terminal");
}

void add_jobs(CLI::App& app, unsigned& jobs) {
  app.add_option("--jobs", jobs, "Workers at a time (one for each processor, at most 4)")
      ->check(CLI::Range(1U, 1024U))
      ->type_name("N");
}

void add_reports(CLI::App& app, conformance::Reports& reports) {
  for (const conformance::ReportFormat& format : conformance::formats()) {
    app.add_option("--" + std::string(format.name), reports[format.name], format.what)->type_name("FILE");
  }
}

}  // namespace dlspec::command
