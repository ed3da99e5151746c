// Rules that are blocked because a rule that they need has failed.
#include <dlspec/conformance/verdict/verdict.h>

#include <map>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/core/record.h>
#include <dlspec/conformance/verdict/sample_answers.h>

namespace dlspec::conformance {
namespace {

using Kind = Outcome::Kind;

// tensor.element-address needs tensor.strides-unit, which needs tensor.strides-not-null.
TEST(Preconditions, ARuleWhosePreconditionFailedIsBlocked) {
  Case work = sample_case();
  work.rules = {RuleId::tensor_strides_not_null, RuleId::tensor_element_address};
  for (const Kind kind : {Kind::pass, Kind::violated, Kind::info}) {
    Answer answer;
    answer.outcomes[RuleId::tensor_strides_not_null] = outcome_of(Kind::violated);
    answer.outcomes[RuleId::tensor_element_address] = outcome_of(kind);
    const Judged judged = judge("numpy", work, answer);
    EXPECT_EQ(statuses(judged.records), (std::vector{Verdict::fail, Verdict::blocked}));
    EXPECT_EQ(judged.records[1].observed, "by tensor.strides-not-null");
    answer.outcomes[RuleId::tensor_strides_not_null].verdict = Verdict::info;
    EXPECT_NE(judge("numpy", work, answer).records[1].status, Verdict::blocked) << "an observation blocks nothing";
  }
}

TEST(Preconditions, APreconditionFailsByAViolationAndByADeath) {
  Case work = sample_case();
  work.rules = {RuleId::tensor_strides_not_null, RuleId::tensor_element_address};
  const auto second_after = [&](const Outcome& first) {
    Answer answer;
    answer.outcomes[RuleId::tensor_strides_not_null] = first;
    answer.outcomes[RuleId::tensor_element_address] = outcome_of(Kind::violated);
    return judge("numpy", work, answer).records[1].status;
  };
  for (const Kind kind : {Kind::violated, Kind::crash, Kind::timeout}) {
    EXPECT_EQ(second_after(outcome_of(kind)), Verdict::blocked);
  }
  for (const Kind kind :
       {Kind::pass, Kind::info, Kind::unsupported, Kind::not_applicable, Kind::blocked, Kind::skipped}) {
    EXPECT_EQ(second_after(outcome_of(kind)), Verdict::fail);
  }
  Outcome frowned_upon = outcome_of(Kind::violated);
  frowned_upon.verdict = Verdict::warn;
  EXPECT_EQ(second_after(frowned_upon), Verdict::blocked);
}

TEST(Preconditions, AnUnsupportedRuleStaysSo) {
  Case work = sample_case();
  work.rules = {RuleId::tensor_strides_not_null, RuleId::tensor_element_address};
  Answer answer;
  answer.outcomes[RuleId::tensor_strides_not_null] = outcome_of(Kind::violated);
  answer.outcomes[RuleId::tensor_element_address] = outcome_of(Kind::unsupported);
  EXPECT_EQ(judge("numpy", work, answer).records[1].status, Verdict::unsupported);
}

// In a cycle two rules could block each other, and no rule would report the fault.
TEST(Preconditions, HaveNoCycle) {
  std::map<std::string_view, int> state;  // 1: being visited, 2: done
  const auto visit = [&](const auto& self, const Rule& row) -> bool {
    int& mark = state[row.id];
    if (mark != 0) return mark == 2;
    mark = 1;
    std::istringstream needs(row.needs);
    for (std::string id; needs >> id;) {
      const Rule* needed = find_rule(id);
      EXPECT_NE(needed, nullptr) << row.id << " needs " << id;
      if (needed != nullptr && !self(self, *needed)) return false;
    }
    state[row.id] = 2;
    return true;
  };
  for (const Rule& row : rules()) EXPECT_TRUE(visit(visit, row)) << row.id;
}

}  // namespace
}  // namespace dlspec::conformance
