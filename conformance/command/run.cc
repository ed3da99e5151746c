// dlspec run: judges producers and consumers by rule.
#include <cstdio>

#include <dlspec/conformance/core/text.h>
#include <dlspec/conformance/judging/accepted.h>
#include <dlspec/conformance/judging/choice.h>
#include <dlspec/conformance/judging/emit.h>
#include <dlspec/conformance/judging/in_process.h>
#include <dlspec/conformance/judging/outputs.h>
#include <dlspec/conformance/judging/run_document.h>
#include <dlspec/conformance/judging/running.h>
#include <dlspec/conformance/judging/runs.h>
#include <dlspec/conformance/report/console.h>
#include <dlspec/conformance/report/smoke.h>
#include <dlspec/conformance/reproducers/folder.h>
#include <dlspec/conformance/verdict/status.h>
#include <dlspec/conformance/worker/supervisor/interrupt.h>

#include "program.h"
#include "terminal.h"

namespace dlspec::command {

namespace {

using namespace dlspec::conformance;

// The last lines of it, whole, if it is long.
std::string end_of(const std::string& text) {
  constexpr std::size_t most = 2000;
  if (text.size() <= most) return text;
  const std::size_t line = text.find('\n', text.size() - most - 1);
  return text.substr(line + 1 < text.size() ? line + 1 : text.size() - most);
}

// The end of the traceback or output of each subject that did not start.
std::string details(const std::vector<SubjectRun>& runs) {
  std::string text;
  for (const SubjectRun& each : runs) {
    const std::string& detail = each.result.detail;
    if (detail.empty()) continue;
    text += each.chosen->subject.text + " said:\n" + clean_text(end_of(detail));
    if (!text.ends_with('\n')) text += '\n';
  }
  return text;
}

std::string smoke_texts(const std::vector<SubjectRun>& runs, const Document& document) {
  std::string text;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    const TaskResult& result = runs[i].result;
    const std::vector<std::string> provides = result.ready ? result.ready->provides : std::vector<std::string>{};
    text += "\n" + smoke_text(document, document.subjects[i], provides, result.faults);
  }
  return text;
}

// Writes the reproducers if requested. Returns an error sentence, or "".
std::string write_reproducers(const Document& document, const std::vector<SubjectRun>& runs,
                              const RunOptions& options) {
  if (options.reproducers.empty()) return "";
  const Emitted emitted = emit_reproducers(document, runs, options, find_resources());
  if (emitted.error.empty() && !options.quiet && !print(emitted.summary)) return "standard output cannot be written";
  return emitted.error;
}

// Prints and writes all requested output. Appends errors to `faults`.
void write_all(const Document& document, const std::vector<SubjectRun>& runs, const RunOptions& options,
               std::vector<std::string>& faults) {
  if (!options.quiet && !print(console_report(document, console_options(options.color, options.verbose)))) {
    faults.emplace_back("standard output cannot be written");
  }
  for (std::string& wrong : write_reports(document, options.reports)) faults.push_back(std::move(wrong));
  if (options.smoke && !options.quiet) print(smoke_texts(runs, document));
  std::string wrong = write_reproducers(document, runs, options);
  if (!wrong.empty()) faults.push_back(std::move(wrong));
  std::fputs(details(runs).c_str(), stderr);
}

// Those of --role. A shard alone may have no case of a role.
std::vector<Role> named_roles(const RunOptions& options) {
  return options.sharded || options.roles == JudgingOptions{}.roles ? std::vector<Role>{} : options.roles;
}

int finish(std::vector<SubjectRun>& runs, const RunOptions& options, const Accepted& accepted,
           const Invocation& invocation, const Listener& listener) {
  RunSummary summary = summarize_runs(runs, options, listener);
  if (!options.quiet) {
    for (const std::string& note : summary.notes) complain("note: " + note);
  }
  Document document = make_document(runs, options, invocation);
  const std::vector<std::string> misfits = apply_accepted(accepted, document);
  write_all(document, runs, options, summary.faults);
  const Conclusion conclusion =
      conclude({document.results, summary.faults, summary.named, options.strict, misfits, named_roles(options)});
  for (const std::string& reason : conclusion.reasons) complain(reason);
  return conclusion.status;
}

int run_one_case(const RunOptions& options, const Choice& choice, const Resources& resources,
                 const Invocation& invocation, const Listener& listener) {
  const std::string why = in_process_error(options, choice);
  if (!why.empty()) return fail_with(exit_usage, why);
  const auto show = [&](const Document& document) {
    print(console_report(document, console_options(options.color, options.verbose)));
    std::fflush(stdout);
  };
  return run_in_process(options, choice, resources, invocation, listener, show);
}

}  // namespace

int run(const RunOptions& options, const Invocation& invocation) {
  Progress progress(options.quiet);
  const Listener listener = terminal_listener(progress, options.quiet, options.yes);
  const Resources resources = find_resources();
  const Choice choice = choose(options, resources);
  if (!choice.wrong_usage.empty()) return fail_with(exit_usage, choice.wrong_usage);
  if (options.in_process) return run_one_case(options, choice, resources, invocation, listener);
  const Accepted accepted = read_accepted(options.baseline, resources);
  const std::string no_folder = options.reproducers.empty() ? "" : check_new_folder(options.reproducers);
  for (const std::string& problem : {accepted.error, check_writable(options.reports), no_folder}) {
    if (problem.empty()) continue;
    complain(problem);
    return exit_unjudged;
  }
  if (!options.quiet) {
    for (const std::string& remark : choice.remarks) complain(remark);
  }
  std::vector<SubjectRun> runs = launch_all(choice, options, resources, listener);
  if (interrupt_signal() == 0) judge_all(runs, options, listener);
  if (interrupt_signal() != 0) {
    complain("interrupted; nothing was written");
    return exit_unjudged;  // main returns 128 + the signal instead
  }
  return finish(runs, options, accepted, invocation, listener);
}

}  // namespace dlspec::command
