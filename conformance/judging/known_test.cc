// The exchanges whose outcome is known, through the native worker's own functions.
#include <gtest/gtest.h>

#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/judging/known.h>
#include <dlspec/conformance/worker/native/builtin.h>
#include <dlspec/conformance/worker/native/faulty.h>
#include <dlspec/conformance/worker/native/native_worker.h>
#include <dlspec/conformance/worker/protocol/messages.h>

namespace dlspec::conformance {
namespace {

const DlspecPlugin& plugin_of(const KnownCase& known) {
  return known.work.known == "bad" ? *faulty_plugin() : *builtin_plugin();
}

TEST(KnownCases, AreAConformingAndAFaultyOneForEachRole) {
  for (const SubjectKind kind : {SubjectKind::builtin, SubjectKind::python, SubjectKind::plugin}) {
    std::string text;
    for (const KnownCase& known : known_cases(kind)) {
      text += std::string(role_name(known.work.role)) + " " + known.work.known +
              (known.broken ? " breaks, " : " conforms, ");
    }
    EXPECT_EQ(text, "producer good conforms, producer bad breaks, consumer good conforms, consumer bad breaks, ");
  }
}

TEST(KnownCases, ComeOutAsKnown) {
  for (const KnownCase& known : known_cases(SubjectKind::plugin)) {
    EXPECT_EQ(why_unknown(known, answer_case(plugin_of(known), known.work)), "");
  }
}

TEST(KnownCases, AreNoticedWhenTheyDoNot) {
  for (const KnownCase& known : known_cases(SubjectKind::plugin)) {
    const DlspecPlugin& other = known.broken ? *builtin_plugin() : *faulty_plugin();
    const std::string why = why_unknown(known, answer_case(other, known.work));
    EXPECT_NE(why.find(known.broken ? "was not found to break" : "was found to break"), std::string::npos) << why;

    // All rules are answered alike, whatever was seen.
    for (const Outcome::Kind kind : {Outcome::Kind::pass, Outcome::Kind::broken, Outcome::Kind::blocked}) {
      Answer answer;
      for (const RuleId id : known.work.rules) answer.outcomes[id] = Outcome{kind, "all", "", {}};
      const bool passes = !known.broken && kind == Outcome::Kind::pass;
      EXPECT_EQ(why_unknown(known, answer).empty(), passes) << known.work.known << " " << outcome_name(kind);
    }
    const std::string unanswered = why_unknown(known, Answer{Answer::Kind::unsupported, {}, "the worker would not"});
    EXPECT_NE(unanswered.find("was not judged: the worker would not"), std::string::npos) << unanswered;

    // Of the faulty ones the rule that they break is enough.
    Answer alone;
    if (known.broken) alone.outcomes[*known.broken] = Outcome{Outcome::Kind::broken, "as it should be", "", {}};
    EXPECT_EQ(why_unknown(known, alone).empty(), known.broken.has_value());

    // One more rule than known is told, however mild.
    for (const Verdict mild : {Verdict::fail, Verdict::warn, Verdict::info}) {
      Answer answer = answer_case(plugin_of(known), known.work);
      const RuleId second = known.work.rules[known.work.rules.front() == known.broken ? 1 : 0];
      answer.outcomes[second] = Outcome{Outcome::Kind::broken, "too much", "", mild};
      EXPECT_NE(why_unknown(known, answer).find("was found to break " + std::string(rule(second).id)),
                std::string::npos);
    }
  }
}

}  // namespace
}  // namespace dlspec::conformance
