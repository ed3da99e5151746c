#include <dlspec/vocabulary/questions.h>

#include <algorithm>

namespace dlspec {
namespace {

constexpr Question table[] = {
#define DLSPEC_QUESTION(id, question, rules, texts, decision, practice) \
  {id, question, rules, texts, decision, practice},
#include <dlspec/vocabulary/questions.def>
#undef DLSPEC_QUESTION
};

}  // namespace

std::span<const Question> questions() { return table; }

const Question* find_question(std::string_view id) {
  for (const Question& row : table) {
    if (id == row.id) return &row;
  }
  return nullptr;
}

std::vector<const Rule*> rules_of(const Question& question) {
  std::vector<const Rule*> found;
  std::string_view ids = question.rules;
  while (!ids.empty()) {
    const std::size_t end = std::min(ids.find(' '), ids.size());
    if (const Rule* const rule = find_rule(ids.substr(0, end))) found.push_back(rule);
    ids.remove_prefix(std::min(end + 1, ids.size()));
  }
  return found;
}

bool concerns(const Question& question, const Rule& rule) {
  const std::vector<const Rule*> list = rules_of(question);
  return std::find(list.begin(), list.end(), &rule) != list.end();
}

std::vector<const Question*> questions_about(const Rule& rule) {
  std::vector<const Question*> found;
  for (const Question& row : table) {
    if (concerns(row, rule)) found.push_back(&row);
  }
  return found;
}

}  // namespace dlspec
