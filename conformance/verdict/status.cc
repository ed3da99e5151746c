#include <dlspec/conformance/verdict/status.h>

#include <algorithm>

namespace dlspec::conformance {
namespace {

bool is_judged(Verdict status) {
  switch (status) {
    case Verdict::pass:
    case Verdict::fail:
    case Verdict::warn:
    case Verdict::info:
    case Verdict::crash:
    case Verdict::timeout:
    case Verdict::xfail:
    case Verdict::xpass: return true;
    case Verdict::unsupported:
    case Verdict::not_applicable:
    case Verdict::blocked:
    case Verdict::skipped: break;
  }
  return false;
}

bool is_bad(Verdict status, bool strict) {
  return status == Verdict::fail || status == Verdict::crash || status == Verdict::timeout ||
         (strict && status == Verdict::warn);
}

std::vector<std::string> unjudged(const RunFacts& facts) {
  std::vector<std::string> reasons = facts.faults;
  for (const std::string& subject : facts.named) {
    if (!was_exercised(facts.records, subject)) reasons.push_back(subject + ": no rule could be exercised");
  }
  return reasons;
}

std::string broken_text(std::size_t count) {
  return count == 1 ? "1 record fails" : std::to_string(count) + " records fail";
}

}  // namespace

bool was_exercised(std::span<const Record> records, const std::string& subject) {
  return std::any_of(records.begin(), records.end(),
                     [&](const Record& record) { return record.subject == subject && is_judged(record.status); });
}

Conclusion conclude(const RunFacts& facts) {
  Conclusion conclusion;
  conclusion.reasons = unjudged(facts);
  const auto bad =
      static_cast<std::size_t>(std::count_if(facts.records.begin(), facts.records.end(), [&](const Record& record) {
        return is_bad(record.status, facts.strict);
      }));
  const bool misfit =
      facts.baseline_misfit || std::any_of(facts.records.begin(), facts.records.end(),
                                           [](const Record& record) { return record.status == Verdict::xpass; });
  conclusion.status = !conclusion.reasons.empty() ? exit_unjudged
                      : bad > 0                   ? exit_broken
                      : misfit                    ? exit_baseline
                                                  : exit_good;
  if (bad > 0) conclusion.reasons.push_back(broken_text(bad));
  if (misfit) conclusion.reasons.push_back("the baseline does not fit");
  return conclusion;
}

int exit_status(const RunFacts& facts) { return conclude(facts).status; }

}  // namespace dlspec::conformance
