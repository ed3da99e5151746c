#include <dlspec/conformance/judging/left_over.h>

#include <algorithm>
#include <map>
#include <set>
#include <utility>
#include <vector>

#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/core/record.h>
#include <dlspec/conformance/verdict/verdict.h>
#include <dlspec/conformance/worker/supervisor/interrupt.h>

namespace dlspec::conformance {
namespace {

constexpr std::size_t most_per_rule = 6;
constexpr std::size_t most_in_all = 24;

using Reported = std::set<std::pair<Role, RuleId>>;

void add_reported(const TaskState& state, std::size_t index, const std::optional<Answer>& answer, Reported& reported) {
  if (!answer || !may_report(*answer)) return;
  for (const Record& record : judge(state.task->subject, state.task->cases[index], *answer).records) {
    if (is_reported(record.status)) reported.emplace(record.role, record.rule);
  }
}

// A path that makes a history of its own, which may be what brings the deviation about.
bool has_history(const Case& work) { return work.variant.find("before=") != std::string::npos; }

// The rules that the first answer of a case leaves to others, none of which reports them.
std::vector<RuleId> left_over(const TaskState& state, std::size_t index, const Reported& reported) {
  std::vector<RuleId> rules;
  if (!state.first[index]) return rules;
  for (const auto& [rule, outcome] : state.first[index]->outcomes) {
    if (outcome.left_to && !reported.contains({state.task->cases[index].role, *outcome.left_to})) {
      rules.push_back(*outcome.left_to);
    }
  }
  return rules;
}

bool is_any_reported(const Reported& reported, Role role) {
  return std::any_of(reported.begin(), reported.end(), [&](const auto& each) { return each.first == role; });
}

bool leaves_anything(const std::optional<Answer>& answer) {
  return answer && std::any_of(answer->outcomes.begin(), answer->outcomes.end(),
                               [](const auto& outcome) { return outcome.second.left_to.has_value(); });
}

}  // namespace

void ask_left_over(TaskState& state, const ScheduleOptions& options) {
  if (std::none_of(state.first.begin(), state.first.end(), leaves_anything)) return;  // spares judging every answer
  Reported reported;
  for (std::size_t i = 0; i < state.first.size(); ++i) add_reported(state, i, state.first[i], reported);
  std::map<RuleId, std::size_t> tried;
  std::size_t asked = 0;
  for (const bool with_history : {true, false}) {
    for (std::size_t i = 0; i < state.first.size() && asked < most_in_all; ++i) {
      if (has_history(state.task->cases[i]) != with_history || state.second[i] || interrupt_signal() != 0) continue;
      bool is_new = false;
      for (const RuleId rule : left_over(state, i, reported)) is_new = tried[rule]++ < most_per_rule || is_new;
      if (!is_new) continue;
      // Where something else was found, this may be what follows from it; where nothing was, nobody else will tell.
      const bool only_witness = !is_any_reported(reported, state.task->cases[i].role);
      state.second[i] = answer_alone(state, i, only_witness, options);
      add_reported(state, i, state.second[i], reported);
      ++asked;
    }
  }
}

}  // namespace dlspec::conformance
