// The time that the cases of one subject may take, whichever workers are asked. Internal to judging/.
#pragma once

#include <algorithm>
#include <chrono>
#include <string>
#include <variant>

#include <fmt/format.h>

#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/judging/schedule.h>
#include <dlspec/conformance/judging/slice.h>

namespace dlspec::conformance {

class CaseBudget {
 public:
  // Both must outlive it.
  CaseBudget(TaskState& state, const ScheduleOptions& options) : state_(state), options_(options) {}

  // A quarter more is for what has to be seen twice.
  void start_confirming() { confirming_ = true; }
  [[nodiscard]] bool is_confirming() const { return confirming_; }

  [[nodiscard]] bool is_over() const { return spent() > whole(); }
  // Paths are most of the cases and decide few rules that other cases do not. For a slow library the rest of the budget
  // is for the other cases; the paths that are left wait for what remains.
  [[nodiscard]] bool is_spent_on_paths() const { return spent() > whole() * 6 / 10; }
  // At least a millisecond, so that a case that was started can answer.
  [[nodiscard]] std::chrono::milliseconds left() const {
    return std::max(std::chrono::milliseconds(1), std::chrono::ceil<std::chrono::milliseconds>(whole() - spent()));
  }
  // Asks for no longer than `most`, and counts what it takes.
  [[nodiscard]] std::variant<Answer, Death> ask(Worker& worker, const Case& work, std::chrono::milliseconds most) {
    const auto began = Clock::now();
    auto reply = worker.ask(work, most);
    state_.spent_us += std::chrono::duration_cast<std::chrono::microseconds>(Clock::now() - began).count();
    return reply;
  }
  [[nodiscard]] std::string used_up() const {
    return fmt::format("the budget of {} s was used up", static_cast<double>(options_.budget.count()) / 1000.0);
  }

 private:
  [[nodiscard]] std::chrono::microseconds spent() const { return std::chrono::microseconds(state_.spent_us.load()); }
  // In the time that one worker after the other would take.
  [[nodiscard]] std::chrono::milliseconds whole() const {
    return options_.budget * static_cast<std::int64_t>(state_.slices) * (confirming_ ? 5 : 4) / 4;
  }

  TaskState& state_;
  const ScheduleOptions& options_;
  bool confirming_ = false;  // the second runs have begun
};

}  // namespace dlspec::conformance
