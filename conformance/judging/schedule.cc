#include <dlspec/conformance/judging/schedule.h>

#include <algorithm>
#include <deque>
#include <numeric>
#include <set>
#include <thread>

#include <fmt/format.h>

#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/judging/death_histories.h>
#include <dlspec/conformance/judging/death_policy.h>
#include <dlspec/conformance/judging/left_over.h>
#include <dlspec/conformance/judging/slice.h>
#include <dlspec/conformance/plan/paths.h>
#include <dlspec/conformance/platform/process.h>
#include <dlspec/conformance/verdict/verdict.h>
#include <dlspec/vocabulary/mitigations.h>

namespace dlspec::conformance {

namespace {

// An additional worker costs another import; it pays off from this number of cases.
constexpr std::size_t cases_per_worker = 200;

std::size_t slice_count(const Task& task, std::size_t tasks, unsigned jobs) {
  const std::size_t shared = std::max<std::size_t>(1, jobs / std::max<std::size_t>(1, tasks));
  return std::clamp<std::size_t>(task.cases.size() / cases_per_worker, 1, shared);
}

// Appends the text unless the list has it.
void add_unique(std::vector<std::string>& list, const std::string& text) {
  if (std::find(list.begin(), list.end(), text) == list.end()) list.push_back(text);
}

bool has_died(const std::optional<Answer>& answer) {
  return answer && (answer->kind == Answer::Kind::crash || answer->kind == Answer::Kind::timeout);
}

// Replays the policy in plan order. Each slice of a subject counts only its own deaths and may have run cases that a
// single worker would have blocked. The number of cases that deaths block, but for those of hostile structs.
std::size_t block_by_policy(const Task& task, TaskState& state) {
  DeathPolicy policy;
  std::size_t blocked = 0;
  for (std::size_t i = 0; i < task.cases.size(); ++i) {
    auto& answer = state.first[i];
    if (const auto why = policy.blocked(task.cases[i])) {
      answer = Answer{Answer::Kind::blocked, {}, *why};
      state.second[i].reset();
      blocked += is_hostile(task.cases[i].id) ? 0 : 1;
    } else if (has_died(answer)) {
      policy.count(task.cases[i]);
    }
  }
  return blocked;
}

// The worker died, no death was seen again, and nobody knows what the cases would have shown that it blocked.
bool are_deaths_in_doubt(std::span<const Record> records) {
  const auto stands = [](const Record& record) {
    return record.status == Verdict::crash || record.status == Verdict::timeout;
  };
  const auto is_in_doubt = [once = find_mitigation("seen-once")](const Record& record) {
    return record.mitigation == once;
  };
  return std::ranges::none_of(records, stands) && std::ranges::any_of(records, is_in_doubt);
}

bool is_failing(Verdict status) {
  return status == Verdict::fail || status == Verdict::crash || status == Verdict::timeout;
}

// Rules that failed in some case of this subject.
std::set<RuleId> violated_rules(const Task& task, const TaskState& state) {
  std::set<RuleId> violated;
  for (std::size_t i = 0; i < task.cases.size(); ++i) {
    if (!state.first[i] || !may_report(*state.first[i])) continue;
    for (const Record& record : judge(task.subject, task.cases[i], *state.first[i]).records) {
      if (is_failing(record.status)) violated.insert(record.rule);
    }
  }
  return violated;
}

// Reports a fault under one rule only. A death whose culprit is not a rule of its case blocks the case, instead of
// failing its primary rule, if another case reports the culprit.
void block_by_culprit(const Task& task, TaskState& state) {
  const bool has_culprit = std::any_of(state.first.begin(), state.first.end(),
                                       [](const std::optional<Answer>& answer) { return answer && answer->culprit; });
  if (!has_culprit) return;
  const std::set<RuleId> violated = violated_rules(task, state);
  for (std::size_t i = 0; i < task.cases.size(); ++i) {
    const std::optional<Answer>& answer = state.first[i];
    if (!answer || !answer->culprit || !violated.contains(*answer->culprit)) continue;
    const std::vector<RuleId>& asked = task.cases[i].rules;
    if (std::find(asked.begin(), asked.end(), *answer->culprit) != asked.end()) continue;
    state.first[i] =
        Answer{Answer::Kind::blocked, {}, "by " + std::string(rule(*answer->culprit).id) + ": " + answer->text};
    state.second[i].reset();
  }
}

// A death under a stimulus that is lethal in its own case, too, is left to that case: the circumstances are not needed.
void leave_deaths_to_stimuli(const Task& task, TaskState& state) {
  std::set<std::pair<Role, std::string_view>> lethal;
  for (std::size_t i = 0; i < task.cases.size(); ++i) {
    if (has_died(state.first[i])) lethal.emplace(task.cases[i].role, task.cases[i].variant);
  }
  for (std::size_t i = 0; i < task.cases.size(); ++i) {
    const Case& work = task.cases[i];
    const std::string_view stimulus = stimulus_of(work.variant);
    if (stimulus.empty() || !has_died(state.first[i]) || !lethal.contains({work.role, stimulus})) continue;
    const std::string why =
        fmt::format("by {}, with stimulus={}: {}", rule(work.primary).id, stimulus, state.first[i]->text);
    state.first[i] = Answer{Answer::Kind::blocked, {}, why};
    state.second[i].reset();
  }
}

void add_records(const Task& task, const TaskState& state, bool all_confirmed, TaskResult& result) {
  constexpr std::size_t listed = 3;  // a faulty adapter has one fault per case; the first ones suffice
  std::vector<std::string> first_faults;
  std::set<std::string> faults;
  const Answer never{Answer::Kind::blocked, {}, "not run"};
  result.records.reserve(std::accumulate(task.cases.begin(), task.cases.end(), std::size_t{0},
                                         [](std::size_t sum, const Case& work) { return sum + work.rules.size(); }));
  for (std::size_t i = 0; i < task.cases.size(); ++i) {
    Judged judged = judge(task.subject, task.cases[i], state.first[i].value_or(never));
    if (state.first[i] && result.table_calls.empty()) result.table_calls = state.first[i]->table_calls;
    if (state.second[i]) {
      const Judged again = judge(task.subject, task.cases[i], *state.second[i]);
      judged.records = confirm(judged.records, again.records);
    } else if (!all_confirmed) {
      judged.records = unconfirmed(judged.records);
    }
    for (Record& record : judged.records) result.records.push_back(std::move(record));
    for (const std::string& fault : judged.faults) {
      if (faults.insert(fault).second && first_faults.size() < listed) first_faults.push_back(fault);
    }
  }
  for (const std::string& fault : first_faults) add_unique(result.faults, fault);
  if (faults.size() > listed) {
    result.faults.push_back(fmt::format("{}: and {} more faults of this kind", task.subject, faults.size() - listed));
  }
}

TaskResult merge_slices(const Task& task, TaskState& state, std::span<SliceResult> slices) {
  TaskResult result;
  const std::size_t blocked = block_by_policy(task, state);
  block_by_culprit(task, state);
  leave_deaths_to_stimuli(task, state);
  for (SliceResult& slice : slices) {
    if (slice.ready && !result.ready) result.ready = std::move(slice.ready);
    if (!slice.not_started.empty()) add_unique(result.faults, task.subject + ": " + slice.not_started);
    if (slice.out_of_budget) {
      add_unique(result.faults, task.subject +
                                    ": the plan was not carried out whole, its time was used up; "
                                    "give more with --budget or select with --rules or --case");
    }
    if (result.detail.empty()) result.detail = std::move(slice.detail);
    result.importing = std::max(result.importing, slice.importing);
    result.judging = std::max(result.judging, slice.judging);
    for (const std::string& why : slice.untrusted) {
      add_unique(result.faults, task.subject + ": " + why + "; the results of this subject cannot be trusted");
    }
    for (const std::string& note : slice.notes) add_unique(result.notes, task.subject + ": " + note);
  }
  const bool all_confirmed = std::ranges::all_of(slices, &SliceResult::all_confirmed);
  add_records(task, state, all_confirmed, result);
  if (blocked > 0 && are_deaths_in_doubt(result.records)) {
    result.faults.push_back(
        fmt::format("{}: {} cases were not asked, because the worker died several times and no death was seen again; "
                    "run it once more, and look at what -v lists as seen in one of two runs",
                    task.subject, blocked));
  }
  return result;
}

struct Share {
  std::size_t task;
  std::size_t slice;
  std::size_t slices;
};

}  // namespace

unsigned default_jobs() {
  constexpr int most = 4;
  return static_cast<unsigned>(std::clamp(usable_processors(), 1, most));
}

std::vector<TaskResult> run_tasks(std::span<const Task> tasks, const ScheduleOptions& options) {
  std::deque<TaskState> states;  // holds atomics: must not move
  std::vector<Share> shares;
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    states.emplace_back(tasks[t]);
    const std::size_t slices = slice_count(tasks[t], tasks.size(), options.jobs);
    states.back().slices = slices;
    for (std::size_t s = 0; s < slices; ++s) shares.push_back({t, s, slices});
  }

  std::vector<SliceResult> seen(shares.size());
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < shares.size(); i = next++) {
      seen[i] = run_slice(states[shares[i].task], shares[i].task, shares[i].slice, shares[i].slices, options);
    }
  };
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < std::min<std::size_t>(options.jobs, shares.size()); ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();

  std::vector<TaskResult> results;
  std::size_t begin = 0;
  for (std::size_t t = 0; t < tasks.size(); ++t) {
    const std::size_t count = shares[begin].slices;
    find_death_histories(states[t], options);
    ask_left_over(states[t], options);
    results.push_back(merge_slices(tasks[t], states[t], std::span(seen).subspan(begin, count)));
    begin += count;
  }
  return results;
}

}  // namespace dlspec::conformance
