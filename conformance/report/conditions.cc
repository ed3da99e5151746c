#include <dlspec/conformance/report/conditions.h>

#include <algorithm>
#include <functional>
#include <set>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include <dlspec/conformance/report/array_traits.h>
#include <dlspec/conformance/report/circumstances.h>

namespace dlspec::conformance {
namespace {

constexpr std::size_t most_named = 3;       // dtypes, layouts or variants that a condition lists
constexpr std::size_t most_conditions = 4;  // in a sentence

using Cases = std::vector<Circumstances>;
using Attribute = std::string (*)(const Circumstances&);

std::string dtype_of(const Circumstances& one) { return one.dtype; }
std::string layout_of(const Circumstances& one) { return one.layout; }
std::string tried_of(const Circumstances& one) { return one.tried; }
std::string role_of(const Circumstances& one) { return role_name(one.role); }
std::string generation_of(const Circumstances& one) { return one.legacy ? "legacy" : "versioned"; }

// A statement about a case; `text` follows "only".
struct Condition {
  std::string text;
  std::function<bool(const Circumstances&)> holds;
};

Cases cases_of(const Records& records) {
  Cases cases;
  for (const Record* record : records) {
    if (std::optional<Circumstances> one = circumstances_of(record->case_id)) cases.push_back(*std::move(one));
  }
  return cases;
}

std::set<std::string> values(const Cases& cases, Attribute attribute) {
  std::set<std::string> found;
  for (const Circumstances& one : cases) found.insert(attribute(one));
  return found;
}

std::string listed(const std::set<std::string>& names) {
  std::string text;
  std::size_t left = names.size();
  for (const std::string& name : names) {
    text += name;
    --left;
    text += left == 0 ? "" : left == 1 ? " and " : ", ";
  }
  return text;
}

// "only int4 and int8", where these are few.
void add_listed(std::vector<Condition>& conditions, const Cases& deviating, Attribute attribute, const char* before) {
  const std::set<std::string> names = values(deviating, attribute);
  if (names.size() > most_named) return;
  conditions.push_back({before + listed(names),
                        [names, attribute](const Circumstances& one) { return names.contains(attribute(one)); }});
}

// "dtypes other than bool", where all but few deviate.
void add_others(std::vector<Condition>& conditions, const Cases& deviating, const Cases& judged, Attribute attribute,
                const char* what) {
  std::set<std::string> spared = values(judged, attribute);
  for (const std::string& name : values(deviating, attribute)) spared.erase(name);
  if (spared.empty() || spared.size() > most_named) return;
  conditions.push_back({std::string(what) + " other than " + listed(spared),
                        [spared, attribute](const Circumstances& one) { return !spared.contains(attribute(one)); }});
}

// "copy=true": levels of paths. A default level has no name of its own.
void add_levels(std::vector<Condition>& conditions, const Cases& deviating) {
  for (const auto& [factor, level] : deviating.front().levels) {
    conditions.push_back(
        {fmt::format("{}={}", factor, level),
         [factor = factor, level = level](const Circumstances& one) { return one.has(factor, level); }});
  }
}

// Everything that could be said, the more telling first: of two that say the same about these cases the first counts.
std::vector<Condition> candidates(const Cases& deviating, const Cases& judged) {
  std::vector<Condition> conditions;
  add_listed(conditions, deviating, role_of, "as ");
  for (const ArrayTrait& trait : array_traits()) {
    conditions.push_back({trait.text, [&trait](const Circumstances& one) { return trait.holds(one); }});
  }
  add_levels(conditions, deviating);
  add_listed(conditions, deviating, generation_of, "");
  add_listed(conditions, deviating, tried_of, "tried by ");
  add_listed(conditions, deviating, dtype_of, "");
  add_others(conditions, deviating, judged, dtype_of, "dtypes");
  add_listed(conditions, deviating, layout_of, "layout ");
  add_others(conditions, deviating, judged, layout_of, "layouts");
  return conditions;
}

std::size_t count(const Cases& cases, const Condition& condition) {
  return static_cast<std::size_t>(std::count_if(cases.begin(), cases.end(), condition.holds));
}

// Those that narrow `judged` down to the cases that deviate, the one that leaves fewest first. Narrows `judged`.
std::vector<std::string> chosen_conditions(const Cases& deviating, Cases& judged) {
  std::vector<Condition> possible = candidates(deviating, judged);
  std::erase_if(possible, [&](const Condition& each) { return count(deviating, each) < deviating.size(); });
  std::vector<std::string> texts;
  while (texts.size() < most_conditions && judged.size() > deviating.size()) {
    const Condition* best = nullptr;
    // What spares only a few of those that do not deviate says nothing.
    const std::size_t others = judged.size() - deviating.size();
    std::size_t left = judged.size() - (others + 3) / 4 + 1;
    for (const Condition& each : possible) {
      const std::size_t kept = count(judged, each);
      if (kept >= left) continue;
      best = &each;
      left = kept;
    }
    if (best == nullptr) break;
    texts.push_back("only " + best->text);
    std::erase_if(judged, [&](const Circumstances& one) { return !best->holds(one); });
  }
  return texts;
}

// "all 15 dtypes", "5 of 15 dtypes", "float32 and int8"; "" where only one was tried.
std::string share(const Cases& deviating, const Cases& judged, Attribute attribute, const char* what) {
  const std::set<std::string> names = values(deviating, attribute);
  const std::size_t seen = names.size(), all = values(judged, attribute).size();
  if (seen < 2) return "";
  if (seen <= most_named) return listed(names);
  return seen == all ? fmt::format("all {} {}", all, what) : fmt::format("{} of {} {}", seen, all, what);
}

std::string such_cases(std::size_t deviating, std::size_t judged, bool conditional) {
  const char* such = conditional ? " such" : "";
  if (deviating < judged) return fmt::format("{} of {}{} cases", deviating, judged, such);
  if (judged == 1) return conditional ? "the only such case" : "1 case";
  return judged == 2 ? fmt::format("both{} cases", such) : fmt::format("all {}{} cases", judged, such);
}

}  // namespace

std::string shared_conditions(const Records& deviating, const Records& judged) {
  const Cases with = cases_of(deviating);
  Cases tried = cases_of(judged);
  if (with.size() != deviating.size() || with.empty() || tried.size() < with.size())
    return such_cases(deviating.size(), judged.size(), false);
  std::vector<std::string> parts = chosen_conditions(with, tried);
  const std::string cases = such_cases(with.size(), tried.size(), !parts.empty());
  const auto add = [&](std::string part) {
    const auto is_said = [&](const std::string& said) { return said.ends_with(part); };
    if (!part.empty() && std::none_of(parts.begin(), parts.end(), is_said)) parts.push_back(std::move(part));
  };
  add(share(with, tried, dtype_of, "dtypes"));
  add(share(with, tried, layout_of, "layouts"));
  if (values(with, generation_of).size() > 1) add("versioned and legacy");
  if (values(with, role_of).size() > 1) add("as " + listed(values(with, role_of)));
  return parts.empty() ? cases : fmt::format("{}: {}", cases, fmt::join(parts, ", "));
}

}  // namespace dlspec::conformance
