#include "results.h"

#include <array>
#include <ctime>
#include <map>

#include <fmt/format.h>
#include <sys/utsname.h>

#include <dlspec/conformance/verdict/verdict.h>
#include <dlspec/conformance/zoo/exhibits.h>

#include "terminal.h"

namespace dlspec::command {

namespace {

using namespace dlspec::conformance;

// What the run was given and a repetition needs as well.
std::string repeated_options(const RunOptions& options) {
  std::string text;
  if (!options.python.empty()) text += " --python " + shell_quoted(options.python);
  if (!options.wrapper.empty()) text += " --wrapper " + shell_quoted(options.wrapper);
  if (options.seed != 0) text += fmt::format(" --seed {}", options.seed);
  const RunOptions usual;
  if (options.timeout < usual.timeout || options.timeout > usual.timeout)
    text += fmt::format(" --timeout {}", options.timeout);
  if (options.memory != usual.memory) text += fmt::format(" --memory {}", options.memory);
  return text;
}

// Where and when the command runs.
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

Document empty_document(const RunOptions& options) {
  Document document;
  document.version = DLSPEC_VERSION;
  document.commit = DLSPEC_COMMIT;
  document.seed = options.seed;
  document.tested = static_cast<std::uint32_t>(shown_rules().size());
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

// Commands begin with "dlspec", which a shell finds only when it was found there this time.
void adapt_command(Record& record, const RunOptions& options, const std::string& invoked_as) {
  constexpr std::string_view name = "dlspec ";
  if (!record.reproduce.starts_with(name)) return;
  const std::string program = invoked_as.find('/') != std::string::npos ? shell_quoted(invoked_as) : "dlspec";
  record.reproduce = program + " " + record.reproduce.substr(name.size()) + repeated_options(options);
}

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

void skip(Outcome& outcome) {
  for (Record& record : outcome.result.records) {
    record.status = Verdict::skipped;
    record.observed = "the subject did not start";
    record.allowed.clear();
    record.reproduce.clear();
  }
}

Document make_document(const std::vector<Outcome>& outcomes, const RunOptions& options, const std::string& invoked_as) {
  Document document = empty_document(options);
  if (options.sharded) document.shard = options.shard;
  for (const Outcome& outcome : outcomes) {
    document.subjects.push_back(
        subject_info(outcome.chosen->subject, outcome.launch.requirement, outcome.result.ready));
    document.seconds[outcome.chosen->subject.text] = {outcome.launch.environment.count(),
                                                      outcome.result.importing.count(), outcome.result.judging.count()};
    for (Record record : outcome.result.records) {
      adapt_command(record, options, invoked_as);
      document.results.push_back(std::move(record));
    }
  }
  return document;
}

}  // namespace dlspec::command
