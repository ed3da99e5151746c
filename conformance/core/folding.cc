#include <dlspec/conformance/core/folding.h>

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include <fmt/format.h>

#include <dlspec/conformance/core/text.h>

namespace dlspec::conformance {
namespace {

constexpr std::string_view case_mark = "{case}", rule_mark = "{rule}";

std::string replaced_all(std::string text, std::string_view from, std::string_view to) {
  if (from.empty()) return text;
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
    text.replace(at, from.size(), to);
  return text;
}

std::string command_of(const std::string& reproduce, const std::string& case_id, RuleId id) {
  std::string text;
  for (std::size_t at = 0; at < reproduce.size();) {
    const std::string_view rest = std::string_view(reproduce).substr(at);
    const bool is_case = rest.starts_with(case_mark), is_rule = rest.starts_with(rule_mark);
    text += is_case ? case_id : is_rule ? rule(id).id : std::string(1, reproduce[at]);
    at += is_case ? case_mark.size() : is_rule ? rule_mark.size() : 1;
  }
  return text;
}

bool is_plain(Verdict status) { return status == Verdict::pass || status == Verdict::not_applicable; }

// A finding that no baseline expects.
bool is_finding(const Record& record) {
  constexpr Verdict others[] = {Verdict::unsupported, Verdict::blocked, Verdict::skipped, Verdict::xfail};
  return !is_plain(record.status) && std::find(std::begin(others), std::end(others), record.status) == std::end(others);
}

// The outcome of a record that can be told from it; none for one that has to stay whole.
std::optional<Folding::Outcome> outcome_of(const Record& record, const std::string& case_id) {
  if (record.observation || (is_plain(record.status) && record.without_baseline)) return {};
  Folding::Outcome outcome;
  outcome.status = record.status;
  if (is_plain(record.status)) return outcome;
  const std::string reproduce = clean_text(record.reproduce);
  outcome.reproduce = replaced_all(reproduce, case_id, case_mark);
  outcome.reproduce = replaced_all(std::move(outcome.reproduce), rule(record.rule).id, rule_mark);
  if (command_of(outcome.reproduce, case_id, record.rule) != reproduce) return {};
  outcome.observed = clean_text(record.observed), outcome.allowed = clean_text(record.allowed);
  outcome.without_baseline = record.without_baseline, outcome.mitigation = record.mitigation;
  return outcome;
}

// The index of a value among those seen; a new one is added.
template <class Value>
class Numbered {
 public:
  explicit Numbered(std::vector<Value>& values) : values_(values) {}
  std::size_t operator()(Value value) {
    const auto [at, is_new] = numbers_.try_emplace(value, values_.size());
    if (is_new) values_.push_back(std::move(value));
    return at->second;
  }

 private:
  std::vector<Value>& values_;
  std::map<Value, std::size_t> numbers_;
};

bool is_same_part(const Folding::Part& part, const Record& record) {
  return part.subject == clean_text(record.subject) && part.producer == clean_text(record.producer) &&
         part.consumer == clean_text(record.consumer) && part.role == record.role;
}

bool is_same_case(const Record& a, const Record& b) {
  return a.case_id == b.case_id && a.role == b.role && a.subject == b.subject && a.producer == b.producer &&
         a.consumer == b.consumer;
}

void add_run(std::vector<Folding::Run>& runs, std::optional<std::size_t> outcome) {
  if (runs.empty() || runs.back().outcome != outcome) runs.push_back({0, outcome});
  ++runs.back().rules;
}

void add_case(std::vector<Folding::Part>& parts, const Record& record, std::string case_id, std::size_t pattern) {
  if (parts.empty() || !is_same_part(parts.back(), record)) {
    parts.push_back(
        {clean_text(record.subject), clean_text(record.producer), clean_text(record.consumer), record.role, {}});
  }
  std::vector<Folding::Cases>& cases = parts.back().cases;
  if (cases.empty() || cases.back().pattern != pattern) cases.push_back({pattern, {}});
  cases.back().ids.push_back(std::move(case_id));
}

std::uint64_t text_size(const Folding::Outcome& outcome) {
  return outcome.observed.size() + outcome.allowed.size() + outcome.reproduce.size();
}

// "" where the folding holds together.
std::string contradiction(const Folding& folding, std::size_t whole) {
  std::vector<std::uint64_t> whole_of, text_of;
  for (std::size_t i = 0; i < folding.patterns.size(); ++i) {
    std::uint64_t rules = 0, kept = 0, text = 0;
    for (const Folding::Run& run : folding.patterns[i].runs) {
      if (run.rules > most_records) return fmt::format("pattern {} has a run of {} rules", i, run.rules);
      rules += run.rules;
      kept += run.outcome ? 0 : run.rules;
      text += run.outcome ? run.rules * text_size(folding.outcomes[*run.outcome]) : 0;
    }
    const std::size_t listed = folding.rules[folding.patterns[i].rules].size();
    if (rules != listed) return fmt::format("pattern {} is one of {} rules, but its list has {}", i, rules, listed);
    whole_of.push_back(kept);
    text_of.push_back(text);
  }
  std::uint64_t told = 0, places = 0, text = 0;
  for (const Folding::Part& part : folding.parts) {
    for (const Folding::Cases& cases : part.cases) {
      told += cases.ids.size() * folding.rules[folding.patterns[cases.pattern].rules].size();
      places += cases.ids.size() * whole_of[cases.pattern];
      for (const std::string& id : cases.ids) text += text_of[cases.pattern] + id.size();
      if (text > most_text) return fmt::format("its records hold more than {} bytes of text", most_text);
      if (told > most_records) return fmt::format("it holds more than {} records", most_records);
    }
  }
  return places == whole ? "" : fmt::format("it has places for {} of the {} results", places, whole);
}

// The records of a case, at the end of `records`; false where a whole record is another one.
bool add_records(const Folding& folding, const Folding::Part& part, const Folding::Pattern& pattern,
                 const std::string& case_id, std::vector<Record>::iterator& whole, std::vector<Record>& records) {
  auto id = folding.rules[pattern.rules].begin();
  for (const Folding::Run& run : pattern.runs) {
    for (std::uint64_t i = 0; i < run.rules; ++i, ++id) {
      Record record;
      record.subject = part.subject, record.producer = part.producer, record.consumer = part.consumer;
      record.role = part.role, record.rule = *id, record.case_id = case_id;
      if (run.outcome) {
        const Folding::Outcome& outcome = folding.outcomes[*run.outcome];
        record.status = outcome.status, record.observed = outcome.observed, record.allowed = outcome.allowed;
        record.without_baseline = outcome.without_baseline, record.mitigation = outcome.mitigation;
        record.reproduce = command_of(outcome.reproduce, case_id, *id);
        records.push_back(std::move(record));
      } else {
        if (!is_same_case(*whole, record) || whole->rule != *id) return false;
        records.push_back(std::move(*whole++));
      }
    }
  }
  return true;
}

}  // namespace

Folded fold(std::span<const Record> records) {
  Folded folded;
  Numbered rules(folded.folding.rules);
  Numbered outcomes(folded.folding.outcomes);
  Numbered patterns(folded.folding.patterns);
  std::map<std::pair<RuleId, Folding::Outcome>, std::size_t> findings;
  for (std::size_t begin = 0; begin < records.size();) {
    const Record& first = records[begin];
    std::string case_id = clean_text(first.case_id);
    std::vector<RuleId> of_case;
    Folding::Pattern pattern;
    std::size_t end = begin;
    for (; end < records.size() && is_same_case(first, records[end]); ++end) {
      of_case.push_back(records[end].rule);
      std::optional<Folding::Outcome> outcome = outcome_of(records[end], case_id);
      if (outcome && is_finding(records[end]) && ++findings[{records[end].rule, *outcome}] <= whole_findings)
        outcome.reset();
      if (!outcome) folded.whole.push_back(&records[end]);
      add_run(pattern.runs, outcome ? std::optional(outcomes(std::move(*outcome))) : std::nullopt);
    }
    pattern.rules = rules(std::move(of_case));
    add_case(folded.folding.parts, first, std::move(case_id), patterns(std::move(pattern)));
    begin = end;
  }
  return folded;
}

Unfolded unfold(const Folding& folding, std::vector<Record> whole) {
  Unfolded unfolded;
  unfolded.error = contradiction(folding, whole.size());
  if (!unfolded.error.empty()) return unfolded;
  auto next = whole.begin();
  for (const Folding::Part& part : folding.parts) {
    for (const Folding::Cases& cases : part.cases) {
      for (const std::string& id : cases.ids) {
        if (add_records(folding, part, folding.patterns[cases.pattern], id, next, unfolded.records)) continue;
        return {{}, fmt::format("its places of {} are not those of results[{}]", id, next - whole.begin())};
      }
    }
  }
  return unfolded;
}

}  // namespace dlspec::conformance
