// The control cases, run through the functions of the native worker.
#include <gtest/gtest.h>

#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/judging/control_cases.h>
#include <dlspec/conformance/worker/native/builtin.h>
#include <dlspec/conformance/worker/native/faulty.h>
#include <dlspec/conformance/worker/native/native_worker.h>
#include <dlspec/conformance/worker/protocol/messages.h>

namespace dlspec::conformance {
namespace {

const DlspecPlugin& plugin_of(const ControlCase& control) {
  return control.work.control == "bad" ? *faulty_plugin() : *builtin_plugin();
}

TEST(ControlCases, AreAConformingAndAFaultyOneForEachRole) {
  for (const SubjectKind kind : {SubjectKind::builtin, SubjectKind::python, SubjectKind::plugin}) {
    std::string text;
    for (const ControlCase& control : control_cases(kind)) {
      text += std::string(role_name(control.work.role)) + " " + control.work.control +
              (control.violated ? " breaks, " : " conforms, ");
    }
    EXPECT_EQ(text, "producer good conforms, producer bad breaks, consumer good conforms, consumer bad breaks, ");
  }
}

TEST(ControlCases, HaveTheirFixedOutcome) {
  for (const ControlCase& control : control_cases(SubjectKind::plugin)) {
    EXPECT_EQ(control_mismatch(control, answer_case(plugin_of(control), control.work)), "");
  }
}

TEST(ControlCases, ReportAnyOtherOutcome) {
  for (const ControlCase& control : control_cases(SubjectKind::plugin)) {
    const DlspecPlugin& other = control.violated ? *builtin_plugin() : *faulty_plugin();
    const std::string why = control_mismatch(control, answer_case(other, control.work));
    EXPECT_NE(why.find(control.violated ? "was not found to break" : "was found to break"), std::string::npos) << why;

    // A worker that gives every rule the same outcome.
    for (const Outcome::Kind kind : {Outcome::Kind::pass, Outcome::Kind::violated, Outcome::Kind::blocked}) {
      Answer answer;
      for (const RuleId id : control.work.rules) answer.outcomes[id] = Outcome{kind, "all", "", {}};
      const bool passes = !control.violated && kind == Outcome::Kind::pass;
      EXPECT_EQ(control_mismatch(control, answer).empty(), passes) << control.work.control << " " << outcome_name(kind);
    }
    const std::string unanswered =
        control_mismatch(control, Answer{Answer::Kind::unsupported, {}, "the worker would not"});
    EXPECT_NE(unanswered.find("was not judged: the worker would not"), std::string::npos) << unanswered;

    // For a faulty library the violated rule alone is enough.
    Answer alone;
    if (control.violated)
      alone.outcomes[*control.violated] = Outcome{Outcome::Kind::violated, "as it should be", "", {}};
    EXPECT_EQ(control_mismatch(control, alone).empty(), control.violated.has_value());

    // A finding of any other rule is reported, however mild.
    for (const Verdict mild : {Verdict::fail, Verdict::warn, Verdict::info}) {
      Answer answer = answer_case(plugin_of(control), control.work);
      const RuleId second = control.work.rules[control.work.rules.front() == control.violated ? 1 : 0];
      answer.outcomes[second] = Outcome{Outcome::Kind::violated, "too much", "", mild};
      EXPECT_NE(control_mismatch(control, answer).find("was found to break " + std::string(rule(second).id)),
                std::string::npos);
    }
  }
}

}  // namespace
}  // namespace dlspec::conformance
