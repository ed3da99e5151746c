#include <dlspec/conformance/judging/control_cases.h>

#include <fmt/format.h>

#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/plan/plan.h>

namespace dlspec::conformance {
namespace {

struct ControlRow {
  const char* python;  // case id for Python subjects
  const char* native;  // case id for plug-ins
  RuleId violated;     // the rule that the faulty library violates
};
constexpr ControlRow rows[] = {
    {"producer/float32/c/max_version=1.3", "producer/float32/c/versioned", RuleId::tensor_strides_not_null},
    {"consumer/float32/c/versioned", "consumer/float32/c/versioned", RuleId::tensor_element_address},
};

bool is_finding(Verdict status) {
  return status == Verdict::fail || status == Verdict::warn || status == Verdict::info;
}

std::string name_of(const ControlCase& control) {
  return fmt::format("dlspec's own {} {} ({})", control.violated ? "faulty" : "conforming",
                     role_name(control.work.role), control.work.id);
}

}  // namespace

std::vector<ControlCase> control_cases(SubjectKind kind) {
  std::vector<ControlCase> all;
  for (const ControlRow& row : rows) {
    Selection selection;
    selection.kind = kind;
    selection.cases = is_native(kind) ? row.native : row.python;
    for (Case& work : make_plan(selection)) {
      work.control = "good";
      all.push_back({work, std::nullopt});
      work.control = "bad";
      all.push_back({std::move(work), row.violated});
    }
  }
  return all;
}

std::string control_mismatch(const ControlCase& control, const Answer& answer) {
  if (answer.kind != Answer::Kind::answered) return name_of(control) + " was not judged: " + answer.text;
  const Judged judged = judge("", control.work, answer);
  bool is_met = !control.violated;
  bool is_judged = false;
  for (const Record& record : judged.records) {
    if (is_finding(record.status) && record.rule != control.violated) {
      return fmt::format("{} was found to break {}: {}", name_of(control), rule(record.rule).id, record.observed);
    }
    is_met = is_met || record.status == Verdict::fail;  // of that rule: any other returned above
    is_judged = is_judged || record.status == Verdict::pass;
  }
  if (!is_met) return fmt::format("{} was not found to break {}", name_of(control), rule(*control.violated).id);
  if (!control.violated && !is_judged) return name_of(control) + " was not judged";
  return "";
}

}  // namespace dlspec::conformance
