#include <dlspec/conformance/report/claims.h>

#include <algorithm>

#include <gtest/gtest.h>

#include <dlspec/conformance/core/sample_document.h>
#include <dlspec/conformance/plan/plan.h>

namespace dlspec::conformance {
namespace {

// A record with this status for the first `count` rules that are asked of a role, and `rest` for the others.
void add_records(Document& document, Role role, std::size_t count, Verdict status, Verdict rest) {
  const std::vector<RuleId> asked = asked_rules(SubjectKind::python, role);
  for (std::size_t i = 0; i < asked.size(); ++i) {
    const std::string case_id = std::string(role_name(role)) + "/float32/c/" + std::to_string(i);
    document.results.push_back(sample_record(asked[i], i < count ? status : rest, case_id, "seen"));
  }
}

Document empty_results() {
  Document document = sample_document();
  document.results.clear();
  return document;
}

std::size_t asked_count(Role role) { return asked_rules(SubjectKind::python, role).size(); }

Claim claim_of(const Document& document) { return conformance::claim_of(document, document.subjects[0]); }

std::string said(const Document& document) {
  const Claim claim = claim_of(document);
  return verdict_text(claim) + "; " + exercised_text(claim);
}

Document passing() {
  Document document = empty_results();
  add_records(document, Role::producer, 1000, Verdict::pass, Verdict::pass);
  add_records(document, Role::consumer, 1000, Verdict::pass, Verdict::pass);
  return document;
}

TEST(AskedRules, AreThoseOfAWholePlan) {
  for (const SubjectKind kind : {SubjectKind::python, SubjectKind::plugin}) {
    for (const Role role : {Role::producer, Role::consumer, Role::bridge}) {
      Selection selection;
      selection.kind = kind;
      selection.roles = {role};
      std::vector<RuleId> planned;
      for (const Case& work : make_plan(selection)) planned.insert(planned.end(), work.rules.begin(), work.rules.end());
      std::sort(planned.begin(), planned.end());
      planned.erase(std::unique(planned.begin(), planned.end()), planned.end());
      EXPECT_EQ(asked_rules(kind, role), planned) << role_name(role);
    }
  }
}

TEST(Claim, ConformsWhereEnoughOfEachRoleWasExercised) {
  EXPECT_EQ(said(passing()), "conforms; producer 100 %, consumer 100 % of rules exercised");
  EXPECT_EQ(said(empty_results()), "is not judged; ");
}

TEST(Claim, NeedsTheLeastShareOfEachRole) {
  const std::size_t asked = asked_count(Role::consumer);
  const std::size_t enough = (asked * least_exercised + 99) / 100;
  Document document = empty_results();
  add_records(document, Role::producer, 1000, Verdict::pass, Verdict::pass);
  Document short_of_it = document;
  add_records(document, Role::consumer, enough, Verdict::pass, Verdict::unsupported);
  EXPECT_EQ(said(document), "conforms; producer 100 %, consumer 50 % of rules exercised");
  add_records(short_of_it, Role::consumer, enough - 1, Verdict::pass, Verdict::blocked);
  const std::string percent = std::to_string((enough - 1) * 100 / asked);
  EXPECT_EQ(said(short_of_it), "is not judged; producer 100 %, consumer " + percent +
                                   " % of rules exercised (50 % of each role are needed)");
}

TEST(Claim, RulesThatSayNothingAboutASubjectDoNotBind) {
  Document document = empty_results();
  add_records(document, Role::producer, 10, Verdict::pass, Verdict::not_applicable);
  const Claim claim = claim_of(document);
  ASSERT_EQ(claim.roles.size(), 1U) << "the consumer was not asked";
  EXPECT_EQ(claim.roles[0].binding, 10U);
  EXPECT_EQ(claim.roles[0].exercised, 10U);
  fill_figures(document);
  EXPECT_EQ(document.subjects[0].figures, claim.roles);
}

TEST(Claim, ASelectionIsMeasuredAgainstAWholeRun) {
  Document document = empty_results();
  document.results.push_back(sample_record(RuleId::managed_borrow, Verdict::pass, "producer/float32/c/plain"));
  const Claim claim = claim_of(document);
  EXPECT_EQ(claim.roles[0].binding, asked_count(Role::producer));
  EXPECT_EQ(claim.roles[0].exercised, 1U);
  EXPECT_FALSE(claim.is_judged());
}

TEST(Claim, CountsRulesOnceByTheWorst) {
  Document document = passing();
  const auto add = [&](RuleId rule, Verdict status, const char* variant) {
    document.results.push_back(sample_record(rule, status, std::string("producer/int8/c/") + variant, "seen"));
  };
  add(RuleId::tensor_zero_copy, Verdict::info, "a");
  EXPECT_EQ(said(document), "conforms; producer 100 %, consumer 100 % of rules exercised");
  add(RuleId::tensor_data_null_when_empty, Verdict::warn, "b");
  add(RuleId::tensor_data_null_when_empty, Verdict::warn, "c");
  EXPECT_EQ(verdict_text(claim_of(document)), "conforms, 1 warning");
  add(RuleId::managed_borrow, Verdict::xfail, "d");
  add(RuleId::managed_borrow, Verdict::warn, "e");
  EXPECT_EQ(verdict_text(claim_of(document)), "conforms but for 1 accepted deviation, 1 warning");
  add(RuleId::managed_deleter_once, Verdict::crash, "f");
  EXPECT_EQ(verdict_text(claim_of(document)), "does not conform: 1 rule fails, 1 accepted deviation, 1 warning");
  add(RuleId::tensor_data_null_when_empty, Verdict::fail, "g");
  EXPECT_EQ(verdict_text(claim_of(document)), "does not conform: 2 rules fail, 1 accepted deviation");
}

}  // namespace
}  // namespace dlspec::conformance
