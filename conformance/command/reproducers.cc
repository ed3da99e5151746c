#include "reproducers.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include <dlspec/conformance/reproducers/folder.h>
#include <dlspec/conformance/reproducers/script.h>

namespace dlspec::command {

namespace {

using namespace dlspec::conformance;

constexpr const char* about =
    "# Reproducers\n\n"
    "Each script shows one fault by itself, without dlspec: `python3 SCRIPT`, in an interpreter that has the library.\n"
    "Exit status: 1 the fault is there, 0 it is not there, 77 the library is missing, 2 it could not be tried.\n\n";

bool has_failed(const Record& record, bool strict) {
  switch (record.status) {
    case Verdict::fail:
    case Verdict::crash:
    case Verdict::timeout: return true;
    default: return strict && record.status == Verdict::warn;
  }
}

const Outcome* outcome_of(const std::vector<Outcome>& outcomes, const std::string& subject) {
  const auto found = std::find_if(outcomes.begin(), outcomes.end(),
                                  [&](const Outcome& outcome) { return outcome.chosen->subject.text == subject; });
  return found == outcomes.end() ? nullptr : &*found;
}

const Case* case_of(const Outcome& outcome, const std::string& id) {
  const auto& cases = outcome.chosen->cases;
  const auto found = std::find_if(cases.begin(), cases.end(), [&](const Case& work) { return work.id == id; });
  return found == cases.end() ? nullptr : &*found;
}

std::string file_name(const Record& record) {
  std::string name = fmt::format("{}-{}-{}", record.subject, role_name(record.role), rule(record.rule).id);
  for (char& character : name) {
    const bool is_plain = std::isalnum(static_cast<unsigned char>(character)) != 0 || character == '.' || character == '-';
    if (!is_plain) character = '_';
  }
  return name.substr(name.find_first_not_of("._")) + ".py";
}

ScriptSubject subject_of(const Outcome& outcome) {
  ScriptSubject subject;
  const Subject& chosen = outcome.chosen->subject;
  subject.adapter = chosen.path;
  subject.shipped = chosen.adapter.has_value();
  subject.title = outcome.result.ready ? outcome.result.ready->name + " " + outcome.result.ready->version : chosen.text;
  return subject;
}

Script script_for(const Templates& templates, const Outcome& outcome, const Record& record) {
  const SubjectKind kind = outcome.chosen->subject.kind;
  if (kind != SubjectKind::python) return {"", "scripts are made for Python libraries; repeat: " + record.reproduce};
  const Case* const work = case_of(outcome, record.case_id);
  return work == nullptr ? Script{"", "its case is not in the plan"} : make_script(templates, subject_of(outcome), *work, record);
}

struct Row {
  const Record* record = nullptr;  // the case that is shown, or the first that is not
  Script script;
};
using Rows = std::map<std::tuple<std::string, Role, RuleId>, Row>;

Rows rows_of(const Document& document, const std::vector<Outcome>& outcomes, const RunOptions& options,
             const Templates& templates) {
  Rows rows;
  for (const Record& record : document.results) {
    const Outcome* const outcome = outcome_of(outcomes, record.subject);
    if (!has_failed(record, options.strict) || outcome == nullptr) continue;
    Row& row = rows[{record.subject, record.role, record.rule}];
    if (!row.script.text.empty()) continue;
    Script script = script_for(templates, *outcome, record);
    if (row.record == nullptr || !script.text.empty()) row = {&record, std::move(script)};
  }
  return rows;
}

std::string line_of(const Record& record, const std::string& what) {
  return fmt::format("- {}: `{}`, {}, in `{}`: {}\n", what, rule(record.rule).id, verdict_name(record.status), record.case_id,
                     clean_text(record.observed, 300));
}

}  // namespace

Emitted emit_reproducers(const Document& document, const std::vector<Outcome>& outcomes, const RunOptions& options,
                         const Resources& resources) {
  const Templates templates = read_templates(resources.reproducers());
  if (!templates.error.empty()) return {templates.error, ""};
  std::map<std::string, std::string> files;
  std::string shown;
  std::string others;
  std::size_t left = 0;
  for (const auto& [key, row] : rows_of(document, outcomes, options, templates)) {
    if (row.script.text.empty()) {
      ++left;
      others += line_of(*row.record, row.record->subject) + "  Not shown: " + row.script.why + "\n";
      continue;
    }
    const std::string name = file_name(*row.record);
    files[name] = row.script.text;
    shown += line_of(*row.record, "[" + name + "](" + name + ")");
  }
  const std::size_t scripts = files.size();
  files["README.md"] = about + (shown.empty() && others.empty() ? "Nothing failed.\n" : shown) +
                       (others.empty() ? "" : "\n## Without a script\n\n" + others);
  std::string wrong = write_folder(options.reproducers, files);
  if (!wrong.empty()) return {std::move(wrong), ""};
  return {"", fmt::format("{} reproducer{} in {}{}\n", scripts, scripts == 1 ? "" : "s", options.reproducers,
                          left == 0 ? "" : fmt::format(", {} without one: its README.md says why", left))};
}

}  // namespace dlspec::command
