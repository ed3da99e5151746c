#include <dlspec/conformance/judging/fuzz_emit.h>

#include <map>

#include <fmt/format.h>

#include <dlspec/conformance/reproducers/folder.h>
#include <dlspec/conformance/reproducers/sequence_program.h>
#include <dlspec/conformance/reproducers/sequence_script.h>

namespace dlspec::conformance {

namespace {

constexpr const char* about =
    "# Sequences\n\n"
    "Each of them carries out one sequence and compares every live export after each step, without dlspec: `python3 "
    "SCRIPT`, or\n`cc -std=c99 PROGRAM -ldl -lpthread && ./a.out`.\nExit status: 1 the fault is there, 0 it is not "
    "there, 77 the library is missing, 2 it could not be "
    "tried.\n\n";

ScriptSubject subject_of(const SubjectRun& run, const FuzzResult& result) {
  const Subject& chosen = run.chosen->subject;
  return {result.ready ? result.ready->name + " " + result.ready->version : chosen.text, chosen.path,
          chosen.adapter.has_value()};
}

Script script_for(const Templates& templates, const SubjectRun& run, const FuzzResult& result, const Sequence& sequence,
                  const Record& record) {
  const ScriptSubject subject = subject_of(run, result);
  switch (run.chosen->subject.kind) {
    case SubjectKind::python: return make_sequence_script(templates, subject, sequence, record);
    case SubjectKind::plugin: return make_sequence_program(templates, subject.title, subject.adapter, sequence, record);
    default: return {"", "dlspec's own library is in no file of its own; repeat: " + record.reproduce};
  }
}

}  // namespace

Emitted emit_sequences(const FuzzResult& result, const Document& document, const SubjectRun& run,
                       const JudgingOptions& options, const Resources& resources) {
  const bool python = run.chosen->subject.kind == SubjectKind::python;
  const Templates templates = read_templates(resources.reproducers(), python ? Language::python : Language::c);
  if (!templates.error.empty()) return {templates.error, ""};
  std::map<std::string, std::string> files;
  std::string page = about;
  std::size_t left = 0;
  for (std::size_t i = 0; i < result.findings.size(); ++i) {
    const Record& record = document.results[i];
    const std::string id = rule(record.rule).id;
    const Script script = script_for(templates, run, result, result.findings[i].sequence, record);
    if (script.text.empty()) {
      ++left;
      page += fmt::format("- `{}`: {}\n", id, script.why);
      continue;
    }
    const std::string name = fmt::format("{}-{}.{}", i + 1, id, python ? "py" : "c");
    files[name] = script.text;
    page += fmt::format("- [{}]({}): `{}`\n", name, name, sequence_text(result.findings[i].sequence));
  }
  const std::size_t scripts = files.size();
  if (result.findings.empty()) page += "Nothing was found.\n";
  files["README.md"] = page;
  std::string wrong = write_folder(options.reproducers, files);
  if (!wrong.empty()) return {std::move(wrong), ""};
  return {"", fmt::format("{} script{} in {}{}\n", scripts, scripts == 1 ? "" : "s", options.reproducers,
                          left == 0 ? "" : fmt::format(", {} without one: its README.md says why", left))};
}

}  // namespace dlspec::conformance
