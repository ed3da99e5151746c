#include <dlspec/conformance/report/questions_text.h>

#include <sstream>

#include <gtest/gtest.h>

#include <dlspec/conformance/report/text_testing.h>
#include <dlspec/conformance/report/wrap.h>
#include <dlspec/vocabulary/questions.h>

namespace dlspec::conformance {
namespace {

using text_testing::unwrapped;

TEST(QuestionsList, TellsEverything) {
  const std::string text = questions_list("*");
  const std::string line = unwrapped(text);
  for (const Question& question : questions()) {
    EXPECT_NE(text.find(std::string(question.id) + "\n  "), std::string::npos) << question.id;
    for (const char* part : {question.question, question.texts, question.decision, question.practice}) {
      EXPECT_NE(line.find(part), std::string::npos) << question.id << ": " << part;
    }
    for (const Rule* rule : rules_of(question))
      EXPECT_NE(questions_list(question.id).find(rule->id), std::string::npos);
  }
}

TEST(QuestionsList, KeepsThePageWidth) {
  std::istringstream lines(questions_list("*"));
  for (std::string line; std::getline(lines, line);) {
    EXPECT_LE(line.size(), page_width) << line;
    EXPECT_FALSE(line.ends_with(' ')) << line;
  }
}

TEST(QuestionsList, IsSelectedByQuestionOrRule) {
  EXPECT_TRUE(questions_list("null-strides").starts_with("null-strides\n  When is it wrong to leave strides NULL?\n"));
  EXPECT_EQ(questions_list("null-strides").find("\nempty-data\n"), std::string::npos);
  EXPECT_EQ(questions_list("tensor.strides-not-null"), questions_list("null-strides"));
  EXPECT_NE(questions_list("exchange-*").find("exchange-growth"), std::string::npos);
  EXPECT_EQ(questions_list("nosuch*"), "");
  EXPECT_TRUE(questions_list("null-strides", true).starts_with("\x1b[1mnull-strides\x1b[0m\n"));
}

}  // namespace
}  // namespace dlspec::conformance
