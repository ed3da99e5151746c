// The questions that the texts around DLPack leave open: typed access to questions.def. Ids are public and permanent.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include <dlspec/vocabulary/rules.h>

namespace dlspec {

struct Question {
  const char* id;        // "null-strides"
  const char* question;  // one sentence
  const char* rules;     // ids of the rules that the answer bears on, separated by spaces
  const char* texts;     // what the upstream documents say, with their places
  const char* decision;  // what dlspec holds to be right, and the status of a deviation
  const char* practice;  // what libraries do
};

// All questions, in the order of questions.def.
[[nodiscard]] std::span<const Question> questions();

// NULL when there is no such question.
[[nodiscard]] const Question* find_question(std::string_view id);

// Whether the answer bears on the rule.
[[nodiscard]] bool concerns(const Question& question, const Rule& rule);

// The rules that a question bears on, as they are named there, and the questions that bear on a rule.
[[nodiscard]] std::vector<const Rule*> rules_of(const Question& question);
[[nodiscard]] std::vector<const Question*> questions_about(const Rule& rule);

}  // namespace dlspec
