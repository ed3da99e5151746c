#include <dlspec/conformance/report/wrap.h>

#include <sstream>

#include <gtest/gtest.h>

namespace dlspec::conformance {
namespace {

TEST(Wrapped, BreaksBetweenWordsOnly) {
  EXPECT_EQ(wrapped("", 2, 0), "");
  EXPECT_EQ(wrapped("one two three", 2, 0, 7), "one two\n  three");
  EXPECT_EQ(wrapped("one two three", 2, 0, 6), "one\n  two\n  three");
  EXPECT_EQ(wrapped("one two three", 2, 4, 8), "one\n  two\n  three") << "the first line begins late";
  EXPECT_EQ(wrapped("a longwordindeed b", 0, 0, 4), "a\nlongwordindeed\nb");
  EXPECT_EQ(wrapped("one  two", 0, 0), "one two");
}

TEST(Labelled, KeepsThePageWidth) {
  std::string text;
  for (int i = 0; i < 60; ++i) text += "word ";
  std::istringstream lines(labelled("level", text));
  std::string line;
  ASSERT_TRUE(std::getline(lines, line));
  EXPECT_TRUE(line.starts_with("  level       word word"));
  EXPECT_EQ(line.size(), 98u);
  while (std::getline(lines, line)) {
    EXPECT_TRUE(line.starts_with("              word")) << line;
    EXPECT_LE(line.size(), page_width);
  }
}

}  // namespace
}  // namespace dlspec::conformance
