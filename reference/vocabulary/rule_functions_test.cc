// The functions that read rules.def: finding a rule, its group, its interval, its names, and globs of ids.
#include <dlspec/vocabulary/rules.h>

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace dlspec {
namespace {

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
