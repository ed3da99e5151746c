// The lint of rules.def, and the functions that read it.
#include <dlspec/vocabulary/rules.h>

#include <algorithm>
#include <iterator>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <dlspec/vocabulary/finding.h>
#include <dlspec/vocabulary/mitigations.h>

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

std::vector<std::string> words(std::string_view text) {
  std::istringstream stream{std::string(text)};
  return {std::istream_iterator<std::string>(stream), {}};
}

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

TEST(Rules, HaveUniqueIds) {
  std::set<std::string_view> seen;
  for (const Rule& rule : rules()) EXPECT_TRUE(seen.insert(rule.id).second) << rule.id;
}

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

TEST(Rules, HaveShortTitles) {
  std::set<std::string_view> seen;
  for (const Rule& rule : rules()) {
    const std::string_view title = rule.title;
    EXPECT_TRUE(is_clean(title)) << rule.id << ": " << title;
    EXPECT_LE(title.size(), 60u) << rule.id << ": " << title;
    EXPECT_FALSE(title.ends_with('.')) << rule.id << ": " << title;
    EXPECT_TRUE(seen.insert(title).second) << rule.id << ": another rule is titled " << title;
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
    EXPECT_EQ(rule.broken, mitigation != nullptr ? mitigation->verdict : usual)
        << rule.id << " is " << verdict_name(rule.broken);
  }
}

TEST(Rules, FindingsBeginWithTheStatusOfTheirRule) {
  std::set<RuleId> seen;
  for (const FindingRow& row : finding_table()) {
    if (!seen.insert(row.rule).second) continue;
    const bool refusal = row.rule == RuleId::tensor_ndim_cap_refused;  // there: what dlspec itself does not read
    EXPECT_EQ(row.verdict, refusal ? Verdict::unsupported : rule(row.rule).broken) << rule(row.rule).id;
  }
}

TEST(Rules, AreSinceAPublishedVersion) {
  const std::regex form("[0-9]+\\.[0-9]+\\.[0-9]+");
  for (const Rule& rule : rules()) EXPECT_TRUE(std::regex_match(rule.since, form)) << rule.id;
}

TEST(FindRule, FindsEveryIdAndNothingElse) {
  for (const Rule& rule : rules()) EXPECT_EQ(find_rule(rule.id), &rule);
  for (const char* id :
       {"", "tensor", "tensor.", "tensor.strides-not-nul", "tensor.strides-not-null ", "Tensor.strides-not-null"}) {
    EXPECT_EQ(find_rule(id), nullptr) << id;
  }
}

TEST(RuleGroup, IsThePartBeforeTheDot) {
  EXPECT_EQ(rule_group(rule(RuleId::tensor_strides_not_null)), "tensor");
  EXPECT_EQ(rule_group(rule(RuleId::bridge_size_t_range)), "bridge");
}

TEST(DependsOn, FollowsNeedsOfNeeds) {
  const Rule& strides = rule(RuleId::tensor_strides_not_null);
  EXPECT_TRUE(depends_on(strides, rule(RuleId::tensor_ndim_nonnegative)));
  EXPECT_TRUE(depends_on(strides, rule(RuleId::abi_sizes_offsets)));
  EXPECT_FALSE(depends_on(strides, strides));
  EXPECT_FALSE(depends_on(strides, rule(RuleId::tensor_in_allocation)));
  EXPECT_FALSE(depends_on(rule(RuleId::abi_sizes_offsets), strides));
}

TEST(Covers, DecidesByTheStructsOwnVersion) {
  const abi::Version v1_1{1, 1}, v1_2{1, 2}, v1_3{1, 3}, v0_5{0, 5};
  EXPECT_FALSE(interval::covers(interval::from(1, 2), &v1_1));
  EXPECT_TRUE(interval::covers(interval::from(1, 2), &v1_2));
  EXPECT_TRUE(interval::covers(interval::from(1, 2), &v1_3));
  EXPECT_FALSE(interval::covers(interval::from(1, 2), nullptr));
  EXPECT_TRUE(interval::covers(interval::from(0, 6), nullptr));
  EXPECT_TRUE(interval::covers(interval::from(0, 6), &v0_5));
  EXPECT_TRUE(interval::covers(interval::from(1, 0), &v0_5));
  EXPECT_FALSE(interval::covers(interval::from(1, 1), &v0_5));
  EXPECT_TRUE(interval::covers(interval::between({0, 3}, {1, 1}), &v1_1));
  EXPECT_FALSE(interval::covers(interval::between({0, 3}, {1, 1}), &v1_2));
  EXPECT_TRUE(interval::covers(interval::between({0, 3}, {1, 1}), nullptr));
  EXPECT_TRUE(interval::covers(interval::legacy, nullptr));
  EXPECT_FALSE(interval::covers(interval::legacy, &v1_2));
  EXPECT_TRUE(interval::covers(interval::any, nullptr));
  EXPECT_TRUE(interval::covers(interval::array_api(2023), &v1_2));
}

TEST(Names, OfLevelsSidesAndChecks) {
  std::vector<std::string> levels, sides, checks;
  for (int i = 0; i < 5; ++i) levels.emplace_back(level_name(static_cast<Level>(i)));
  for (int i = 0; i < 3; ++i) sides.emplace_back(side_name(static_cast<Side>(i)));
  for (int i = 0; i < 6; ++i) checks.emplace_back(check_name(static_cast<Check>(i)));
  EXPECT_EQ(levels, (std::vector<std::string>{"must", "implied", "should", "may", "convention"}));
  EXPECT_EQ(sides, (std::vector<std::string>{"producer", "consumer", "both"}));
  EXPECT_EQ(checks, (std::vector<std::string>{"static", "dynamic", "python", "gpu", "sanitizer", "review"}));
}

TEST(Names, OfWhatIsNoEnumeratorAreUnknown) {
  EXPECT_STREQ(level_name(Level{99}), "unknown");
  EXPECT_STREQ(side_name(Side{99}), "unknown");
  EXPECT_STREQ(check_name(Check{99}), "unknown");
}

struct GlobRow {
  std::string_view pattern;
  std::string_view text;
  bool matches;
};

constexpr GlobRow glob_rows[] = {
    // Plain text matches itself.
    {"tensor.strides-not-null", "tensor.strides-not-null", true},
    {"tensor.strides-not-null", "tensor.strides-not-nul", false},
    {"tensor.strides-not-nul", "tensor.strides-not-null", false},
    {"", "", true},
    {"", "a", false},
    {"a", "", false},
    // A star crosses dots and slashes.
    {"*", "", true},
    {"*", "producer/float32/negative", true},
    {"tensor.*", "tensor.strides-not-null", true},
    {"tensor.*", "dtype.truthful", false},
    {"*/float32/*", "producer/float32/negative/max_version=1.0", true},
    {"*null", "null null", true},
    {"**", "a", true},
    {"a**b", "ab", true},
    // A question mark is exactly one character.
    {"dtype.fp?-bits-?", "dtype.fp8-bits-8", true},
    {"?", "", false},
    {"?", "ab", false},
    {"?*", "a", true},
    {"?*", "", false},
    {"*?", "abc", true},
    // A mismatch goes back to the last star.
    {"*ab*abc", "abababc", true},
    {"*abc", "abcab", false},
    {"a*b?c*d", "aXbbXcYYbZcd", true},
    // Alternatives; none without the closing brace.
    {"producer/{bool,int8}/c/plain", "producer/bool/c/plain", true},
    {"producer/{bool,int8}/c/plain", "producer/int8/c/plain", true},
    {"producer/{bool,int8}/c/plain", "producer/int16/c/plain", false},
    {"producer/{bool,int8}/c/plain", "producer//c/plain", false},
    {"*/{int*,bool}/{c,f}", "producer/int16/f", true},
    {"*/{int*,bool}/{c,f}", "producer/uint16/f", false},
    {"{a,b}c", "bc", true},
    {"a{b,}c", "ac", true},
    {"a{b}", "ab", true},
    {"a{", "a{", true},
    {"a}", "a}", true},
    // A pattern that is a part of a longer text ends where it ends.
    {std::string_view("ab*", 2), "abc", false},
    {std::string_view("ab?", 2), "abc", false},
    {std::string_view("ab*", 2), "ab", true},
    {std::string_view("*a*", 2), "aba", true},
    {std::string_view("*a?", 2), "aa", true},
};

TEST(GlobMatch, AnswersEachRow) {
  for (const auto& [pattern, text, matches] : glob_rows) {
    EXPECT_EQ(glob_match(pattern, text), matches) << pattern << " on " << text;
  }
}

// A matcher that retries every star for every other one takes exponential time on this pattern.
TEST(GlobMatch, ManyStarsTakeNoMoreThanQuadraticTime) {
  std::string pattern;
  for (int i = 0; i < 200; ++i) pattern += "a*";
  EXPECT_FALSE(glob_match(pattern + "b", std::string(5000, 'a')));
  EXPECT_TRUE(glob_match(pattern, std::string(5000, 'a')));
}

// The matcher against the definition of a glob, on every short pattern and text.
bool matches_by_definition(std::string_view pattern, std::string_view text) {
  if (pattern.empty()) return text.empty();
  if (pattern.front() == '*') {
    return matches_by_definition(pattern.substr(1), text) ||
           (!text.empty() && matches_by_definition(pattern, text.substr(1)));
  }
  return !text.empty() && (pattern.front() == '?' || pattern.front() == text.front()) &&
         matches_by_definition(pattern.substr(1), text.substr(1));
}

std::vector<std::string> all_words(std::string_view alphabet, std::size_t length) {
  std::vector<std::string> all{""};
  for (std::size_t begin = 0, end = 1; length > 0; --length, begin = end, end = all.size()) {
    for (std::size_t i = begin; i < end; ++i) {
      for (const char letter : alphabet) all.push_back(all[i] + letter);
    }
  }
  return all;
}

TEST(GlobMatch, AgreesWithTheDefinitionOnAllShortWords) {
  const std::vector<std::string> texts = all_words("ab", 5);
  ASSERT_EQ(texts.size(), 1u + 2 + 4 + 8 + 16 + 32);
  for (const std::string& pattern : all_words("a?*b", 5)) {
    for (const std::string& text : texts) {
      ASSERT_EQ(glob_match(pattern, text), matches_by_definition(pattern, text)) << pattern << " on " << text;
    }
  }
}

}  // namespace
}  // namespace dlspec
