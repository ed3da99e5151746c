#include <dlspec/conformance/core/shell.h>
#include <dlspec/conformance/report/wrap.h>

#include <sstream>
#include <string>
#include <vector>

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

TEST(Columns, AreCharacters) {
  EXPECT_EQ(columns("abc"), 3u);
  EXPECT_EQ(columns("\u00e4\u2588x"), 3u);
}

TEST(Cut, SaysThatSomethingIsMissing) {
  EXPECT_EQ(cut("exactly", 7), "exactly");
  EXPECT_EQ(cut("too long", 7), "too ...");
  EXPECT_EQ(cut("\u00e4\u00e4\u00e4\u00e4\u00e4", 4), "\u00e4...") << "no character is halved";
  EXPECT_EQ(cut("abcdef", 2), "..");
}

TEST(LinesOf, KeepTheWidthAndTheNumber) {
  EXPECT_EQ(lines_of("one two\n three", 7), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(lines_of("  \n ", 7), std::vector<std::string>{});
  EXPECT_EQ(lines_of("one two three four", 8, 2), (std::vector<std::string>{"one two", "three..."}));
  EXPECT_EQ(lines_of("one two three", 7, 2), (std::vector<std::string>{"one two", "three"}));
  EXPECT_EQ(lines_of("averylongword", 8, 1), std::vector<std::string>{"avery..."});
  EXPECT_TRUE(lines_of("one", 8, 0).empty());
}

// What a shell makes of lines that are pasted.
std::vector<std::string> pasted(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += line.ends_with(" \\") ? line.substr(0, line.size() - 1) : line + "\n";
  return split_words(text).value_or(std::vector<std::string>{"an open quotation"});
}

TEST(WrittenWords, KeepTheirQuotes) {
  EXPECT_EQ(written_words("a  'b c' \"d \\\" e\" f\\ g"),
            (std::vector<std::string>{"a", "'b c'", "\"d \\\" e\"", "f\\ g"}));
  EXPECT_EQ(written_words("a 'b c"), (std::vector<std::string>{"a", "'b c"}));
}

TEST(LinesOfCommand, CanBePastedWhereverTheyAreBroken) {
  const std::string path = "/" + std::string(70, 'p') + "/a";
  const std::string command = "DLSPEC_X=1 " + path +
                              "/dlspec run './my lib.so' --case producer/float32/c/plain --python " + path +
                              " --wrapper 'valgrind --quiet  -x' --setup \"a = \\\"b  c\\\"\" --strict";
  for (const std::size_t width : {20u, 40u, 60u, 80u, 300u}) {
    const std::vector<std::string> lines = lines_of_command(command, width);
    EXPECT_EQ(pasted(lines), split_words(command)) << width;
    for (const std::string& line : lines) {
      const bool is_one_word = line.find(' ', 2) >= line.size() - 2;
      EXPECT_TRUE(columns(line) <= width || is_one_word || line.find('\'') != line.npos || line.find('"') != line.npos)
          << width << ": " << line;
    }
  }
  EXPECT_EQ(lines_of_command(command, 300).size(), 1u);
  EXPECT_EQ(lines_of_command("dlspec run x --rules a.b --case c", 24),
            (std::vector<std::string>{"dlspec run x \\", "  --rules a.b --case c"}))
      << "an option keeps its value";
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
