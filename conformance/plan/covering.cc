#include <dlspec/conformance/plan/covering.h>

#include <algorithm>
#include <optional>
#include <set>

namespace dlspec::conformance {
namespace {

// A level of a factor.
struct Choice {
  std::size_t factor;
  std::size_t level;
  auto operator<=>(const Choice&) const = default;
};
// Levels that must meet in one row, by ascending factor.
using Combination = std::vector<Choice>;

// A row in the making: nullopt where no level has been chosen.
using Partial = std::vector<std::optional<std::size_t>>;

// True when what is tried in the row, with this choice, would have more than one circumstance.
bool is_crowded(const CoveringModel& model, const Partial& row, Choice choice) {
  const auto level_of = [&](std::size_t factor) { return factor == choice.factor ? choice.level : row[factor]; };
  if (!model.tried || level_of(*model.tried).value_or(0) == 0) return false;
  std::size_t count = 0;
  for (std::size_t factor = 0; factor < row.size(); ++factor) {
    const std::optional<std::size_t> level = level_of(factor);
    count += level && factor != *model.tried && model.is_circumstance(factor, *level) ? 1 : 0;
  }
  return count > 1;
}

bool fits(const CoveringModel& model, const Partial& row, Choice choice) {
  if (is_crowded(model, row, choice)) return false;
  for (std::size_t other = 0; other < row.size(); ++other) {
    if (other == choice.factor || !row[other]) continue;
    if (!model.allows(choice.factor, choice.level, other, *row[other])) return false;
  }
  return true;
}

// True when every factor without a level still has one that fits what was chosen.
bool leaves_a_level_for_each(const CoveringModel& model, const Partial& row) {
  for (std::size_t factor = 0; factor < row.size(); ++factor) {
    if (row[factor]) continue;
    bool found = false;
    for (std::size_t level = 0; level < model.factors[factor].levels.size() && !found; ++level) {
      found = fits(model, row, {factor, level});
    }
    if (!found) return false;
  }
  return true;
}

bool can_choose(const CoveringModel& model, Partial row, Choice choice) {
  if (!fits(model, row, choice)) return false;
  row[choice.factor] = choice.level;
  return leaves_a_level_for_each(model, row);
}

// Every allowed combination of levels of these factors.
void add_combinations(const CoveringModel& model, const std::vector<std::size_t>& factors,
                      std::set<Combination>& found) {
  std::vector<Combination> grown{{}};
  for (const std::size_t factor : factors) {
    std::vector<Combination> next;
    for (const Combination& begun : grown) {
      Partial row(model.factors.size());
      for (const Choice& each : begun) row[each.factor] = each.level;
      for (std::size_t level = 0; level < model.factors[factor].levels.size(); ++level) {
        if (!can_choose(model, row, {factor, level})) continue;
        next.push_back(begun);
        next.back().push_back({factor, level});
      }
    }
    grown = std::move(next);
  }
  found.insert(grown.begin(), grown.end());
}

std::set<Combination> wanted_combinations(const CoveringModel& model) {
  std::set<Combination> wanted;
  for (std::size_t f = 0; f < model.factors.size(); ++f) {
    for (std::size_t g = f + 1; g < model.factors.size(); ++g) add_combinations(model, {f, g}, wanted);
  }
  for (const auto& triple : model.triples) {
    std::vector<std::size_t> factors(triple.begin(), triple.end());
    std::sort(factors.begin(), factors.end());
    add_combinations(model, factors, wanted);
  }
  return wanted;
}

bool has(const CoveringRow& row, const Combination& combination) {
  return std::all_of(combination.begin(), combination.end(),
                     [&](const Choice& each) { return row[each.factor] == each.level; });
}

// The hollow level of the row, if it has one.
std::optional<Choice> hollow_choice(const CoveringModel& model, const Partial& row) {
  for (std::size_t factor = 0; model.is_hollow && factor < row.size(); ++factor) {
    if (row[factor] && model.is_hollow(factor, *row[factor])) return Choice{factor, *row[factor]};
  }
  return std::nullopt;
}

bool names(const Combination& combination, const std::optional<Choice>& hollow) {
  return !hollow || std::find(combination.begin(), combination.end(), *hollow) != combination.end();
}

void remove_covered(const CoveringModel& model, std::set<Combination>& wanted, const CoveringRow& row) {
  const std::optional<Choice> hollow = hollow_choice(model, Partial(row.begin(), row.end()));
  std::erase_if(wanted, [&](const Combination& each) { return has(row, each) && names(each, hollow); });
}

// How many wanted combinations the choice completes in the row.
std::size_t gain(const CoveringModel& model, const std::set<Combination>& wanted, const Partial& row, Choice choice) {
  std::size_t count = 0;
  std::optional<Choice> hollow = hollow_choice(model, row);
  if (model.is_hollow && model.is_hollow(choice.factor, choice.level)) hollow = choice;
  for (std::size_t other = 0; other < row.size(); ++other) {
    if (!row[other]) continue;
    Combination pair{choice, {other, *row[other]}};
    std::sort(pair.begin(), pair.end());
    count += names(pair, hollow) ? wanted.count(pair) : 0;
  }
  for (const auto& triple : model.triples) {
    Combination met;
    for (const std::size_t factor : triple) {
      if (factor == choice.factor) met.push_back(choice);
      if (factor != choice.factor && row[factor]) met.push_back({factor, *row[factor]});
    }
    std::sort(met.begin(), met.end());
    const bool is_completed = met.size() == 3 && std::find(met.begin(), met.end(), choice) != met.end();
    if (is_completed && names(met, hollow)) count += wanted.count(met);
  }
  return count;
}

// The level that meets most new partners; the lowest of equals. A level fits, because every choice left one.
std::size_t best_level(const CoveringModel& model, const std::set<Combination>& wanted, const Partial& row,
                       std::size_t factor) {
  std::optional<std::size_t> best;
  std::size_t most = 0;
  for (std::size_t level = 0; level < model.factors[factor].levels.size(); ++level) {
    if (!can_choose(model, row, {factor, level})) continue;
    const std::size_t now = gain(model, wanted, row, {factor, level});
    if (best && now <= most) continue;
    best = level;
    most = now;
  }
  return best.value_or(0);
}

CoveringRow completed(const CoveringModel& model, const std::set<Combination>& wanted, const Combination& first) {
  Partial row(model.factors.size());
  for (const Choice& each : first) row[each.factor] = each.level;
  for (std::size_t factor = 0; factor < row.size(); ++factor) {
    if (!row[factor]) row[factor] = best_level(model, wanted, row, factor);
  }
  CoveringRow whole;
  for (const auto& level : row) whole.push_back(*level);
  return whole;
}

std::string text(const CoveringModel& model, const Combination& combination) {
  std::string words;
  for (const Choice& each : combination) {
    const Factor& factor = model.factors[each.factor];
    words += (words.empty() ? "" : " with ") + factor.name + "=" + factor.levels[each.level];
  }
  return words;
}

}  // namespace

bool is_allowed(const CoveringModel& model, const CoveringRow& row) {
  if (row.size() != model.factors.size()) return false;
  if (is_crowded(model, Partial(row.begin(), row.end()), {0, row[0]})) return false;
  for (std::size_t f = 0; f < row.size(); ++f) {
    if (row[f] >= model.factors[f].levels.size()) return false;
    for (std::size_t g = f + 1; g < row.size(); ++g) {
      if (!model.allows(f, row[f], g, row[g])) return false;
    }
  }
  return true;
}

std::vector<std::string> missing_combinations(const CoveringModel& model, const std::vector<CoveringRow>& rows) {
  std::set<Combination> wanted = wanted_combinations(model);
  for (const CoveringRow& row : rows) remove_covered(model, wanted, row);
  std::vector<std::string> missing;
  for (const Combination& each : wanted) missing.push_back(text(model, each));
  return missing;
}

std::vector<CoveringRow> rows_to_add(const CoveringModel& model, const std::vector<CoveringRow>& rows) {
  std::set<Combination> wanted = wanted_combinations(model);
  for (const CoveringRow& row : rows) remove_covered(model, wanted, row);
  std::vector<CoveringRow> added;
  while (!wanted.empty()) {
    const CoveringRow row = completed(model, wanted, *wanted.begin());
    if (!is_allowed(model, row) || !has(row, *wanted.begin()) ||
        !names(*wanted.begin(), hollow_choice(model, Partial(row.begin(), row.end())))) {
      wanted.erase(wanted.begin());  // three levels of which no row can have all, though every two of them fit
      continue;
    }
    remove_covered(model, wanted, row);
    added.push_back(row);
  }
  return added;
}

}  // namespace dlspec::conformance
