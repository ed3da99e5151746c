#include <dlspec/conformance/judging/sequence_finding.h>

#include <algorithm>
#include <cctype>
#include <chrono>
#include <iterator>
#include <map>

#include <fmt/format.h>

#include <dlspec/conformance/plan/sequence_model.h>
#include <dlspec/conformance/plan/sequence_shrinker.h>
#include <dlspec/conformance/worker/supervisor/interrupt.h>

namespace dlspec::conformance {

namespace {

constexpr std::size_t most_before = 32;     // sequences that are tried together with the one that showed something
constexpr std::size_t most_attempts = 400;  // of shrinking
constexpr auto shrinking_time = std::chrono::seconds(40);
constexpr int repetitions = 2;  // of the shrunk sequence, each in a fresh worker

// One sequence with the steps of all, their arrays and exports renamed apart.
Sequence joined(std::span<const Sequence> sequences) {
  Sequence all;
  std::map<HolderKind, std::uint16_t> used;
  for (const Sequence& each : sequences) {
    std::map<HolderKind, std::uint16_t> more;
    for (Step step : each) {
      for (Holder* holder : {&step.made, &step.on}) {
        if (holder->kind == HolderKind::none) continue;
        more[holder->kind] =
            std::max<std::uint16_t>(more[holder->kind], static_cast<std::uint16_t>(holder->number + 1));
        holder->number = static_cast<std::uint16_t>(holder->number + used[holder->kind]);
      }
      all.push_back(step);
    }
    for (const auto& [kind, count] : more) used[kind] = static_cast<std::uint16_t>(used[kind] + count);
  }
  return all;
}

class Follower {
 public:
  Follower(SequenceAttempts& attempts, const BatchEnd& wanted)
      : attempts_(attempts), wanted_(wanted), until_(Clock::now() + shrinking_time) {}

  // Whether the sequence shows the same in a worker that has shown nothing else.
  bool shows(const Sequence& sequence) {
    const BatchEnd end = attempts_.carry_out({sequence_text(sequence)});
    if (!end.is_like(wanted_)) return false;
    last_ = end;
    return true;
  }
  bool shows_in_fresh_worker(const Sequence& sequence) {
    attempts_.renew();
    return shows(sequence);
  }
  Sequence shrink(const Sequence& sequence) {
    const auto fails = [&](const Sequence& candidate) {
      return interrupt_signal() == 0 && Clock::now() < until_ && shows(candidate);
    };
    return shrink_sequence(sequence, fails, most_attempts);
  }
  [[nodiscard]] const BatchEnd& last() const { return last_; }

 private:
  SequenceAttempts& attempts_;
  const BatchEnd& wanted_;
  Clock::time_point until_;
  BatchEnd last_;
};

std::string steps_text(const Sequence& sequence, std::size_t step) {
  std::string text;
  for (std::size_t i = 0; i < sequence.size(); ++i) {
    text += fmt::format("\n{:>2}  {}{}", i + 1, step_text(sequence[i]), i == step ? "   <- here" : "");
  }
  if (step >= sequence.size()) text += "\n    end: everything that is left is released   <- here";
  return text;
}

std::string word_of_step(const Sequence& sequence, std::size_t step) {
  return step < sequence.size() ? row_of(sequence[step].kind).word : "end";
}

FuzzFinding made_finding(const Sequence& sequence, const BatchEnd& end) {
  FuzzFinding made;
  made.sequence = sequence;
  made.rule = end.finding.rule;
  made.role = end.finding.role;
  made.allowed = end.finding.allowed;
  const std::string functions = functions_text(end.functions);
  made.observed =
      end.finding.observed + (functions.empty() ? "" : " in " + functions) + steps_text(sequence, end.finding.step);
  if (end.death) made.status = *end.death == Death::Kind::timeout ? Verdict::timeout : Verdict::crash;
  return made;
}

}  // namespace

std::string functions_text(const std::string& lines) {
  constexpr std::size_t most = 3;
  std::vector<std::string> functions;
  for (std::size_t at = 0; at < lines.size();) {
    const std::size_t end = std::min(lines.find('\n', at), lines.size());
    functions.push_back(lines.substr(at, end - at));
    at = end + 1;
  }
  const auto first = std::find_if(functions.begin(), functions.end(),
                                  [](const std::string& each) { return each.find("(libc.so") == std::string::npos; });
  if (first != functions.end()) functions.erase(functions.begin(), first);
  std::string text;
  for (std::size_t i = 0; i < std::min(most, functions.size()); ++i) text += (i == 0 ? "" : ", ") + functions[i];
  return text;
}

std::string fault_key(const BatchEnd& end, const Sequence& sequence) {
  std::string key = std::string(rule(end.finding.rule).id) + ' ' + role_name(end.finding.role) + ' ';
  if (end.death) key += std::to_string(static_cast<int>(*end.death)) + ' ';
  const std::string functions = functions_text(end.functions);
  if (!functions.empty()) return key + functions;
  key += word_of_step(sequence, end.finding.step) + ' ';
  std::copy_if(end.finding.observed.begin(), end.finding.observed.end(), std::back_inserter(key),
               [](unsigned char each) { return std::isdigit(each) == 0; });
  return key;
}

FollowedFinding follow_finding(SequenceAttempts& attempts, std::span<const Sequence> before, const Sequence& sequence,
                               const BatchEnd& end) {
  FollowedFinding followed;
  Follower follower(attempts, end);
  Sequence failing(sequence.begin(),
                   sequence.begin() + static_cast<std::ptrdiff_t>(std::min(sequence.size(), end.finding.step + 1)));
  if (!follower.shows_in_fresh_worker(failing)) {
    std::vector<Sequence> together(before.end() - static_cast<std::ptrdiff_t>(std::min(before.size(), most_before)),
                                   before.end());
    together.push_back(failing);
    failing = joined(together);
    if (before.empty() || !follower.shows_in_fresh_worker(failing)) {
      if (interrupt_signal() != 0) return followed;
      followed.note =
          fmt::format("{} did not repeat in a fresh worker: {}", rule(end.finding.rule).id, end.finding.observed);
      return followed;
    }
  }
  failing = follower.shrink(failing);
  for (int i = 0; i < repetitions; ++i) {
    if (follower.shows_in_fresh_worker(failing)) continue;
    if (interrupt_signal() != 0) return followed;
    followed.note = fmt::format("{} does not repeat every time: {}", rule(end.finding.rule).id, sequence_text(failing));
    return followed;
  }
  const BatchEnd shown = follower.last();
  attempts.renew();
  const BatchEnd control = attempts.carry_out({sequence_text(failing)}, true);
  attempts.renew();
  if (control.kind == BatchEnd::Kind::interrupted) return followed;
  if (control.kind != BatchEnd::Kind::clean) {
    followed.fault = fmt::format("dlspec's own library shows the same as the subject, which is not blamed: {}: {}",
                                 rule(shown.finding.rule).id, sequence_text(failing));
    return followed;
  }
  followed.finding = made_finding(failing, shown);
  followed.key = fault_key(shown, failing);
  return followed;
}

}  // namespace dlspec::conformance
