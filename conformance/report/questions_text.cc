#include <dlspec/conformance/report/questions_text.h>

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include <dlspec/conformance/report/wrap.h>
#include <dlspec/vocabulary/questions.h>

namespace dlspec::conformance {
namespace {

bool is_asked_for(const Question& question, std::string_view glob) {
  const std::vector<const Rule*> list = rules_of(question);
  return glob_match(glob, question.id) ||
         std::any_of(list.begin(), list.end(), [&](const Rule* rule) { return glob_match(glob, rule->id); });
}

std::string rule_names(const Question& question) {
  std::string names;
  for (const Rule* rule : rules_of(question)) names += fmt::format("{}{}", names.empty() ? "" : ", ", rule->id);
  return names;
}

std::string question_text(const Question& question, bool color) {
  const std::string id = color ? fmt::format("\x1b[1m{}\x1b[0m", question.id) : question.id;
  return fmt::format("{}\n  {}\n\n", id, wrapped(question.question, 2, 2)) + labelled("texts", question.texts) +
         labelled("decision", question.decision) + labelled("practice", question.practice) +
         labelled("rules", rule_names(question));
}

}  // namespace

std::string questions_list(std::string_view glob, bool color) {
  std::string text;
  for (const Question& question : questions()) {
    if (!is_asked_for(question, glob)) continue;
    if (!text.empty()) text += '\n';
    text += question_text(question, color);
  }
  return text;
}

}  // namespace dlspec::conformance
