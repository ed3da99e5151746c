// Merges result documents.
#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include <dlspec/conformance/core/document.h>
#include <dlspec/conformance/plan/plan.h>
#include <dlspec/conformance/plan/sequence.h>
#include <dlspec/conformance/report/claims.h>
#include <dlspec/conformance/report/matrix.h>
#include <dlspec/conformance/report/merge.h>

namespace dlspec::conformance {
namespace {

std::string shard_text(const Shard& shard) { return std::to_string(shard.index) + "/" + std::to_string(shard.count); }

// An error sentence when two runs differ in version, commit or seed; else "".
std::string run_mismatch(const NamedDocument& first, const NamedDocument& other) {
  const std::string pair = first.file + " and " + other.file;
  if (first.document.version != other.document.version || first.document.commit != other.document.commit) {
    return pair + " were made by different dlspecs (" + first.document.version + " " + first.document.commit + ", " +
           other.document.version + " " + other.document.commit + ")";
  }
  if (first.document.seed != other.document.seed) return pair + " have different seeds";
  return "";
}

using Sources = std::vector<const NamedDocument*>;

const SubjectInfo* find_subject(const Document& document, std::string_view subject) {
  const auto found = std::find_if(document.subjects.begin(), document.subjects.end(),
                                  [&](const SubjectInfo& info) { return info.subject == subject; });
  return found != document.subjects.end() ? &*found : nullptr;
}

bool is_one_library(const SubjectInfo& a, const SubjectInfo& b) {
  return a.name == b.name && a.version == b.version && a.kind == b.kind;
}

// An error sentence unless the documents are all shards of one plan of the subject, or one unsharded run.
std::string shard_mismatch(const std::string& subject, const Sources& sources) {
  std::map<std::uint32_t, const NamedDocument*> shards;
  for (const NamedDocument* source : sources) {
    const std::optional<Shard>& shard = source->document.shard;
    if (!shard && sources.size() == 1) return "";
    const NamedDocument* other_source = source == sources.front() ? sources.back() : source;
    const std::string both = subject + " was judged in " + sources.front()->file + " and " + other_source->file;
    if (!shard) return both + ", and not as shards of one plan";
    if (!sources.front()->document.shard || shard->count != sources.front()->document.shard->count) {
      return both + ", but not with the same number of shards";
    }
    const auto [other, is_new] = shards.insert({shard->index, source});
    if (!is_new)
      return other->second->file + " and " + source->file + " are both shard " + shard_text(*shard) + " of " + subject;
    if (!is_one_library(*find_subject(sources.front()->document, subject), *find_subject(source->document, subject))) {
      return both + ", but these are different libraries or versions";
    }
  }
  const std::uint32_t count = sources.front()->document.shard->count;
  for (std::uint32_t index = 1; index <= count; ++index) {
    if (!shards.contains(index)) return "shard " + shard_text({index, count}) + " of " + subject + " is missing";
  }
  return "";
}

// An error sentence when a subject of exchanges is not the same library in all documents.
std::string library_mismatch(const std::string& subject, const Sources& sources) {
  for (const NamedDocument* source : sources) {
    if (is_one_library(*find_subject(sources.front()->document, subject), *find_subject(source->document, subject)))
      continue;
    return subject + " is another library or version in " + sources.front()->file + " than in " + source->file;
  }
  return "";
}

bool is_fuzzed(const Record& record) { return std::string_view(record.case_id).ends_with(fuzzed_case); }

// An error sentence when a record belongs to another shard. What `dlspec fuzz` found belongs to the shard that did.
std::string misplaced_record(const NamedDocument& input) {
  if (!input.document.shard) return "";
  for (const Record& record : input.document.results) {
    if (!is_fuzzed(record) && shard_of(record.case_id, input.document.shard->count) != input.document.shard->index) {
      return input.file + ": " + record.case_id + " does not belong to shard " + shard_text(*input.document.shard);
    }
  }
  return "";
}

// The index of a case in the full plan; unknown cases sort last, by name.
using PlanOrder = std::map<std::string, std::size_t>;
PlanOrder plan_order(SubjectKind kind) {
  Selection everything;
  everything.kind = kind;
  PlanOrder order;
  for (const Selection& selection : everywhere(everything)) {
    for (const Case& work : make_plan(selection)) order.emplace(work.id, order.size());
  }
  return order;
}

bool is_same_finding(const Record& a, const Record& b) {
  return is_fuzzed(a) && is_fuzzed(b) &&
         std::tie(a.role, a.rule, a.case_id, a.status, a.observed) ==
             std::tie(b.role, b.rule, b.case_id, b.status, b.observed);
}

// What several shards of `dlspec fuzz` found is told once, and that one found nothing only if none did.
void join_fuzzed(std::vector<Record>& results, std::ptrdiff_t first) {
  const auto begin = results.begin() + first;
  const bool found = std::any_of(
      begin, results.end(), [](const Record& record) { return is_fuzzed(record) && record.status != Verdict::pass; });
  auto kept = begin;
  for (auto next = begin; next != results.end(); ++next) {
    const bool clean = found && is_fuzzed(*next) && next->status == Verdict::pass;
    if (clean || std::any_of(begin, kept, [&](const Record& earlier) { return is_same_finding(earlier, *next); }))
      continue;
    if (kept != next) *kept = std::move(*next);
    ++kept;
  }
  results.erase(kept, results.end());
}

void append_results(const SubjectInfo& info, const Sources& sources, std::vector<Record>& results) {
  const auto first = static_cast<std::ptrdiff_t>(results.size());
  for (const NamedDocument* source : sources) {
    std::copy_if(source->document.results.begin(), source->document.results.end(), std::back_inserter(results),
                 [&](const Record& record) { return record.subject == info.subject; });
  }
  if (sources.size() <= 1) return;
  if (std::any_of(results.begin() + first, results.end(), is_fuzzed)) join_fuzzed(results, first);
  const PlanOrder order = plan_order(info.kind);
  const auto key = [&](const Record& record) {
    const auto found = order.find(record.case_id);
    return std::tuple(found != order.end() ? found->second : order.size(), std::string_view(record.case_id),
                      record.rule);
  };
  std::stable_sort(results.begin() + first, results.end(),
                   [&](const Record& a, const Record& b) { return key(a) < key(b); });
}

Sources sources_of(std::span<const NamedDocument> inputs, const std::string& subject) {
  Sources sources;
  for (const NamedDocument& input : inputs) {
    if (find_subject(input.document, subject) != nullptr) sources.push_back(&input);
  }
  return sources;
}

// The documents with records of the subject itself, not only of its exchanges.
Sources judged_in(const Sources& sources, const std::string& subject) {
  Sources judged;
  std::copy_if(sources.begin(), sources.end(), std::back_inserter(judged), [&](const NamedDocument* source) {
    return !has_exchanges_only(source->document, *find_subject(source->document, subject));
  });
  return judged;
}

bool is_same_answer(const Record& a, const Record& b) {
  return a.status == b.status && a.observed == b.observed && a.observation == b.observation;
}

// Appends every exchange once. An error sentence when two documents have different results for the same exchange.
std::string append_exchanges(std::span<const NamedDocument> inputs, std::vector<Record>& results) {
  std::map<std::tuple<std::string_view, std::string_view, std::string_view, RuleId>,
           std::pair<const Record*, const NamedDocument*>>
      known;
  for (const NamedDocument& input : inputs) {
    for (const Record& record : input.document.results) {
      if (record.role != Role::exchange) continue;
      const auto [entry, is_new] =
          known.insert({{record.producer, record.consumer, record.case_id, record.rule}, {&record, &input}});
      if (is_new) {
        results.push_back(record);
      } else if (!is_same_answer(*entry->second.first, record)) {
        return entry->second.second->file + " and " + input.file + " differ in " + record.case_id + " from " +
               record.producer + " to " + record.consumer;
      }
    }
  }
  return "";
}

// The host properties on which all runs agree.
std::map<std::string, std::string> common_host(std::span<const NamedDocument> inputs) {
  std::map<std::string, std::string> host = inputs.front().document.host;
  for (const NamedDocument& input : inputs) {
    std::erase_if(host, [&](const auto& entry) {
      const auto found = input.document.host.find(entry.first);
      return found == input.document.host.end() || found->second != entry.second;
    });
  }
  return host;
}

}  // namespace

ReadDocument merge_documents(std::span<const NamedDocument> inputs) {
  if (inputs.empty()) return {std::nullopt, "there is no document to merge"};
  const bool whole = !inputs.front().document.shard || inputs.front().document.shard->count == 1;
  if (inputs.size() == 1 && whole) return {inputs.front().document, ""};
  Document merged = inputs.front().document;
  merged.host = common_host(inputs);
  merged.seconds.clear();
  merged.shard.reset();
  merged.subjects.clear();
  merged.results.clear();
  std::string problem;
  for (const NamedDocument& input : inputs) {
    if (problem.empty()) problem = run_mismatch(inputs.front(), input);
    if (problem.empty()) problem = misplaced_record(input);
    merged.tested = std::min(merged.tested, input.document.tested);
    for (const SubjectInfo& info : input.document.subjects) {
      if (!problem.empty() || find_subject(merged, info.subject) != nullptr) continue;
      const Sources all = sources_of(inputs, info.subject);
      const Sources sources = judged_in(all, info.subject);
      problem = sources.size() == all.size() ? "" : library_mismatch(info.subject, all);
      if (problem.empty() && !sources.empty()) problem = shard_mismatch(info.subject, sources);
      merged.subjects.push_back(info);
      // Shards may run in parallel: the sum of their times is no duration.
      const auto took = input.document.seconds.find(info.subject);
      if (sources.size() == 1 && took != input.document.seconds.end()) merged.seconds.insert(*took);
      if (problem.empty()) append_results(info, sources, merged.results);
    }
  }
  if (problem.empty()) problem = append_exchanges(inputs, merged.results);
  if (!problem.empty()) return {std::nullopt, problem};
  fill_figures(merged);
  return {std::move(merged), ""};
}

}  // namespace dlspec::conformance
