#include <dlspec/vocabulary/verdict.h>

#include <iterator>
#include <set>
#include <string>

#include <gtest/gtest.h>

namespace dlspec {
namespace {

TEST(VerdictName, IsUniqueAndParsedBack) {
  std::set<std::string> names;
  for (const Verdict verdict : all_verdicts) {
    EXPECT_TRUE(names.insert(verdict_name(verdict)).second) << verdict_name(verdict);
    EXPECT_EQ(parse_verdict(verdict_name(verdict)), verdict);
  }
  EXPECT_EQ(std::size(all_verdicts), static_cast<std::size_t>(Verdict::xpass) + 1);
  EXPECT_FALSE(names.contains("unknown"));
}

TEST(VerdictName, IsSpelledAsInTheResultDocument) {
  EXPECT_STREQ(verdict_name(Verdict::not_applicable), "not-applicable");
  EXPECT_STREQ(verdict_name(Verdict::xfail), "xfail");
  EXPECT_STREQ(verdict_name(Verdict{99}), "unknown");
}

TEST(ParseVerdict, RefusesOtherWords) {
  for (const char* text : {"", "Pass", "pass ", "not_applicable", "unknown", "passed"})
    EXPECT_EQ(parse_verdict(text), std::nullopt) << text;
}

}  // namespace
}  // namespace dlspec
