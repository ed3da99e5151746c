// The lint of mitigations.def, and the functions that read it.
#include <dlspec/vocabulary/mitigations.h>

#include <regex>
#include <set>

#include <gtest/gtest.h>

#include <dlspec/vocabulary/table_testing.h>

namespace dlspec {
namespace {

using Scope = Mitigation::Scope;

std::string rule_part(const std::string& name) { return name.substr(0, name.find(':')); }

TEST(Mitigations, HaveWellFormedUniqueIds) {
  const std::regex form("[a-z0-9]+(-[a-z0-9]+)+");
  EXPECT_EQ(repeated(mitigations(), &Mitigation::id), "");
  for (const Mitigation& row : mitigations()) {
    EXPECT_TRUE(std::regex_match(row.id, form)) << row.id;
    EXPECT_EQ(find_mitigation(row.id), &row);
  }
  for (const char* id : {"", "major", "major-zero ", "warn"}) EXPECT_EQ(find_mitigation(id), nullptr) << id;
}

TEST(Mitigations, AreMilderThanTheLevelOfTheirRules) {
  for (const Mitigation& row : mitigations()) {
    EXPECT_TRUE(row.verdict == Verdict::warn || row.verdict == Verdict::info) << row.id;
    for (const std::string& name : words(row.rules)) {
      const Rule* const named = find_rule(rule_part(name));
      ASSERT_NE(named, nullptr) << row.id << " names " << name;
      EXPECT_TRUE(is_milder(row.verdict, named->level)) << row.id << ": " << name << " is " << level_name(named->level);
      EXPECT_TRUE(covers(row, *named)) << row.id << ": " << name;
      EXPECT_EQ(name.find(':') != std::string::npos, row.scope == Scope::finding) << row.id << ": " << name;
    }
    const bool for_all = row.scope == Scope::library || row.scope == Scope::run;
    EXPECT_EQ(words(row.rules).empty(), for_all) << row.id;
  }
}

TEST(Mitigations, SayWhy) {
  for (const Mitigation& row : mitigations()) {
    EXPECT_TRUE(*row.question == '\0' || find_question(row.question) != nullptr) << row.id << ": " << row.question;
    EXPECT_TRUE(std::string(row.reason).ends_with('.')) << row.id;
    EXPECT_GE(words(row.reason).size(), 4U) << row.id;
    EXPECT_FALSE(std::string(row.condition).ends_with('.')) << row.id;
    EXPECT_GE(words(row.condition).size(), 3U) << row.id;
  }
}

// rules_test.cc compares the rows of scope `always` with rules.def.
TEST(Mitigations, ExplainEveryMilderFinding) {
  std::set<const Mitigation*> used;
  for (const FindingRow& row : finding_table()) {
    const Mitigation* const mitigation = mitigation_of(Finding{row.rule, row.variant});
    const Rule& violated = rule(row.rule);
    if (!is_milder(row.verdict, violated.level)) {
      EXPECT_EQ(mitigation, nullptr) << violated.id << ":" << int{row.variant};
      continue;
    }
    ASSERT_NE(mitigation, nullptr) << violated.id << ":" << int{row.variant} << " is " << verdict_name(row.verdict);
    EXPECT_EQ(mitigation->verdict, row.verdict) << violated.id << ":" << int{row.variant};
    used.insert(mitigation);
  }
  for (const Mitigation& row : mitigations()) {
    EXPECT_TRUE(row.scope != Scope::finding || used.contains(&row)) << row.id << ": no finding has it";
  }
}

TEST(Mitigations, OfARule) {
  EXPECT_STREQ(mitigation_of(rule(RuleId::tensor_zero_copy))->id, "needless-import-copy");
  EXPECT_EQ(mitigation_of(rule(RuleId::version_major_mismatch_release)), nullptr) << "only where a worker says so";
  std::vector<std::string> ids;
  for (const Mitigation* row : mitigations_about(rule(RuleId::stream_cpu_none))) ids.emplace_back(row->id);
  EXPECT_EQ(ids, (std::vector<std::string>{"stream-keyword-missing", "stream-minus-one"}));
  EXPECT_TRUE(covers(*find_mitigation("seen-once"), rule(RuleId::managed_borrow)));
  EXPECT_FALSE(covers(*find_mitigation("major-zero"), rule(RuleId::managed_borrow)));
}

TEST(Mitigations, MilderIsLessThanTheLevelAsksFor) {
  EXPECT_TRUE(is_milder(Verdict::warn, Level::must));
  EXPECT_TRUE(is_milder(Verdict::info, Level::implied));
  EXPECT_TRUE(is_milder(Verdict::info, Level::should));
  EXPECT_FALSE(is_milder(Verdict::warn, Level::should));
  EXPECT_FALSE(is_milder(Verdict::info, Level::convention));
  EXPECT_FALSE(is_milder(Verdict::warn, Level::may));
  for (const Verdict verdict : {Verdict::pass, Verdict::fail, Verdict::unsupported, Verdict::crash}) {
    EXPECT_FALSE(is_milder(verdict, Level::must)) << verdict_name(verdict);
  }
}

TEST(Mitigations, ReasonsNameTheQuestion) {
  EXPECT_EQ(reason_text(*find_mitigation("major-zero")),
            "No release of DLPack has a versioned struct with major version 0, so that nothing can be misread (open "
            "question foreign-major).");
  EXPECT_EQ(reason_text(*find_mitigation("malformed-device-taken")), "No consumer sends one.");
}

}  // namespace
}  // namespace dlspec
