// dlspec matrix: exchanges arrays between libraries; each pair has its own worker.
#include <dlspec/conformance/judging/exchange_runs.h>
#include <dlspec/conformance/judging/outputs.h>
#include <dlspec/conformance/judging/running.h>
#include <dlspec/conformance/report/console.h>
#include <dlspec/conformance/verdict/status.h>
#include <dlspec/conformance/worker/supervisor/interrupt.h>

#include "program.h"
#include "terminal.h"

namespace dlspec::command {

namespace {

using namespace dlspec::conformance;

int finish(const Document& document, std::vector<std::string> faults, const RunOptions& options) {
  if (!options.quiet && !print(console_report(document, console_options(options.color, options.verbose)))) {
    faults.emplace_back("standard output cannot be written");
  }
  for (std::string& wrong : write_reports(document, options.reports)) faults.push_back(std::move(wrong));
  std::vector<std::string> named;
  for (const SubjectInfo& subject : document.subjects) named.push_back(subject.subject);
  const Conclusion conclusion = conclude({document.results, faults, named, options.strict, {}});
  for (const std::string& reason : conclusion.reasons) complain(reason);
  return conclusion.status;
}

}  // namespace

int matrix(const MatrixOptions& given, const Invocation& invocation) {
  const RunOptions& options = given.run;
  Progress progress(options.quiet);
  const Listener listener = terminal_listener(progress, options.quiet, options.yes);
  const Resources resources = find_resources();
  const ExchangeChoice chosen = choose_exchanges(options, resources);
  if (!chosen.wrong_usage.empty()) return fail_with(exit_usage, chosen.wrong_usage);
  const std::string unwritable = check_writable(options.reports);
  if (!unwritable.empty()) return fail_with(exit_unjudged, unwritable);
  PairLaunches launches = launch_pairs(chosen.subjects, chosen.interpreter, resources,
                                       environment_options(options, listener), options.seed);
  std::vector<PairRun> runs;
  if (interrupt_signal() == 0) runs = run_pairs(chosen, launches, options, listener);
  if (interrupt_signal() != 0) {
    complain("interrupted; nothing was written");
    return exit_unjudged;  // main returns 128 + the signal instead
  }
  const Document document = exchange_document(chosen, runs, launches.requirements, options, invocation);
  return finish(document, exchange_faults(chosen, runs), options);
}

}  // namespace dlspec::command
