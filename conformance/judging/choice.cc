#include <dlspec/conformance/judging/choice.h>

#include <algorithm>

#include <dlspec/conformance/core/text.h>
#include <dlspec/conformance/judging/near.h>

namespace dlspec::conformance {

namespace {

Selection selection_of(const JudgingOptions& options, SubjectKind kind) {
  Selection selection;
  selection.kind = kind;
  selection.roles = options.roles;
  selection.rules = options.rules;
  selection.cases = options.cases;
  selection.level = options.level;
  selection.smoke = options.smoke;
  selection.thorough = options.thorough;
  selection.seed = options.seed;
  selection.device = options.device;
  selection.shard = options.shard.index;
  selection.shards = options.shard.count;
  return selection;
}

// The subjects of the command line, without duplicates.
void add_named(const JudgingOptions& options, const Adapters& adapters, Choice& choice) {
  for (const std::string& text : options.subjects) {
    // Workers and documents name the subject in JSON, which has no other bytes.
    if (with_valid_text(text) != text) {
      choice.wrong_usage = "'" + clean_text(text) + "' is not UTF-8; rename the file";
      return;
    }
    ParsedSubject parsed = parse_subject(text, adapters);
    if (!parsed.subject) {
      choice.wrong_usage = parsed.error;
      return;
    }
    const bool again = std::any_of(choice.subjects.begin(), choice.subjects.end(),
                                   [&](const Chosen& chosen) { return chosen.subject.text == text; });
    if (!again) choice.subjects.push_back({std::move(*parsed.subject), true, {}});
  }
}

// builtin where no device is asked for, and the shipped adapters whose library is installed.
void add_found(const JudgingOptions& options, const Adapters& adapters, Choice& choice) {
  if (!options.device) choice.subjects.push_back({*parse_subject("builtin", adapters).subject, true, {}});
  if (!choice.interpreter.interpreter) {
    choice.remarks.push_back("Python libraries are left out: " + choice.interpreter.error);
    return;
  }
  std::vector<std::string> modules;
  for (const Adapter& adapter : adapters.list) modules.push_back(adapter.module);
  const std::vector<std::string> there = importable(*choice.interpreter.interpreter, modules);
  for (const Adapter& adapter : adapters.list) {
    if (std::find(there.begin(), there.end(), adapter.module) == there.end()) continue;
    choice.subjects.push_back({*parse_subject(adapter.name, adapters).subject, false, {}});
  }
  if (choice.subjects.empty()) choice.remarks.emplace_back("no library was found that has an adapter");
}

bool needs_python(const Choice& choice) {
  return std::any_of(choice.subjects.begin(), choice.subjects.end(),
                     [](const Chosen& chosen) { return chosen.subject.kind == SubjectKind::python; });
}

void plan(const JudgingOptions& options, Choice& choice) {
  bool empty = true;
  for (Chosen& chosen : choice.subjects) {
    const Selection selection = selection_of(options, chosen.subject.kind);
    empty = empty && plan_is_empty(selection);
    chosen.cases = make_plan(selection);
  }
  if (empty && !choice.subjects.empty())
    choice.wrong_usage = "the selection is empty: no case has such a role, level, name and rule together";
}

}  // namespace

Choice choose(const JudgingOptions& options, const Resources& resources) {
  Choice choice;
  if (const std::string pattern = pattern_without_rule(options.rules); !pattern.empty()) {
    choice.wrong_usage = "no rule matches '" + pattern + "'" + nearest_rule(pattern);
    return choice;
  }
  const Adapters adapters = find_adapters(resources.adapters());
  choice.remarks = adapters.errors;
  add_named(options, adapters, choice);
  if (!choice.wrong_usage.empty()) return choice;
  plan(options, choice);
  if (!choice.subjects.empty() && !choice.wrong_usage.empty()) return choice;
  if (options.subjects.empty() || needs_python(choice)) choice.interpreter = choose_interpreter(options.python);
  if (options.subjects.empty()) {
    choice.wrong_usage.clear();
    add_found(options, adapters, choice);
    plan(options, choice);
  }
  return choice;
}

}  // namespace dlspec::conformance
