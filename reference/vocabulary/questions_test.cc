// The lint of questions.def, and the functions that read it.
#include <dlspec/vocabulary/questions.h>

#include <algorithm>
#include <regex>
#include <set>
#include <string>

#include <gtest/gtest.h>

#include <dlspec/vocabulary/table_testing.h>

namespace dlspec {
namespace {

// Abbreviations that only their authors know, notation instead of words, double spaces where two lines meet.
const char* what_is_unclean(const std::string& text) {
  static const std::regex private_names(R"(\b[ABDHR][0-9]+(\.[0-9]+)?\b|\b(AA|FD|PS|NP|CU|TT|JX|NB|CC|O3)[0-9 ])");
  for (const char* forbidden :
       {"seed", ".md", "TITLE", "TODO", "⇒",   "≥",   "≠",   "∧",   "→",    "§",    "|",    "  ",
        "..",   " ;",  " ,",    "e.g.", "np#", "pt#", "aa#", "cp#", "FAIL", "WARN", "INFO", "UNSPEC"}) {
    if (text.find(forbidden) != std::string::npos) return forbidden;
  }
  return std::regex_search(text, private_names) ? "a private name" : nullptr;
}

void expect_sentences(const Question& row, const char* column, const std::string& text) {
  EXPECT_EQ(what_is_unclean(text), nullptr) << row.id << ", " << column << ": " << what_is_unclean(text);
  EXPECT_TRUE(text.ends_with('.')) << row.id << ", " << column;
  EXPECT_GE(words(text).size(), 5u) << row.id << ", " << column;
  EXPECT_NE(text.front(), ' ') << row.id << ", " << column;
}

TEST(Questions, HaveWellFormedUniqueIds) {
  const std::regex form("[a-z0-9]+(-[a-z0-9]+)+");
  EXPECT_EQ(repeated(questions(), &Question::id), "");
  for (const Question& row : questions()) {
    EXPECT_TRUE(std::regex_match(row.id, form)) << row.id;
  }
}

TEST(Questions, AskInOneSentence) {
  for (const Question& row : questions()) {
    const std::string text = row.question;
    EXPECT_EQ(what_is_unclean(text), nullptr) << row.id << ": " << what_is_unclean(text);
    EXPECT_EQ(text.find('?'), text.size() - 1) << row.id;
    EXPECT_LE(text.size(), 110u) << row.id;
  }
}

TEST(Questions, AreAnsweredInSentences) {
  for (const Question& row : questions()) {
    expect_sentences(row, "texts", row.texts);
    expect_sentences(row, "decision", row.decision);
    expect_sentences(row, "practice", row.practice);
  }
}

TEST(Questions, CiteAnUpstreamDocument) {
  for (const Question& row : questions()) {
    const std::string texts = row.texts;
    const bool cites =
        texts.find("dlpack.h v") != std::string::npos || texts.find("Python specification") != std::string::npos ||
        texts.find("InfiniOP documentation") != std::string::npos || texts.find("rray API 20") != std::string::npos;
    EXPECT_TRUE(cites) << row.id << ": " << texts;
  }
}

TEST(Questions, BearOnRulesThatExist) {
  for (const Question& row : questions()) {
    const std::vector<std::string> ids = words(row.rules);
    EXPECT_FALSE(ids.empty()) << row.id;
    EXPECT_EQ(std::set<std::string>(ids.begin(), ids.end()).size(), ids.size()) << row.id << " names a rule twice";
    for (const std::string& id : ids) EXPECT_NE(find_rule(id), nullptr) << row.id << " names " << id;
    EXPECT_EQ(rules_of(row).size(), ids.size()) << row.id;
  }
}

// A MUST whose violation does not fail needs a question that explains why.
TEST(Questions, ExplainMustsThatDoNotFail) {
  for (const Rule& rule : rules()) {
    const bool binding = rule.level == Level::must || rule.level == Level::implied;
    if (!binding || rule.violated == Verdict::fail) continue;
    EXPECT_FALSE(questions_about(rule).empty()) << rule.id;
  }
}

TEST(FindQuestion, FindsEveryIdAndNothingElse) {
  for (const Question& row : questions()) EXPECT_EQ(find_question(row.id), &row);
  for (const char* id : {"", "null", "null-stride", "null-strides ", "Null-strides"}) {
    EXPECT_EQ(find_question(id), nullptr) << id;
  }
}

std::vector<std::string> ids_about(RuleId id) {
  std::vector<std::string> ids;
  for (const Question* row : questions_about(rule(id))) ids.emplace_back(row->id);
  return ids;
}

TEST(QuestionsAbout, ARuleAreThoseThatConcernIt) {
  using Ids = std::vector<std::string>;
  EXPECT_EQ(ids_about(RuleId::tensor_strides_not_null), Ids{"null-strides"});
  EXPECT_EQ(ids_about(RuleId::version_major_mismatch_release), Ids{"foreign-major"});
  EXPECT_EQ(ids_about(RuleId::stream_cpu_none), (Ids{"who-is-bound", "stream-for-host-array", "stream-other-devices"}));
  EXPECT_EQ(ids_about(RuleId::tensor_metadata_lifetime), Ids{});
  const Rule& strides = rule(RuleId::tensor_strides_not_null);
  EXPECT_TRUE(concerns(*find_question("null-strides"), strides));
  EXPECT_FALSE(concerns(*find_question("empty-data"), strides));
}

TEST(RulesOf, AQuestionAreInTheOrderOfTheQuestion) {
  std::vector<std::string> ids;
  for (const Rule* rule : rules_of(*find_question("empty-data"))) ids.emplace_back(rule->id);
  EXPECT_EQ(ids, (std::vector<std::string>{"tensor.data-null-when-empty", "tensor.data-null-empty-accepted",
                                           "tensor.data-nonnull-empty-accepted"}));
}

}  // namespace
}  // namespace dlspec
