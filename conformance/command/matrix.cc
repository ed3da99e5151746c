// dlspec matrix: exchanges arrays between libraries, each pair in a worker of its own.
#include <algorithm>

#include <dlspec/conformance/plan/exchanges.h>
#include <dlspec/conformance/report/console.h>
#include <dlspec/conformance/subject/pairs.h>
#include <dlspec/conformance/verdict/verdict.h>
#include <dlspec/conformance/verdict/whole.h>
#include <dlspec/conformance/worker/supervisor/interrupt.h>

#include "outputs.h"
#include "program.h"
#include "results.h"
#include "running.h"
#include "terminal.h"

namespace dlspec::command {

namespace {

using namespace dlspec::conformance;

// Everything that wrong usage can be found in.
struct Asked {
  std::vector<Subject> subjects;
  std::vector<Case> cases;
  InterpreterChoice interpreter;
  std::string wrong_usage;
};

Asked ask(const RunOptions& options, const Resources& resources) {
  Asked asked;
  const Adapters adapters = find_adapters(resources.adapters());
  for (const std::string& text : options.subjects) {
    ParsedSubject parsed = parse_subject(text, adapters);
    if (!parsed.subject) {
      asked.wrong_usage = parsed.error;
    } else if (parsed.subject->kind == SubjectKind::plugin) {
      asked.wrong_usage = "'" + text + "' is a plug-in: it has no Python arrays to exchange; give an adapter (.py)";
    }
    if (!asked.wrong_usage.empty()) return asked;
    const bool again = std::any_of(asked.subjects.begin(), asked.subjects.end(),
                                   [&](const Subject& each) { return each.text == text; });
    if (!again) asked.subjects.push_back(std::move(*parsed.subject));
  }
  asked.cases = make_exchange_plan(options.cases, options.seed);
  if (asked.cases.empty()) asked.wrong_usage = "the selection is empty: no exchange is called '" + options.cases + "'";
  if (asked.wrong_usage.empty()) asked.interpreter = choose_interpreter(options.python);
  return asked;
}

// A pair with what became of it.
struct Exchanged {
  const Subject* producer = nullptr;
  const Subject* consumer = nullptr;
  Launch launch;
  TaskResult result;

  [[nodiscard]] std::string name() const { return producer->text + (is_alone() ? "" : " to " + consumer->text); }
  [[nodiscard]] bool is_alone() const { return producer == consumer; }
};

// All planned records, for the reason why nobody was asked.
TaskResult apart(const std::vector<Case>& cases, const std::string& why) {
  TaskResult result;
  for (const Case& work : cases) {
    Judged judged = judge("", work, {Answer::Kind::blocked, {}, why});
    for (Record& record : judged.records) result.records.push_back(std::move(record));
  }
  result.faults.push_back(why);
  return result;
}

std::vector<Exchanged> exchange_all(const Asked& asked, PairLaunches& launches, const RunOptions& options) {
  std::vector<Exchanged> all;
  for (PairLaunch& pair : launches.pairs)
    all.push_back({&asked.subjects[pair.producer], &asked.subjects[pair.consumer], std::move(pair.launch), {}});
  std::vector<Task> tasks;
  std::vector<Exchanged*> running;
  for (Exchanged& pair : all) {
    if (!pair.launch.error.empty()) {
      pair.result = apart(asked.cases, pair.launch.error);
      continue;
    }
    tasks.push_back({pair.name(), pair.launch.command, pair.launch.start, asked.cases, {}});
    running.push_back(&pair);
  }
  std::vector<TaskResult> results = run_shown(tasks, options);
  for (std::size_t i = 0; i < results.size(); ++i) running[i]->result = std::move(results[i]);
  return all;
}

std::string repeating(const Exchanged& pair, const std::string& case_id) {
  const std::string other = pair.is_alone() ? "" : " " + shell_quoted(pair.consumer->text);
  return "dlspec matrix " + shell_quoted(pair.producer->text) + other + " --case " + shell_quoted(case_id);
}

void add_records(Document& document, const Exchanged& pair, const RunOptions& options, const std::string& invoked_as) {
  for (Record record : pair.result.records) {
    record.subject.clear();
    record.producer = pair.producer->text;
    record.consumer = pair.consumer->text;
    if (!record.reproduce.empty()) record.reproduce = repeating(pair, record.case_id);
    adapt_command(record, options, invoked_as);
    document.results.push_back(std::move(record));
  }
}

// What any of its pairs said of the subject, itself first.
const std::optional<Ready>& introduced(const std::vector<Exchanged>& all, const Subject& subject) {
  const auto knows = [&](const Exchanged& pair) { return pair.producer == &subject && pair.result.ready; };
  auto found =
      std::find_if(all.begin(), all.end(), [&](const Exchanged& pair) { return knows(pair) && pair.is_alone(); });
  if (found == all.end()) found = std::find_if(all.begin(), all.end(), knows);
  static const std::optional<Ready> nothing;
  return found == all.end() ? nothing : found->result.ready;
}

Document document_of(const Asked& asked, const std::vector<Exchanged>& all,
                     const std::vector<std::string>& requirements, const RunOptions& options,
                     const std::string& invoked_as) {
  Document document = empty_document(options);
  for (std::size_t i = 0; i < asked.subjects.size(); ++i) {
    SubjectInfo info = subject_info(asked.subjects[i], requirements[i], introduced(all, asked.subjects[i]));
    if (info.kind == SubjectKind::builtin && !info.name.empty()) info.version = DLSPEC_VERSION;
    document.subjects.push_back(std::move(info));
  }
  for (const Exchanged& pair : all) add_records(document, pair, options, invoked_as);
  return document;
}

// A subject that does not start with itself cannot be judged. Two that do and do not come together are a result: the
// cell says why. What an adapter contradicts is a fault wherever it is seen.
std::vector<std::string> faults_of(const Asked& asked, const std::vector<Exchanged>& all) {
  std::vector<std::string> faults;
  for (const Exchanged& pair : all) {
    const bool started = pair.launch.error.empty() && pair.result.ready;
    if (!pair.is_alone() && !started) continue;
    for (const std::string& fault : pair.result.faults) {
      const std::string sentence = pair.launch.error.empty() ? fault : pair.producer->text + ": " + fault;
      if (std::find(faults.begin(), faults.end(), sentence) == faults.end()) faults.push_back(sentence);
    }
    const std::string gap = why_not_whole(asked.cases, pair.result.records);
    if (!gap.empty()) faults.push_back("internal error: " + pair.name() + ": " + gap);
  }
  return faults;
}

int finish(const Document& document, std::vector<std::string> faults, const RunOptions& options) {
  if (!options.quiet && !print(console_report(document, {use_color(options.color)}))) {
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

int matrix(const MatrixOptions& given, const std::string& invoked_as) {
  const RunOptions& options = given.run;
  const Resources resources = find_resources();
  const Asked asked = ask(options, resources);
  if (!asked.wrong_usage.empty()) {
    complain(asked.wrong_usage);
    return exit_usage;
  }
  const std::string unwritable = check_writable(options.reports);
  if (!unwritable.empty()) {
    complain(unwritable);
    return exit_unjudged;
  }
  PairLaunches launches =
      launch_pairs(asked.subjects, asked.interpreter, resources, environment_options(options), options.seed);
  std::vector<Exchanged> all;
  if (interrupt_signal() == 0) all = exchange_all(asked, launches, options);
  if (interrupt_signal() != 0) {
    complain("interrupted; nothing was written");
    return exit_unjudged;  // the caller makes 130 of it
  }
  const Document document = document_of(asked, all, launches.requirements, options, invoked_as);
  return finish(document, faults_of(asked, all), options);
}

}  // namespace dlspec::command
