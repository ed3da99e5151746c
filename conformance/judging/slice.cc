#include <dlspec/conformance/judging/slice.h>

#include <algorithm>

#include <fmt/format.h>

#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/judging/case_budget.h>
#include <dlspec/conformance/judging/death_policy.h>
#include <dlspec/conformance/plan/paths.h>
#include <dlspec/conformance/verdict/verdict.h>
#include <dlspec/conformance/worker/supervisor/interrupt.h>

namespace dlspec::conformance {

namespace {

class Slice {
 public:
  Slice(TaskState& state, std::size_t task_index, const ScheduleOptions& options)
      : state_(state), task_index_(task_index), options_(options), budget_(state, options) {}

  SliceResult run(std::size_t slice, std::size_t slices) {
    std::vector<std::size_t> later, at_exit;
    for (std::size_t i = slice; i < state_.first.size(); i += slices) {
      if (looks_at_exit(i)) {
        at_exit.push_back(i);
      } else if (is_path(i) && budget_.is_spent_on_paths()) {
        later.push_back(i);
      } else if (!carry_out(i)) {
        return std::move(result_);
      }
    }
    // Cases about the exit of the worker run last, so that they do not need a worker of their own.
    later.insert(later.end(), at_exit.begin(), at_exit.end());
    for (const std::size_t i : later) {
      if (!carry_out(i)) return std::move(result_);
    }
    quit_worker();
    repeat_what_is_reported(slice, slices);
    return std::move(result_);
  }

  std::optional<Answer> alone(std::size_t index, bool only_witness) {
    budget_.start_confirming();
    if (budget_.is_over()) return std::nullopt;
    alone_ = state_.task->cases[index];
    alone_->alone = true;
    alone_->only_witness = only_witness;
    std::optional<Answer> answer = second_answer(index);
    close_second_worker();
    return answer;
  }

 private:
  // Cases that missed their deadline last: they may take what time is left.
  void repeat_what_is_reported(std::size_t slice, std::size_t slices) {
    budget_.start_confirming();
    std::vector<std::size_t> reported;
    for (std::size_t i = slice; i < state_.first.size(); i += slices) {
      if (needs_second(i)) reported.push_back(i);
    }
    const auto has_answered = [&](std::size_t i) { return state_.first[i]->kind != Answer::Kind::timeout; };
    std::ranges::stable_partition(reported, has_answered);
    for (const std::size_t i : reported) {
      if (interrupt_signal() == 0 && !budget_.is_over()) state_.second[i] = second_answer(i);
      if (state_.second[i] || !result_.not_started.empty()) continue;
      result_.all_confirmed = false;
      result_.out_of_budget |= budget_.is_over() && has_answered(i);  // a missed deadline stands
    }
    close_second_worker();
  }

  // False after an interrupt.
  bool carry_out(std::size_t index) {
    if (interrupt_signal() != 0) return false;
    state_.first[index] = first_answer(index);
    const std::size_t done = ++state_.done;
    if (options_.progress) options_.progress(task_index_, done);
    return true;
  }

  Answer first_answer(std::size_t index) {
    const Case& work = state_.task->cases[index];
    if (const auto why = policy_.blocked(work)) return {Answer::Kind::blocked, {}, *why};
    if (budget_.is_over()) {
      result_.out_of_budget = true;
      return {Answer::Kind::blocked, {}, budget_.used_up()};
    }
    policy_.ask(work);
    Answer answer = ask_to_the_end(index);
    if (answer.kind == Answer::Kind::crash || answer.kind == Answer::Kind::timeout) policy_.count(work);
    if (answer.kind == Answer::Kind::crash) state_.before[index] = asked_;
    if (answer.kind != Answer::Kind::blocked && worker_) {
      previous_ = index;
      asked_.push_back(index);
    }
    return answer;
  }

  bool needs_second(std::size_t index) const {
    const auto& answer = state_.first[index];
    if (!answer || !may_report(*answer) || !result_.not_started.empty()) return false;
    return needs_second_run(judge(state_.task->subject, state_.task->cases[index], *answer).records);
  }

  std::optional<Answer> second_answer(std::size_t index) {
    previous_.reset();
    Answer answer = ask_to_the_end(index);
    if (answer.kind == Answer::Kind::blocked) return std::nullopt;  // no worker started: only the first run counts
    return answer;
  }

  bool looks_at_exit(std::size_t index) const {
    return std::ranges::count(state_.task->cases[index].rules, RuleId::managed_deleter_after_finalize) > 0;
  }

  bool is_path(std::size_t index) const { return is_exchange_path(state_.task->cases[index].variant); }

  // The answer to a case about the exit of its worker is complete when the worker has exited.
  Answer ask_to_the_end(std::size_t index) {
    Answer answer = ask(index);
    if (!looks_at_exit(index) || answer.kind != Answer::Kind::answered) return answer;
    const std::optional<Death> death = quit_worker();
    return death && death->culprit ? answer_of(*death) : answer;
  }

  static Answer answer_of(const Death& death) {
    const auto kind = death.kind == Death::Kind::timeout ? Answer::Kind::timeout : Answer::Kind::crash;
    return {kind, {}, death.text, death.culprit};
  }

  // Sends the case to a running worker. A death before the worker read the request is recorded in the previous case,
  // and the request is sent again to a new worker.
  Answer ask(std::size_t index) {
    constexpr int most_starts = 3;
    for (int starts = 1;; ++starts) {
      if (!start())
        return {result_.lacks_device ? Answer::Kind::skipped : Answer::Kind::blocked, {}, result_.not_started};
      const std::chrono::milliseconds left = budget_.left();
      auto reply = budget_.ask(*worker_, alone_ ? *alone_ : state_.task->cases[index], left);
      if (auto* answer = std::get_if<Answer>(&reply)) return std::move(*answer);
      const Death& death = std::get<Death>(reply);
      worker_.reset();
      if (death.kind == Death::Kind::timeout && left < options_.limits.case_deadline) {
        result_.out_of_budget |= !budget_.is_confirming();  // it may have answered before its deadline
        return {Answer::Kind::blocked, {}, budget_.used_up()};
      }
      if (death.earlier && starts < most_starts) {
        blame_previous(death);
        continue;
      }
      return answer_of(death);
    }
  }

  void blame_previous(const Death& death) {
    if (!previous_ || state_.first[*previous_]->kind != Answer::Kind::answered) return;
    state_.first[*previous_] = Answer{Answer::Kind::crash, {}, death.text};
    policy_.count(state_.task->cases[*previous_]);
    previous_.reset();
  }

  // True when a worker is running. Does not try again after a failed start.
  bool start() {
    if (worker_) return true;
    if (!result_.not_started.empty()) return false;
    std::string error;
    asked_.clear();
    const auto began = Clock::now();  // before spawn: the worker may import before this thread runs again
    worker_ = Worker::spawn(state_.task->command, options_.limits, error);
    if (!worker_) {
      result_.not_started = "the worker cannot be started: " + error;
      return false;
    }
    auto reply = worker_->start(state_.task->start);
    result_.importing += Clock::now() - began;
    if (auto* ready = std::get_if<Ready>(&reply)) {
      if (!result_.ready) result_.ready = std::move(*ready);
      return pass_opening_controls();
    }
    note_failed_start(reply);
    worker_.reset();
    return false;
  }

  void note_failed_start(const std::variant<Ready, Failed, Death>& reply) {
    if (const auto* failed = std::get_if<Failed>(&reply)) {
      result_.not_started = failed->message;
      result_.lacks_device = failed->stage == "device";
      result_.detail = failed->detail;
      return;
    }
    const std::string why = std::get<Death>(reply).text;
    if (why.starts_with("memory limit")) {
      result_.not_started = "the worker did not get ready: " + why + " before the first case; allow more with --memory";
      return;
    }
    const char* const advice = state_.task->start.exchange
                                   ? "; see whether the libraries load one after the other"
                                   : "; see whether the library loads by itself, and whether its file is complete";
    result_.not_started = "the worker did not get ready: " + why + advice;
    result_.detail = worker_->output();
  }

  // Runs the control cases in the worker. Returns its death, if it dies.
  std::optional<Death> run_controls(const char* when) {
    for (const ControlCase& control : state_.task->controls) {
      const auto reply = worker_->ask(control.work);
      if (const auto* death = std::get_if<Death>(&reply)) return *death;
      const std::string why = control_mismatch(control, std::get<Answer>(reply));
      if (!why.empty()) result_.untrusted.push_back(fmt::format("{} {}", when, why));
    }
    return std::nullopt;
  }

  bool pass_opening_controls() {
    const auto death = run_controls("before the first case");
    if (!death) return true;
    result_.not_started = "the worker does not survive dlspec's control cases: " + death->text;
    result_.detail = worker_->output();
    worker_.reset();
    return false;
  }

  // False when the worker died.
  bool pass_closing_controls() {
    const auto death = run_controls("after the last case");
    if (!death) return true;
    if (death->earlier) {
      blame_previous(*death);  // caused by the last case, not by the control case
    } else if (death->kind != Death::Kind::interrupted) {
      result_.untrusted.push_back("after the last case the control cases failed: " + death->text);
    }
    return false;
  }

  void close_second_worker() {
    previous_.reset();  // a case with two answers is not blamed
    if (worker_) pass_closing_controls();
    worker_.reset();
  }

  // Ends the worker. Returns its death unless it exits normally; a death without a culprit becomes a note.
  std::optional<Death> quit_worker() {
    if (!worker_) return std::nullopt;
    std::optional<Death> death;
    if (pass_closing_controls()) death = worker_->quit();
    if (death && death->kind != Death::Kind::interrupted && !death->culprit) {
      result_.notes.push_back("the worker " + death->text + " (managed.deleter-after-finalize is about such ends)");
    }
    worker_.reset();
    previous_.reset();
    return death;
  }

  TaskState& state_;
  std::size_t task_index_;
  const ScheduleOptions& options_;
  CaseBudget budget_;
  std::unique_ptr<Worker> worker_;
  std::optional<std::size_t> previous_;  // the last case that the running worker answered
  std::vector<std::size_t> asked_;       // all cases that it answered
  std::optional<Case> alone_;            // the only case, asked in a worker of its own
  DeathPolicy policy_;
  SliceResult result_;
};

}  // namespace

std::optional<Answer> answer_alone(TaskState& state, std::size_t index, bool only_witness,
                                   const ScheduleOptions& options) {
  // Not on the stack: gcc 12 then warns of members that it takes for uninitialised.
  const auto slice = std::make_unique<Slice>(state, 0, options);
  return slice->alone(index, only_witness);
}

SliceResult run_slice(TaskState& state, std::size_t task_index, std::size_t slice, std::size_t slices,
                      const ScheduleOptions& options) {
  const auto began = Clock::now();
  SliceResult result = Slice(state, task_index, options).run(slice, slices);
  result.judging = Clock::now() - began - result.importing;
  return result;
}

}  // namespace dlspec::conformance
