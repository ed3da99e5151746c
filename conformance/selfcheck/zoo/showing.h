// Subjects of the zoo in real workers: what each is found to break, against what it is declared to.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <dlspec/conformance/core/record.h>
#include <dlspec/conformance/judging/schedule.h>
#include <dlspec/conformance/subject/interpreter.h>
#include <dlspec/conformance/subject/resources.h>

namespace dlspec::conformance {

// Whose plan a subject is asked from.
struct Sample {
  Role role = Role::producer;
  bool has_device = false;
};

// One subject in one role, asked as `dlspec run` asks it.
struct Showing {
  std::string name;                // of the exhibit or of the twin
  std::optional<RuleId> declared;  // the rule that it breaks; none: it is a twin
  std::vector<RuleId> masked;      // rules that it breaks beside, as exhibits.def says
  Task task;                       // of an exhibit or its twin without cases: `show` adds the sample of its plan
  Sample sample;                   // of the plan, where the task has no cases
  bool refusals = false;           // `unsupported` counts as a finding: some structs are refused, not judged
};

// One finding of a rule: the first record, and how many there are.
struct Found {
  Record first;
  std::size_t cases = 1;
};

struct Shown {
  const Showing* showing = nullptr;
  std::map<RuleId, Found> found;    // fail, warn, info, crash, timeout
  std::vector<std::string> faults;  // what could not be judged, a sentence each
  // The findings are the declared rule and the masked ones, or none for a twin.
  [[nodiscard]] bool is_right() const;
  // Found, but neither declared nor masked.
  [[nodiscard]] bool is_too_much(RuleId id) const;
  // Masked, but not found.
  [[nodiscard]] std::vector<RuleId> unused_masks() const;
  // A rule that is declared or masked was not found: more cases may find it.
  [[nodiscard]] bool is_too_little() const;
};

// Exhibits of rules that match, and their twins, each once.
[[nodiscard]] std::vector<Showing> exhibit_showings(std::string_view rules, const Interpreter& interpreter,
                                                    const Resources& resources);
// Rows of the table of faulty structs whose fault a plug-in can show, and their twins.
[[nodiscard]] std::vector<Showing> struct_showings(std::string_view rules, const Resources& resources);

// A faulty subject is asked the narrowed sample, and the rest of it where that finds too little, or if `thorough`; its
// twin the whole one.
[[nodiscard]] std::vector<Shown> show(std::span<const Showing> showings, const ScheduleOptions& options, bool thorough);

}  // namespace dlspec::conformance
