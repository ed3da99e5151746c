#include <dlspec/conformance/judging/death_histories.h>

#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/judging/case_budget.h>
#include <dlspec/conformance/worker/supervisor/interrupt.h>

namespace dlspec::conformance {
namespace {

constexpr int most_deaths = 2;
constexpr int most_replays = 60;  // of one history, each in a new worker

using Cases = std::vector<std::size_t>;

// Replays parts of the history of one case.
class Replay {
 public:
  Replay(TaskState& state, std::size_t index, const ScheduleOptions& options)
      : state_(state), index_(index), options_(options), budget_(state, options) {
    budget_.start_confirming();
  }

  // True if a new worker that answers these cases dies at the one in question.
  bool dies_after(std::span<const std::size_t> before) {
    if (replays_ == most_replays || budget_.is_over() || interrupt_signal() != 0) return false;
    ++replays_;
    const std::unique_ptr<Worker> worker = new_worker();
    if (!worker) return false;
    const bool survives = std::ranges::all_of(before, [&](std::size_t i) { return answers(*worker, i); });
    return survives && !answers(*worker, index_) && is_same_death();
  }

 private:
  std::unique_ptr<Worker> new_worker() {
    std::string error;
    std::unique_ptr<Worker> worker = Worker::spawn(state_.task->command, options_.limits, error);
    if (!worker || !std::holds_alternative<Ready>(worker->start(state_.task->start))) return nullptr;
    for (const ControlCase& control : state_.task->controls) {
      if (!std::holds_alternative<Answer>(worker->ask(control.work))) return nullptr;
    }
    return worker;
  }

  bool answers(Worker& worker, std::size_t index) {
    auto reply = budget_.ask(worker, state_.task->cases[index], budget_.left());
    if (std::holds_alternative<Answer>(reply)) return true;
    death_ = std::get<Death>(std::move(reply));
    return false;
  }

  [[nodiscard]] bool is_same_death() const {
    return death_.kind == Death::Kind::crash && !death_.earlier && death_.text == state_.first[index_]->text;
  }

  TaskState& state_;
  std::size_t index_;
  const ScheduleOptions& options_;
  CaseBudget budget_;
  Death death_;
  int replays_ = 0;
};

Cases last_of(const Cases& cases, std::size_t count) {
  return {cases.end() - static_cast<std::ptrdiff_t>(count), cases.end()};
}

Cases without(const Cases& cases, std::size_t begin, std::size_t count) {
  Cases left(cases.begin(), cases.begin() + static_cast<std::ptrdiff_t>(begin));
  left.insert(left.end(), cases.begin() + static_cast<std::ptrdiff_t>(std::min(begin + count, cases.size())),
              cases.end());
  return left;
}

// The last cases that suffice: the least power of two of them.
Cases last_that_suffice(const Cases& all, Replay& replay) {
  for (std::size_t count = 1; count < all.size(); count *= 2) {
    Cases last = last_of(all, count);
    if (replay.dies_after(last)) return last;
  }
  return all;
}

// Leaves out halves, quarters and so on as long as the rest suffices.
Cases fewest_that_suffice(const Cases& all, Replay& replay) {
  Cases needed = last_that_suffice(all, replay);
  for (std::size_t part = needed.size() / 2; part >= 1; part /= 2) {
    for (std::size_t begin = 0; begin < needed.size() && needed.size() > 1;) {
      Cases fewer = without(needed, begin, part);
      if (!fewer.empty() && replay.dies_after(fewer)) {
        needed = std::move(fewer);
      } else {
        begin += part;
      }
    }
  }
  return needed;
}

// A new worker survived a case at which the one before it died by a signal.
bool may_need_others(const TaskState& state, std::size_t index) {
  const auto is_crash = [](const std::optional<Answer>& answer) {
    return answer && answer->kind == Answer::Kind::crash;
  };
  return is_crash(state.first[index]) && state.second[index] && !is_crash(state.second[index]) &&
         state.second[index]->kind != Answer::Kind::timeout && !state.before[index].empty() &&
         state.first[index]->text.starts_with("killed by");
}

}  // namespace

void find_death_histories(TaskState& state, const ScheduleOptions& options) {
  int tried = 0;
  for (std::size_t i = 0; i < state.first.size() && tried < most_deaths; ++i) {
    if (!may_need_others(state, i)) continue;
    ++tried;
    Replay replay(state, i, options);
    if (!replay.dies_after(state.before[i])) continue;
    for (const std::size_t needed : fewest_that_suffice(state.before[i], replay))
      state.first[i]->after.push_back(state.task->cases[needed].id);
    state.second[i] = state.first[i];
  }
}

}  // namespace dlspec::conformance
