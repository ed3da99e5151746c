#include <dlspec/conformance/judging/emit.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <tuple>

#include <fmt/format.h>

#include <dlspec/conformance/core/file.h>
#include <dlspec/conformance/core/text.h>
#include <dlspec/conformance/plan/plan.h>
#include <dlspec/conformance/report/conditions.h>
#include <dlspec/conformance/report/links.h>
#include <dlspec/conformance/reproducers/folder.h>
#include <dlspec/conformance/reproducers/issue.h>
#include <dlspec/conformance/reproducers/program.h>
#include <dlspec/conformance/reproducers/script.h>
#include <dlspec/conformance/reproducers/sequence_program.h>
#include <dlspec/conformance/reproducers/sequence_script.h>
#include <dlspec/conformance/verdict/status.h>

namespace dlspec::conformance {

namespace {

constexpr const char* about =
    "# Reproducers\n\n"
    "Each script shows one fault by itself, without dlspec: `python3 SCRIPT`, in an interpreter that has the library.\n"
    "So does each program in C, which loads the plug-in: `cc -std=c99 PROGRAM -ldl && ./a.out`.\n"
    "Beside each stands the text of a report for the library's tracker, NAME.md; the worst come first.\n"
    "Exit status: 1 the fault is there, 0 it is not there, 77 the library is missing, 2 it could not be tried.\n\n";

bool has_failed(const Record& record, bool strict) {
  switch (record.status) {
    case Verdict::fail:
    case Verdict::crash:
    case Verdict::timeout: return true;
    default: return strict && record.status == Verdict::warn;
  }
}

const SubjectRun* run_of(const std::vector<SubjectRun>& runs, const std::string& subject) {
  const auto found = std::find_if(runs.begin(), runs.end(),
                                  [&](const SubjectRun& run) { return run.chosen->subject.text == subject; });
  return found == runs.end() ? nullptr : &*found;
}

const Case* case_of(const SubjectRun& run, const std::string& id) {
  const auto& cases = run.chosen->cases;
  const auto found = std::find_if(cases.begin(), cases.end(), [&](const Case& work) { return work.id == id; });
  return found == cases.end() ? nullptr : &*found;
}

std::string file_name(const Record& record, SubjectKind kind) {
  std::string name = fmt::format("{}-{}-{}", record.subject, role_name(record.role), rule(record.rule).id);
  for (char& character : name) {
    const bool is_plain =
        std::isalnum(static_cast<unsigned char>(character)) != 0 || character == '.' || character == '-';
    if (!is_plain) character = '_';
  }
  return name.substr(name.find_first_not_of("._")) + (kind == SubjectKind::plugin ? ".c" : ".py");
}

ScriptSubject subject_of(const SubjectRun& run) {
  ScriptSubject subject;
  const Subject& chosen = run.chosen->subject;
  subject.adapter = chosen.path;
  subject.shipped = chosen.adapter.has_value();
  subject.title = run.result.ready ? run.result.ready->name + " " + run.result.ready->version : chosen.text;
  return subject;
}

// The templates of both languages, and the form of a report.
struct Pieces {
  Templates python;
  Templates c;
  FileContents form;

  explicit Pieces(const std::filesystem::path& folder)
      : python(read_templates(folder, Language::python)),
        c(read_templates(folder, Language::c)),
        form(read_file(folder / "issue.txt")) {}
  [[nodiscard]] std::string error() const {
    if (!form.error.empty()) return "issue.txt cannot be read: " + form.error;
    return python.error.empty() ? c.error : python.error;
  }
};

// The steps that a finding of a sequence names at its end: "… (steps: make a0 …)".
Sequence observed_steps(const Record& record) {
  constexpr std::string_view mark = "(steps: ";
  const std::size_t begin = record.observed.rfind(mark);
  const std::size_t end = record.observed.rfind(')');
  if (begin == std::string::npos || end == std::string::npos || end < begin) return {};
  const std::size_t first = begin + mark.size();
  return parse_sequence(std::string_view(record.observed).substr(first, end - first)).value_or(Sequence{});
}

Script script_for(const Pieces& pieces, const SubjectRun& run, const Record& record) {
  const Subject& subject = run.chosen->subject;
  if (subject.kind == SubjectKind::builtin)
    return {"", "dlspec's own library is in no file of its own; repeat: " + record.reproduce};
  const Case* const work = case_of(run, record.case_id);
  if (work == nullptr) return {"", "its case is not in the plan"};
  if (!record.after.empty()) return {"", "scripts run one case alone; repeat: " + record.reproduce};
  if (needs_device(work->variant)) return {"", "scripts ask about the host; repeat: " + record.reproduce};
  const bool plugin = subject.kind == SubjectKind::plugin;
  if (!work->sequences.empty()) {
    const Sequence steps = observed_steps(record);
    if (plugin) return make_sequence_program(pieces.c, subject_of(run).title, subject.path, steps, record);
    return make_sequence_script(pieces.python, subject_of(run), steps, record);
  }
  if (plugin) return make_program(pieces.c, subject_of(run).title, subject.path, *work, record);
  return make_script(pieces.python, subject_of(run), *work, record);
}

struct Reproducer {
  const Record* record = nullptr;  // the record of the script; without a script, the first record
  SubjectKind kind = SubjectKind::python;
  Script script;
};
using Reproducers = std::map<std::tuple<std::string, Role, RuleId>, Reproducer>;

Reproducers reproducers_of(const Document& document, const std::vector<SubjectRun>& runs, const JudgingOptions& options,
                           const Pieces& pieces) {
  Reproducers rows;
  for (const Record& record : document.results) {
    const SubjectRun* const run = run_of(runs, record.subject);
    if (!has_failed(record, options.strict) || run == nullptr) continue;
    Reproducer& row = rows[{record.subject, record.role, record.rule}];
    if (!row.script.text.empty()) continue;
    Script script = script_for(pieces, *run, record);
    if (row.record == nullptr || !script.text.empty()) row = {&record, run->chosen->subject.kind, std::move(script)};
  }
  return rows;
}

// The worst first.
std::vector<const Reproducer*> by_harm(const Reproducers& rows) {
  std::vector<const Reproducer*> sorted;
  for (const auto& [key, row] : rows) sorted.push_back(&row);
  std::stable_sort(sorted.begin(), sorted.end(), [](const Reproducer* a, const Reproducer* b) {
    return harm_rank(a->record->rule, a->record->status) < harm_rank(b->record->rule, b->record->status);
  });
  return sorted;
}

// What the cases have in common in which the record's rule failed.
std::string condition_of(const Document& document, const Record& record, bool strict) {
  Records failed, judged;
  for (const Record& each : document.results) {
    if (each.rule != record.rule || each.role != record.role || each.subject != record.subject) continue;
    if (is_judged(each.status)) judged.push_back(&each);
    if (has_failed(each, strict)) failed.push_back(&each);
  }
  return shared_conditions(failed, judged);
}

std::string report_on(const Document& document, const std::vector<SubjectRun>& runs, const Reproducer& row,
                      const std::string& script, const Pieces& pieces, bool strict) {
  const SubjectRun& run = *run_of(runs, row.record->subject);
  const bool is_program = row.kind == SubjectKind::plugin;
  const auto host = [&](const char* name) {
    const auto found = document.host.find(name);
    return found == document.host.end() ? "" : found->second;
  };
  Issue issue;
  issue.record = row.record;
  issue.library = subject_of(run).title;
  if (const auto& adapter = run.chosen->subject.adapter)
    issue.package = adapter->distribution.substr(0, adapter->distribution.find('['));
  if (run.result.ready && !run.result.ready->python.empty()) issue.interpreter = "CPython " + run.result.ready->python;
  issue.machine = host("system") + " " + host("machine");
  issue.condition = condition_of(document, *row.record, strict);
  issue.script = row.script.text;
  issue.language = is_program ? "c" : "python";
  issue.run = is_program ? fmt::format("`cc -std=c99 {} -ldl && ./a.out` loads the library and shows it.", script)
                         : fmt::format("`python3 {}` shows it.", script);
  issue.page = fmt::format("{}{}.md", rule_pages, rule(row.record->rule).id);
  return issue_text(pieces.form.text, issue);
}

std::string line_of(const Record& record, const std::string& what) {
  return fmt::format("- {}: `{}`, {}, in `{}`: {}\n", what, rule(record.rule).id, verdict_name(record.status),
                     record.case_id, clean_text(record.observed, 300));
}

}  // namespace

Emitted emit_reproducers(const Document& document, const std::vector<SubjectRun>& runs, const JudgingOptions& options,
                         const Resources& resources) {
  const Pieces pieces(resources.reproducers());
  if (!pieces.error().empty()) return {pieces.error(), ""};
  std::map<std::string, std::string> files;
  std::string shown;
  std::string others;
  std::size_t scripts = 0, left = 0;
  const Reproducers rows = reproducers_of(document, runs, options, pieces);
  for (const Reproducer* row : by_harm(rows)) {
    if (row->script.text.empty()) {
      ++left;
      others += line_of(*row->record, row->record->subject) + "  Not shown: " + row->script.why + "\n";
      continue;
    }
    ++scripts;
    const std::string name = file_name(*row->record, row->kind),
                      report = std::filesystem::path(name).stem().string() + ".md";
    files[name] = row->script.text;
    files[report] = report_on(document, runs, *row, name, pieces, options.strict);
    shown += line_of(*row->record, fmt::format("[{0}]({0}), [report]({1})", name, report));
  }
  files["README.md"] = about + (shown.empty() && others.empty() ? "Nothing failed.\n" : shown) +
                       (others.empty() ? "" : "\n## Without a script\n\n" + others);
  std::string wrong = write_folder(options.reproducers, files);
  if (!wrong.empty()) return {std::move(wrong), ""};
  return {"", fmt::format("{} reproducer{} in {}{}\n", scripts, scripts == 1 ? "" : "s", options.reproducers,
                          left == 0 ? "" : fmt::format(", {} without one: its README.md says why", left))};
}

}  // namespace dlspec::conformance
