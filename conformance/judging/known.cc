#include <dlspec/conformance/judging/known.h>

#include <fmt/format.h>

#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/plan/plan.h>

namespace dlspec::conformance {
namespace {

struct Row {
  const char* python;  // the case, as Python subjects are asked
  const char* native;  // and as plug-ins are
  RuleId broken;       // by the faulty library
};
constexpr Row rows[] = {
    {"producer/float32/c/max_version=1.3", "producer/float32/c/versioned", RuleId::tensor_strides_not_null},
    {"consumer/float32/c/versioned", "consumer/float32/c/versioned", RuleId::tensor_element_address},
};

bool is_finding(Verdict status) {
  return status == Verdict::fail || status == Verdict::warn || status == Verdict::info;
}

std::string who(const KnownCase& known) {
  return fmt::format("dlspec's own {} {} ({})", known.broken ? "faulty" : "conforming", role_name(known.work.role),
                     known.work.id);
}

}  // namespace

std::vector<KnownCase> known_cases(SubjectKind kind) {
  std::vector<KnownCase> all;
  for (const Row& row : rows) {
    Selection selection;
    selection.kind = kind;
    selection.cases = is_native(kind) ? row.native : row.python;
    for (Case& work : make_plan(selection)) {
      work.known = "good";
      all.push_back({work, std::nullopt});
      work.known = "bad";
      all.push_back({std::move(work), row.broken});
    }
  }
  return all;
}

std::string why_unknown(const KnownCase& known, const Answer& answer) {
  if (answer.kind != Answer::Kind::answered) return who(known) + " was not judged: " + answer.text;
  const Judged judged = judge("", known.work, answer);
  bool is_met = !known.broken;
  bool is_judged = false;
  for (const Record& record : judged.records) {
    if (is_finding(record.status) && record.rule != known.broken) {
      return fmt::format("{} was found to break {}: {}", who(known), rule(record.rule).id, record.observed);
    }
    is_met = is_met || record.status == Verdict::fail;  // of that rule: any other has been told
    is_judged = is_judged || record.status == Verdict::pass;
  }
  if (!is_met) return fmt::format("{} was not found to break {}", who(known), rule(*known.broken).id);
  if (!known.broken && !is_judged) return who(known) + " was not judged";
  return "";
}

}  // namespace dlspec::conformance
