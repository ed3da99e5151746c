#include <dlspec/conformance/judging/exchange_runs.h>

#include <algorithm>

#include <dlspec/conformance/core/shell.h>
#include <dlspec/conformance/judging/run_document.h>
#include <dlspec/conformance/judging/running.h>
#include <dlspec/conformance/plan/exchanges.h>
#include <dlspec/conformance/verdict/verdict.h>
#include <dlspec/conformance/verdict/whole.h>

namespace dlspec::conformance {

namespace {

// The result of a pair that did not launch: all cases blocked for this reason.
TaskResult blocked_result(const std::vector<Case>& cases, const std::string& why) {
  TaskResult result;
  for (const Case& work : cases) {
    Judged judged = judge("", work, {Answer::Kind::blocked, {}, why});
    for (Record& record : judged.records) result.records.push_back(std::move(record));
  }
  result.faults.push_back(why);
  return result;
}

std::string repeat_command(const PairRun& pair, const Record& record) {
  const std::string other = pair.is_alone() ? "" : " " + shell_quoted(pair.consumer->text);
  return "dlspec matrix " + shell_quoted(pair.producer->text) + other + case_options(record.after, record.case_id);
}

void add_records(Document& document, const PairRun& pair, const JudgingOptions& options, const Invocation& invocation) {
  for (Record record : pair.result.records) {
    record.subject.clear();
    record.producer = pair.producer->text;
    record.consumer = pair.consumer->text;
    if (!record.reproduce.empty()) record.reproduce = repeat_command(pair, record);
    adapt_command(record, options, invocation);
    document.results.push_back(std::move(record));
  }
}

// The ready message of the subject as a producer: from its pair with itself, else from any pair.
const std::optional<Ready>& ready_message(const std::vector<PairRun>& all, const Subject& subject) {
  const auto has_message = [&](const PairRun& pair) { return pair.producer == &subject && pair.result.ready; };
  auto found =
      std::find_if(all.begin(), all.end(), [&](const PairRun& pair) { return has_message(pair) && pair.is_alone(); });
  if (found == all.end()) found = std::find_if(all.begin(), all.end(), has_message);
  static const std::optional<Ready> nothing;
  return found == all.end() ? nothing : found->result.ready;
}

}  // namespace

ExchangeChoice choose_exchanges(const JudgingOptions& options, const Resources& resources) {
  ExchangeChoice chosen;
  const Adapters adapters = find_adapters(resources.adapters());
  for (const std::string& text : options.subjects) {
    ParsedSubject parsed = parse_subject(text, adapters);
    if (!parsed.subject) {
      chosen.wrong_usage = parsed.error;
    } else if (parsed.subject->kind == SubjectKind::plugin) {
      chosen.wrong_usage = "'" + text + "' is a plug-in: it has no Python arrays to exchange; give an adapter (.py)";
    }
    if (!chosen.wrong_usage.empty()) return chosen;
    const bool again = std::any_of(chosen.subjects.begin(), chosen.subjects.end(),
                                   [&](const Subject& each) { return each.text == text; });
    if (!again) chosen.subjects.push_back(std::move(*parsed.subject));
  }
  chosen.cases = make_exchange_plan(options.cases, options.seed);
  if (chosen.cases.empty())
    chosen.wrong_usage = "the selection is empty: no exchange is called '" + options.cases + "'";
  if (chosen.wrong_usage.empty()) chosen.interpreter = choose_interpreter(options.python);
  return chosen;
}

std::vector<PairRun> run_pairs(const ExchangeChoice& chosen, PairLaunches& launches, const JudgingOptions& options,
                               const Listener& listener) {
  std::vector<PairRun> all;
  for (PairLaunch& pair : launches.pairs)
    all.push_back({&chosen.subjects[pair.producer], &chosen.subjects[pair.consumer], std::move(pair.launch), {}});
  std::vector<Task> tasks;
  std::vector<PairRun*> running;
  for (PairRun& pair : all) {
    if (!pair.launch.error.empty()) {
      pair.result = blocked_result(chosen.cases, pair.launch.error);
      continue;
    }
    tasks.push_back({pair.name(), pair.launch.command, pair.launch.start, chosen.cases, {}});
    running.push_back(&pair);
  }
  std::vector<TaskResult> results = run_tasks(tasks, options, listener);
  for (std::size_t i = 0; i < results.size(); ++i) running[i]->result = std::move(results[i]);
  return all;
}

Document exchange_document(const ExchangeChoice& chosen, const std::vector<PairRun>& all,
                           const std::vector<std::string>& requirements, const JudgingOptions& options,
                           const Invocation& invocation) {
  Document document = empty_document(options, invocation);
  for (std::size_t i = 0; i < chosen.subjects.size(); ++i) {
    SubjectInfo info = subject_info(chosen.subjects[i], requirements[i], ready_message(all, chosen.subjects[i]));
    if (info.kind == SubjectKind::builtin && !info.name.empty()) info.version = invocation.version;
    document.subjects.push_back(std::move(info));
  }
  for (const PairRun& pair : all) add_records(document, pair, options, invocation);
  return document;
}

std::vector<std::string> exchange_faults(const ExchangeChoice& chosen, const std::vector<PairRun>& all) {
  std::vector<std::string> faults;
  for (const PairRun& pair : all) {
    const bool started = pair.launch.error.empty() && pair.result.ready;
    if (!pair.is_alone() && !started) continue;
    for (const std::string& fault : pair.result.faults) {
      const std::string sentence = pair.launch.error.empty() ? fault : pair.producer->text + ": " + fault;
      if (std::find(faults.begin(), faults.end(), sentence) == faults.end()) faults.push_back(sentence);
    }
    const std::string gap = plan_mismatch(chosen.cases, pair.result.records);
    if (!gap.empty()) faults.push_back("internal error: " + pair.name() + ": " + gap);
  }
  return faults;
}

}  // namespace dlspec::conformance
