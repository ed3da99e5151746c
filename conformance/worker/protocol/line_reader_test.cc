#include <dlspec/conformance/worker/protocol/line_reader.h>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace dlspec::conformance {
namespace {

std::vector<std::string> all_lines(LineReader& reader) {
  std::vector<std::string> lines;
  while (auto line = reader.next()) lines.push_back(*line);
  return lines;
}

TEST(LineReader, GivesWholeLinesOnly) {
  LineReader reader;
  reader.append("one\ntw");
  EXPECT_EQ(all_lines(reader), (std::vector<std::string>{"one"}));
  EXPECT_EQ(reader.pending(), 2U);
  reader.append("o\n\nthree");
  EXPECT_EQ(all_lines(reader), (std::vector<std::string>{"two", ""}));
}

TEST(LineReader, RefusesALineBeyondTheBoundFinishedOrNot) {
  LineReader finished(4);
  finished.append("1234\n12345\n");
  EXPECT_EQ(finished.next(), "1234");
  EXPECT_EQ(finished.next(), std::nullopt);
  EXPECT_TRUE(finished.too_long());
  LineReader unfinished(4);
  unfinished.append("12345");
  EXPECT_TRUE(unfinished.too_long());
}

TEST(LineReader, TakesALineOfExactlyTheBound) {
  LineReader reader(4);
  reader.append("1234");
  EXPECT_FALSE(reader.too_long());
  reader.append("\n");
  EXPECT_EQ(reader.next(), "1234");
}

RC_GTEST_PROP(LineReader, PiecesDoNotMatter, (std::vector<std::string> words, const std::vector<std::uint8_t>& cuts)) {
  std::string stream;
  std::vector<std::string> wanted;
  for (std::string& word : words) {
    std::erase(word, '\n');
    stream += word + "\n";
    wanted.push_back(word);
  }
  LineReader reader;
  std::vector<std::string> found;
  std::size_t at = 0;
  for (const std::uint8_t cut : cuts) {
    const std::size_t size = std::min<std::size_t>(cut, stream.size() - at);
    reader.append(std::string_view(stream).substr(at, size));
    at += size;
    for (std::string& line : all_lines(reader)) found.push_back(std::move(line));
  }
  reader.append(std::string_view(stream).substr(at));
  for (std::string& line : all_lines(reader)) found.push_back(std::move(line));
  RC_ASSERT(found == wanted);
}

}  // namespace
}  // namespace dlspec::conformance
