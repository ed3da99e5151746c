#include <dlspec/conformance/judging/run_document.h>

#include <algorithm>
#include <array>
#include <ctime>
#include <iterator>
#include <map>
#include <utility>

#include <fmt/format.h>
#include <sys/utsname.h>

#include <dlspec/conformance/core/shell.h>
#include <dlspec/conformance/report/claims.h>

namespace dlspec::conformance {

namespace {

// The options of the run that a repetition needs.
std::string repeated_options(const JudgingOptions& options) {
  std::string text;
  if (!options.python.empty()) text += " --python " + shell_quoted(options.python);
  if (!options.wrapper.empty()) text += " --wrapper " + shell_quoted(options.wrapper);
  if (options.device) text += fmt::format(" --device cuda:{}", options.device->device_id);
  if (options.seed != 0) text += fmt::format(" --seed {}", options.seed);
  const JudgingOptions usual;
  if (options.timeout < usual.timeout || options.timeout > usual.timeout)
    text += fmt::format(" --timeout {}", options.timeout);
  if (options.memory != usual.memory) text += fmt::format(" --memory {}", options.memory);
  return text;
}

// System, machine and time (UTC) of the run.
std::map<std::string, std::string> host() {
  utsname names{};
  uname(&names);
  const std::time_t now = std::time(nullptr);
  std::tm utc{};
  gmtime_r(&now, &utc);
  std::array<char, 32> text{};
  std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &utc);
  return {
      {"system", std::string(names.sysname) + " " + names.release}, {"machine", names.machine}, {"time", text.data()}};
}

}  // namespace

Document empty_document(const JudgingOptions& options, const Invocation& invocation) {
  Document document;
  document.version = invocation.version;
  document.commit = invocation.commit;
  document.seed = options.seed;
  document.tested = invocation.tested_rules;
  document.host = host();
  return document;
}

SubjectInfo subject_info(const Subject& subject, const std::string& requirement, const std::optional<Ready>& ready) {
  SubjectInfo info;
  info.subject = subject.text;
  info.kind = subject.kind;
  info.requirement = requirement;
  if (!ready) return info;
  info.name = ready->name;
  info.version = ready->version;
  info.roles = ready->roles;
  info.loaded_from = ready->loaded_from;
  info.build = ready->build;
  if (!ready->python.empty()) info.interpreter = "CPython " + ready->python;
  return info;
}

// A command that starts with "dlspec" works only if the shell finds dlspec on its PATH: use the path of this call.
void adapt_command(Record& record, const JudgingOptions& options, const Invocation& invocation) {
  constexpr std::string_view name = "dlspec ";
  if (!record.reproduce.starts_with(name)) return;
  const std::string program =
      invocation.invoked_as.find('/') != std::string::npos ? shell_quoted(invocation.invoked_as) : "dlspec";
  record.reproduce = program + " " + record.reproduce.substr(name.size()) + repeated_options(options);
}

Document make_document(std::vector<SubjectRun>& runs, const JudgingOptions& options, const Invocation& invocation) {
  Document document = empty_document(options, invocation);
  if (options.sharded) document.shard = options.shard;
  for (SubjectRun& run : runs) {
    document.subjects.push_back(subject_info(run.chosen->subject, run.launch.requirement, run.result.ready));
    document.subjects.back().table_calls = run.result.table_calls;
    document.seconds[run.chosen->subject.text] = {run.launch.environment.count(), run.result.importing.count(),
                                                  run.result.judging.count()};
    std::vector<Record> records = std::exchange(run.result.records, {});
    for (Record& record : records) adapt_command(record, options, invocation);
    if (document.results.empty()) {
      document.results = std::move(records);  // often hundreds of thousands, and of one subject
    } else {
      std::move(records.begin(), records.end(), std::back_inserter(document.results));
    }
  }
  fill_figures(document);
  return document;
}

}  // namespace dlspec::conformance
