#include <dlspec/conformance/core/text.h>

#include <string>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace dlspec::conformance {
namespace {

TEST(CleanText, KeepsWhatIsFit) {
  EXPECT_EQ(clean_text("déjà vu 漢字 😀\n\tend"), "déjà vu 漢字 😀\n\tend");
  EXPECT_EQ(clean_text(""), "");
}

TEST(CleanText, ReplacesWhatIsNoUtf8) {
  const std::string bad = "\xEF\xBF\xBD";
  EXPECT_EQ(clean_text("a\xFFz"), "a" + bad + "z");
  EXPECT_EQ(clean_text("\xC3"), bad) << "cut short";
  EXPECT_EQ(clean_text("\xC0\xAF"), bad + bad) << "overlong";
  EXPECT_EQ(clean_text("\xE0\x80\xAF"), bad + bad + bad) << "overlong";
  EXPECT_EQ(clean_text("\xED\xA0\x80"), bad + bad + bad) << "surrogate";
  EXPECT_EQ(clean_text("\xF4\x90\x80\x80"), bad + bad + bad + bad) << "beyond the last character";
}

TEST(CleanText, SpellsOutWhatMovesACursor) {
  EXPECT_EQ(clean_text(std::string("a\0b", 3)), "a\\x00b");
  EXPECT_EQ(clean_text("\x1b[2J\r\x7f"), "\\x1b[2J\\x0d\\x7f");
  EXPECT_EQ(clean_text("\xC2\x9B"), "\\x9b");
  EXPECT_EQ(clean_text("\xE2\x80\xAE"), "\\u202e");
}

TEST(CleanText, CutsAtACharacter) {
  const std::string cut = clean_text(std::string(1000, 'a') + "ä", 100);
  EXPECT_EQ(cut, std::string(82, 'a') + " [cut; 1002 bytes]");
  EXPECT_EQ(clean_text(cut, 100), cut);
  EXPECT_EQ(clean_text(std::string(100, 'a'), 100).size(), 100u);
  std::string umlauts;
  for (int i = 0; i < 200; ++i) umlauts += "ä";
  EXPECT_EQ(clean_text(umlauts, 50).find("\xEF\xBF\xBD"), std::string::npos);
}

RC_GTEST_PROP(CleanText, IsCleanAtOnce, (const std::string& text)) {
  RC_ASSERT(clean_text(clean_text(text)) == clean_text(text));
  RC_ASSERT(clean_text(text, 40).size() <= 40u);
}

TEST(SplitAt, GivesTheParts) {
  using Parts = std::vector<std::string>;
  EXPECT_EQ(split_at("", ','), Parts());
  EXPECT_EQ(split_at("a", ','), Parts{"a"});
  EXPECT_EQ(split_at("a,,b c", ','), (Parts{"a", "", "b c"}));
  EXPECT_EQ(split_at("a,b,", ','), (Parts{"a", "b"}));
}

}  // namespace
}  // namespace dlspec::conformance
