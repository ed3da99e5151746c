#include <dlspec/conformance/judging/runs.h>

#include <string>

#include <dlspec/conformance/core/shell.h>
#include <dlspec/conformance/judging/control_cases.h>
#include <dlspec/conformance/judging/running.h>
#include <dlspec/conformance/verdict/verdict.h>
#include <dlspec/conformance/verdict/whole.h>
#include <dlspec/conformance/worker/protocol/asked_device.h>
#include <dlspec/conformance/worker/supervisor/interrupt.h>

namespace dlspec::conformance {

namespace {

TaskResult not_launched(const Chosen& chosen, const Launch& launch) {
  TaskResult result;
  result.faults.push_back(chosen.subject.text + ": " + launch.error);
  const Answer answer = launch.lacks_python ? Answer{Answer::Kind::skipped, {}, launch.error}
                                            : Answer{Answer::Kind::blocked, {}, "the subject was not started"};
  for (const Case& work : chosen.cases) {
    Judged judged = judge(chosen.subject.text, work, answer);
    for (Record& record : judged.records) result.records.push_back(std::move(record));
  }
  return result;
}

void mark_skipped(SubjectRun& run) {
  for (Record& record : run.result.records) {
    record.status = Verdict::skipped;
    record.observed = "the subject did not start";
    record.allowed.clear();
    record.reproduce.clear();
  }
}

}  // namespace

Launch launch(const Chosen& chosen, const Choice& choice, const JudgingOptions& options, const Resources& resources,
              const Listener& listener) {
  Launch made;
  if (options.device && chosen.subject.kind == SubjectKind::builtin) {
    made.error = "--device is for other subjects; the arrays of builtin lie on the host";
    return made;
  }
  made = launch_subject(chosen.subject, choice.interpreter, resources, environment_options(options, listener),
                        options.seed);
  if (options.device) {
    made.command.environment.push_back(asked_device_setting(options.device->device_id));
  }
  return made;
}

std::vector<SubjectRun> launch_all(const Choice& choice, const JudgingOptions& options, const Resources& resources,
                                   const Listener& listener) {
  const std::vector<std::string> wrapper = split_words(options.wrapper).value_or(std::vector<std::string>{});
  std::vector<SubjectRun> runs;
  for (const Chosen& chosen : choice.subjects) {
    if (interrupt_signal() != 0) break;
    Launch started = launch(chosen, choice, options, resources, listener);
    std::vector<std::string>& words = started.command.arguments;
    words.insert(words.begin(), wrapper.begin(), wrapper.end());
    runs.push_back({&chosen, std::move(started), {}});
  }
  return runs;
}

void judge_all(std::vector<SubjectRun>& runs, const JudgingOptions& options, const Listener& listener) {
  std::vector<Task> tasks;
  std::vector<SubjectRun*> launched;
  for (SubjectRun& run : runs) {
    if (!run.launch.error.empty()) {
      run.result = not_launched(*run.chosen, run.launch);
      continue;
    }
    tasks.push_back({run.chosen->subject.text, run.launch.command, run.launch.start, run.chosen->cases,
                     control_cases(run.chosen->subject.kind)});
    launched.push_back(&run);
  }
  std::vector<TaskResult> results = run_tasks(tasks, options, listener);
  for (std::size_t i = 0; i < results.size(); ++i) launched[i]->result = std::move(results[i]);
}

RunSummary summarize_runs(std::vector<SubjectRun>& runs, const JudgingOptions& options, const Listener& listener) {
  RunSummary summary;
  for (SubjectRun& run : runs) {
    const TaskResult& result = run.result;
    if (!run.chosen->named && !result.ready) {
      for (const std::string& fault : result.faults) listener.remark("skipped: " + fault);
      mark_skipped(run);
      continue;
    }
    summary.faults.insert(summary.faults.end(), result.faults.begin(), result.faults.end());
    const std::string gap = plan_mismatch(run.chosen->cases, result.records);
    if (!gap.empty()) summary.faults.push_back("internal error: " + run.chosen->subject.text + ": " + gap);
    const bool nothing_planned = run.chosen->cases.empty() && options.sharded;
    if (!nothing_planned && result.ready) summary.named.push_back(run.chosen->subject.text);
    for (const std::string& note : result.notes) summary.notes.push_back(note);
  }
  return summary;
}

}  // namespace dlspec::conformance
