// The lint of rules.def.
#include <dlspec/vocabulary/rules.h>

#include <algorithm>
#include <iterator>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <dlspec/vocabulary/finding.h>
#include <dlspec/vocabulary/mitigations.h>
#include <dlspec/vocabulary/table_testing.h>

namespace dlspec {
namespace {

constexpr std::string_view group_order[] = {"version", "abi",     "device", "dtype",  "tensor",   "managed",
                                            "flags",   "capsule", "python", "stream", "exchange", "bridge"};

// Names of the enumerators of RuleId.
constexpr std::string_view enumerators[] = {
#define DLSPEC_RULE(name, ...) #name,
#include <dlspec/vocabulary/rules.def>
#undef DLSPEC_RULE
};

std::set<RuleId> rules_with_findings() {
  std::set<RuleId> set;
  for (const FindingRow& row : finding_table()) set.insert(row.rule);
  return set;
}

// What no text of the table may contain: abbreviations that only their authors know, notation instead of words, and the
// ends of truncated sentences.
constexpr const char* forbidden_texts[] = {
    "seed", "TITLE", "TODO", "AA2", "FD2", "PS ", "H0.", "H1.", "⇒",   "≥",    "∧",  "→",
    "|",    "  ",    "≠",    "§",   "P/C", "np#", "pt#", "aa#", "cp#", "e.g.", "..", " ;",
};

bool is_clean(std::string_view text) {
  if (text.empty() || text.front() == ' ' || text.back() == ' ') return false;
  return std::none_of(std::begin(forbidden_texts), std::end(forbidden_texts),
                      [&](const char* forbidden) { return text.find(forbidden) != std::string_view::npos; });
}

// Follows `implied_by` or `needs` from a rule; true when the path has a cycle.
template <class Next>
bool has_cycle(const Rule& rule, const Next& next, std::vector<const Rule*>& path) {
  if (std::find(path.begin(), path.end(), &rule) != path.end()) return true;
  path.push_back(&rule);
  for (const std::string& id : next(rule)) {
    const Rule* const successor = find_rule(id);
    if (successor != nullptr && has_cycle(*successor, next, path)) return true;
  }
  path.pop_back();
  return false;
}

template <class Next>
bool has_cycle(const Rule& rule, const Next& next) {
  std::vector<const Rule*> path;
  return has_cycle(rule, next, path);
}

// Conventions whose violation is a warning, more than their level asks for; a milder status is in mitigations.def.
const std::set<std::string_view> warned_conventions = {"version.major-published", "flags.read-only-legacy-refused"};

TEST(Rules, AreIndexedByTheirEnumerators) {
  EXPECT_EQ(rules().size(), std::size(enumerators));
  for (std::size_t i = 0; i < rules().size(); ++i) {
    EXPECT_EQ(static_cast<std::size_t>(rules()[i].rule), i) << rules()[i].id;
    EXPECT_EQ(&rule(rules()[i].rule), &rules()[i]);
  }
}

TEST(Rules, HaveUniqueIds) { EXPECT_EQ(repeated(rules(), &Rule::id), ""); }

TEST(Rules, HaveWellFormedIds) {
  const std::regex form("[a-z]+\\.[a-z0-9]+([-_][a-z0-9]+)*");
  for (const Rule& rule : rules()) EXPECT_TRUE(std::regex_match(rule.id, form)) << rule.id;
}

TEST(Rules, AreNamedLikeTheirIds) {
  for (std::size_t i = 0; i < rules().size(); ++i) {
    std::string expected = rules()[i].id;
    std::replace_if(expected.begin(), expected.end(), [](char c) { return c == '.' || c == '-'; }, '_');
    EXPECT_EQ(enumerators[i], expected);
  }
}

TEST(Rules, ComeGroupByGroup) {
  std::vector<std::string_view> groups;
  for (const Rule& rule : rules()) {
    if (groups.empty() || groups.back() != rule_group(rule)) groups.push_back(rule_group(rule));
  }
  EXPECT_TRUE(std::equal(groups.begin(), groups.end(), std::begin(group_order), std::end(group_order)))
      << testing::PrintToString(groups);
}

TEST(Rules, HaveShortTitlesOfTheirOwn) {
  EXPECT_EQ(repeated(rules(), &Rule::title), "");
  for (const Rule& rule : rules()) {
    const std::string_view title = rule.title;
    EXPECT_TRUE(is_clean(title)) << rule.id << ": " << title;
    EXPECT_LE(title.size(), 60u) << rule.id << ": " << title;
    EXPECT_FALSE(title.ends_with('.')) << rule.id << ": " << title;
  }
}

TEST(Rules, HaveASource) {
  for (const Rule& rule : rules()) EXPECT_TRUE(is_clean(rule.source)) << rule.id << ": " << rule.source;
}

TEST(Rules, SourcesOfImpliedRulesSayThatTheyAreDerived) {
  for (const Rule& rule : rules()) {
    if (rule.level != Level::implied) continue;
    EXPECT_TRUE(std::string_view(rule.source).starts_with("derived from ")) << rule.id << ": " << rule.source;
  }
}

TEST(Rules, HaveARequirement) {
  for (const Rule& rule : rules()) {
    const std::string_view requirement = rule.requirement;
    EXPECT_TRUE(is_clean(requirement)) << rule.id << ": " << requirement;
    EXPECT_TRUE(requirement.ends_with('.')) << rule.id << ": " << requirement;
    EXPECT_LE(requirement.size(), 300u) << rule.id;
  }
}

TEST(Rules, RequirementsUseTheWordOfTheirLevel) {
  for (const Rule& rule : rules()) {
    const std::string requirement = rule.requirement;
    const bool binding = rule.level == Level::must || rule.level == Level::implied;
    if (binding && rule.rule != RuleId::version_compile_time_macros) {
      EXPECT_NE(requirement.find("must"), std::string::npos) << rule.id << ": " << requirement;
    }
    if (rule.level == Level::should) {
      EXPECT_NE(requirement.find("should"), std::string::npos) << rule.id << ": " << requirement;
    }
  }
}

TEST(Rules, ImpliedOnesNameWhatTheyFollowFrom) {
  for (const Rule& rule : rules()) {
    const std::string_view cause = rule.implied_by;
    EXPECT_EQ(rule.level == Level::implied, !cause.empty()) << rule.id;
    if (cause.empty() || cause == "memory-safety") continue;
    const Rule* const other = find_rule(cause);
    ASSERT_NE(other, nullptr) << rule.id << " is implied by " << cause;
    EXPECT_LE(other->level, Level::should) << rule.id << " is implied by " << cause;
  }
}

TEST(Rules, ImplicationsAreAcyclic) {
  const auto next = [](const Rule& rule) { return words(rule.implied_by); };
  for (const Rule& rule : rules()) EXPECT_FALSE(has_cycle(rule, next)) << rule.id;
}

TEST(Rules, NeedsExist) {
  for (const Rule& rule : rules()) {
    std::set<std::string> seen;
    for (const std::string& id : words(rule.needs)) {
      EXPECT_NE(find_rule(id), nullptr) << rule.id << " needs " << id;
      EXPECT_TRUE(seen.insert(id).second) << rule.id << " needs " << id << " twice";
    }
  }
}

TEST(Rules, NeedsAreAcyclic) {
  const auto next = [](const Rule& rule) { return words(rule.needs); };
  for (const Rule& rule : rules()) EXPECT_FALSE(has_cycle(rule, next)) << rule.id;
}

// A need that is not checked would always block the rule, or never.
TEST(Rules, CheckedOnesNeedCheckedOnesOnly) {
  for (const Rule& rule : rules()) {
    if (rule.coverage != Coverage::checked) continue;
    for (const std::string& id : words(rule.needs)) {
      const Rule* const need = find_rule(id);
      EXPECT_TRUE(need != nullptr && need->coverage == Coverage::checked) << rule.id << " needs " << id;
    }
  }
}

TEST(Rules, SayWhyTheyAreNotChecked) {
  for (const Rule& rule : rules()) {
    const std::string_view reason = rule.reason;
    EXPECT_EQ(rule.coverage == Coverage::checked, reason.empty()) << rule.id;
    if (reason.empty()) continue;
    EXPECT_TRUE(is_clean(reason)) << rule.id << ": " << reason;
    EXPECT_GE(words(reason).size(), 4u) << rule.id << ": " << reason;
    EXPECT_FALSE(reason.ends_with('.')) << rule.id;
  }
}

TEST(Rules, ReadOffTheStructAreThoseWithFindings) {
  const std::set<RuleId> with_findings = rules_with_findings();
  for (const Rule& rule : rules()) {
    const bool has_findings = with_findings.contains(rule.rule);
    EXPECT_EQ(rule.check == Check::struct_bytes, has_findings) << rule.id;
    if (has_findings) {
      EXPECT_EQ(rule.coverage, Coverage::checked) << rule.id;
    }
  }
}

// A finding about a struct to which its rule does not apply would contradict the table.
TEST(Rules, IntervalsCoverEveryStructThatCanShowAViolation) {
  const abi::Version zero{0, 0};
  const abi::Version foreign{0xFFFFFFFF, 0xFFFFFFFF};
  for (const RuleId id : rules_with_findings()) {
    const Rule& row = rule(id);
    EXPECT_TRUE(row.interval.scope == Interval::Scope::any || row.interval.scope == Interval::Scope::dlpack) << row.id;
    EXPECT_TRUE(interval::covers(row.interval, &abi::newest_version)) << row.id;
    EXPECT_TRUE(interval::covers(row.interval, &foreign)) << row.id;
    const bool versioned_only =
        rule_group(row) == "version" || rule_group(row) == "flags" || id == RuleId::tensor_strides_not_null;
    EXPECT_EQ(interval::covers(row.interval, nullptr), !versioned_only) << row.id;
  }
  EXPECT_TRUE(interval::covers(rule(RuleId::version_filled).interval, &zero));
  EXPECT_FALSE(interval::covers(rule(RuleId::version_filled).interval, nullptr));
}

TEST(Rules, ViolationsHaveTheStatusOfTheirLevel) {
  for (const Rule& rule : rules()) {
    const Mitigation* const mitigation = mitigation_of(rule);
    const Verdict usual = warned_conventions.contains(rule.id) ? Verdict::warn : verdict_of(rule.level);
    EXPECT_EQ(rule.violated, mitigation != nullptr ? mitigation->verdict : usual)
        << rule.id << " is " << verdict_name(rule.violated);
  }
}

TEST(Rules, FindingsBeginWithTheStatusOfTheirRule) {
  std::set<RuleId> seen;
  for (const FindingRow& row : finding_table()) {
    if (!seen.insert(row.rule).second) continue;
    const bool refusal = row.rule == RuleId::tensor_ndim_cap_refused;  // there: what dlspec itself does not read
    EXPECT_EQ(row.verdict, refusal ? Verdict::unsupported : rule(row.rule).violated) << rule(row.rule).id;
  }
}

TEST(Rules, AreSinceAPublishedVersion) {
  const std::regex form("[0-9]+\\.[0-9]+\\.[0-9]+");
  for (const Rule& rule : rules()) EXPECT_TRUE(std::regex_match(rule.since, form)) << rule.id;
}

}  // namespace
}  // namespace dlspec
