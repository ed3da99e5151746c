// dlspec run: judges producers and consumers by rule.
#include <cstdio>

#include <dlspec/conformance/report/console.h>
#include <dlspec/conformance/report/document.h>
#include <dlspec/conformance/report/smoke.h>
#include <dlspec/conformance/reproducers/folder.h>
#include <dlspec/conformance/verdict/status.h>
#include <dlspec/conformance/verdict/whole.h>
#include <dlspec/conformance/worker/supervisor/interrupt.h>

#include "accepted.h"
#include "chosen.h"
#include "in_process.h"
#include "outputs.h"
#include "program.h"
#include "reproducers.h"
#include "results.h"
#include "running.h"
#include "terminal.h"
#include "words.h"

namespace dlspec::command {

namespace {

using namespace dlspec::conformance;

std::vector<Outcome> launch_all(const Choice& choice, const RunOptions& options, const Resources& resources) {
  const EnvironmentOptions environments = environment_options(options);
  const std::vector<std::string> wrapper = split_words(options.wrapper).value_or(std::vector<std::string>{});
  std::vector<Outcome> outcomes;
  for (const Chosen& chosen : choice.subjects) {
    if (interrupt_signal() != 0) break;
    Launch launch = launch_subject(chosen.subject, choice.interpreter, resources, environments, options.seed);
    std::vector<std::string>& words = launch.command.arguments;
    words.insert(words.begin(), wrapper.begin(), wrapper.end());
    outcomes.push_back({&chosen, std::move(launch), {}});
  }
  return outcomes;
}

void judge_all(std::vector<Outcome>& outcomes, const RunOptions& options) {
  std::vector<Task> tasks;
  std::vector<Outcome*> asked;
  for (Outcome& outcome : outcomes) {
    if (!outcome.launch.error.empty()) {
      outcome.result = not_launched(*outcome.chosen, outcome.launch);
      continue;
    }
    tasks.push_back({outcome.chosen->subject.text, outcome.launch.command, outcome.launch.start, outcome.chosen->cases,
                     known_cases(outcome.chosen->subject.kind)});
    asked.push_back(&outcome);
  }
  std::vector<TaskResult> results = run_shown(tasks, options);
  for (std::size_t i = 0; i < results.size(); ++i) asked[i]->result = std::move(results[i]);
}

// What counts for the exit status, and what is only said.
struct Gathered {
  std::vector<std::string> faults;
  std::vector<std::string> named;
};

Gathered gather(std::vector<Outcome>& outcomes, const RunOptions& options) {
  Gathered gathered;
  for (Outcome& outcome : outcomes) {
    const TaskResult& result = outcome.result;
    if (!outcome.chosen->named && !result.ready) {
      for (const std::string& fault : result.faults) complain("skipped: " + fault);
      skip(outcome);
      continue;
    }
    gathered.faults.insert(gathered.faults.end(), result.faults.begin(), result.faults.end());
    const std::string gap = why_not_whole(outcome.chosen->cases, result.records);
    if (!gap.empty()) gathered.faults.push_back("internal error: " + outcome.chosen->subject.text + ": " + gap);
    const bool nothing_planned = outcome.chosen->cases.empty() && options.sharded;
    if (!nothing_planned && result.ready) gathered.named.push_back(outcome.chosen->subject.text);
    if (options.quiet) continue;
    for (const std::string& note : result.notes) complain("note: " + note);
  }
  return gathered;
}

// The words of a subject that did not start, as far as they help: the end of a traceback or of a log.
std::string details(const std::vector<Outcome>& outcomes) {
  constexpr std::size_t most = 2000;
  std::string text;
  for (const Outcome& outcome : outcomes) {
    const std::string& detail = outcome.result.detail;
    if (detail.empty()) continue;
    text += outcome.chosen->subject.text + " said:\n" +
            clean_text(detail.size() > most ? detail.substr(detail.size() - most) : detail);
    if (!text.ends_with('\n')) text += '\n';
  }
  return text;
}

std::string smoke_texts(const std::vector<Outcome>& outcomes, const Document& document) {
  std::string text;
  for (std::size_t i = 0; i < outcomes.size(); ++i) {
    const TaskResult& result = outcomes[i].result;
    const std::vector<std::string> provides = result.ready ? result.ready->provides : std::vector<std::string>{};
    text += "\n" + smoke_text(document, document.subjects[i], provides, result.faults);
  }
  return text;
}

// Writes them where they are asked for; a sentence when they cannot be.
std::string write_reproducers(const Document& document, const std::vector<Outcome>& outcomes,
                              const RunOptions& options) {
  if (options.reproducers.empty()) return "";
  Emitted emitted = emit_reproducers(document, outcomes, options, find_resources());
  if (emitted.error.empty() && !options.quiet && !print(emitted.summary)) return "standard output cannot be written";
  return emitted.error;
}

int finish(std::vector<Outcome>& outcomes, const RunOptions& options, const Accepted& accepted,
           const std::string& invoked_as) {
  Gathered gathered = gather(outcomes, options);
  Document document = make_document(outcomes, options, invoked_as);
  const std::vector<std::string> misfits = apply_accepted(accepted, document);
  if (!options.quiet && !print(console_report(document, {use_color(options.color)}))) {
    gathered.faults.emplace_back("standard output cannot be written");
  }
  for (std::string& wrong : write_reports(document, options.reports)) gathered.faults.push_back(std::move(wrong));
  if (options.smoke && !options.quiet) print(smoke_texts(outcomes, document));
  std::string wrong = write_reproducers(document, outcomes, options);
  if (!wrong.empty()) gathered.faults.push_back(std::move(wrong));
  std::fputs(details(outcomes).c_str(), stderr);
  const Conclusion conclusion = conclude({document.results, gathered.faults, gathered.named, options.strict, misfits});
  for (const std::string& reason : conclusion.reasons) complain(reason);
  return conclusion.status;
}

}  // namespace

int run(const RunOptions& options, const std::string& invoked_as) {
  const Resources resources = find_resources();
  const Choice choice = choose(options, resources);
  if (!choice.wrong_usage.empty()) {
    complain(choice.wrong_usage);
    return exit_usage;
  }
  if (options.in_process) {
    const std::string why = why_not_one_case(options, choice);
    if (why.empty()) return run_in_process(options, choice, resources, environment_options(options), invoked_as);
    complain(why);
    return exit_usage;
  }
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
  std::vector<Outcome> outcomes = launch_all(choice, options, resources);
  if (interrupt_signal() == 0) judge_all(outcomes, options);
  if (interrupt_signal() != 0) {
    complain("interrupted; nothing was written");
    return exit_unjudged;  // the caller makes 130 of it
  }
  return finish(outcomes, options, accepted, invoked_as);
}

}  // namespace dlspec::command
