#include <dlspec/conformance/selfcheck/zoo/struct_checks.h>

#include <algorithm>
#include <set>
#include <span>
#include <utility>

#include <fmt/format.h>

#include <dlspec/conformance/core/globs.h>
#include <dlspec/optimized/validate/validate.h>
#include <dlspec/reference/testing/faulty.h>
#include <dlspec/reference/validate/validate.h>
#include <dlspec/vocabulary/finding.h>

namespace dlspec::conformance {
namespace {

using testing::Exhibit;
using testing::FaultyRow;
using Rules = std::set<RuleId>;

struct Validator {
  const char* name;
  Findings (*validate)(const Exported& exported, const Origin* origin);
};

constexpr Validator validators[] = {
    {"reference", [](const Exported& exported, const Origin* origin) { return reference::validate(exported, origin); }},
    {"optimized", [](const Exported& exported, const Origin* origin) { return optimized::validate(exported, origin); }},
};

// A row of pairs.def: what faults of these two rules show together, when it is not both rules.
struct PairRow {
  RuleId first;
  RuleId second;
  Rules found;
  const char* reason;
  bool used = false;
};

std::vector<PairRow> pair_rows() {
  using enum RuleId;
  return {
#define DLSPEC_PAIR(first, second, found, reason) PairRow{first, second, Rules DLSPEC_BRACED found, reason},
#define DLSPEC_BRACED(...) \
  {                        \
    __VA_ARGS__            \
  }
#include <dlspec/conformance/selfcheck/zoo/pairs.def>
#undef DLSPEC_BRACED
#undef DLSPEC_PAIR
  };
}

bool is_silenced(const Rule& silent, const Findings& findings) {
  return std::any_of(findings.begin(), findings.end(), [&](const Finding& finding) {
    return verdict_of(finding) != Verdict::info && depends_on(silent, rule(finding.rule));
  });
}

// What is reported: a rule that needs a violated one is blocked by it.
Rules rules_of(const Validator& validator, const Exhibit& exhibit) {
  const Findings findings = validator.validate(exhibit.exported(), exhibit.origin());
  Rules rules;
  for (const Finding& finding : findings) {
    if (!is_silenced(rule(finding.rule), findings)) rules.insert(finding.rule);
  }
  return rules;
}

std::string names(const Rules& rules) {
  std::string text;
  for (const RuleId id : rules) text += fmt::format("{}{}", text.empty() ? "" : ", ", rule(id).id);
  return text.empty() ? "none" : text;
}

class Checker {
 public:
  void row(const FaultyRow& row) {
    ++checks_.rows;
    for (const Validator& validator : validators) {
      expect(validator, testing::row_text(row), {row.rule}, rules_of(validator, testing::build(row)));
      expect(validator, row.base, {}, rules_of(validator, testing::build_twin(row)));
    }
  }

  // On the base of either, where each fault alone breaks its rule and no other.
  void pair(const FaultyRow& first, const FaultyRow& second) {
    for (const char* const base : {first.base, second.base}) {
      const auto made = testing::build_pair(first, second, base);
      const Validator& judge = validators[0];
      if (made && rules_of(judge, made->first) == Rules{first.rule} &&
          rules_of(judge, made->second) == Rules{second.rule}) {
        meeting(first, second, made->both, base);
      }
      if (std::string_view(first.base) == second.base) return;
    }
  }

  // `all`: every pair was tried.
  StructChecks result(bool all) {
    for (const PairRow& row : pairs_) {
      if (all && !row.used) {
        checks_.wrong.push_back(fmt::format("pairs.def: {} and {} never show {}", rule(row.first).id,
                                            rule(row.second).id, names(row.found)));
      }
    }
    return std::move(checks_);
  }

 private:
  void meeting(const FaultyRow& first, const FaultyRow& second, const Exhibit& both, const char* base) {
    ++checks_.pairs;
    Rules wanted{first.rule, second.rule};
    const Rules found = rules_of(validators[0], both);
    if (found == unsilenced(first.rule, second.rule)) wanted = found;
    for (PairRow& row : pairs_) {
      const bool same = row.first == first.rule && row.second == second.rule;
      if (!same || row.found != found || found == wanted) continue;
      row.used = true;
      wanted = found;
    }
    if (wanted != Rules{first.rule, second.rule}) ++checks_.masked;
    for (const Validator& validator : validators) {
      expect(validator, fmt::format("{} with {} on {}", testing::row_name(first), testing::row_name(second), base),
             wanted, rules_of(validator, both));
    }
  }

  void expect(const Validator& validator, const std::string& what, const Rules& wanted, const Rules& found) {
    if (wanted == found) return;
    checks_.wrong.push_back(
        fmt::format("{}: {} on {}, where {} was declared", validator.name, names(found), what, names(wanted)));
  }

  // Both rules, but the one that cannot be judged where the other is violated.
  static Rules unsilenced(RuleId first, RuleId second) {
    if (depends_on(rule(second), rule(first))) return {first};
    if (depends_on(rule(first), rule(second))) return {second};
    return {first, second};
  }

  StructChecks checks_;
  std::vector<PairRow> pairs_ = pair_rows();
};

}  // namespace

StructChecks check_structs(std::string_view rules) {
  Checker checker;
  const std::span<const FaultyRow> table = testing::faulty_table();
  const auto is_asked = [&](const FaultyRow& row) { return matches_globs(rules, rule(row.rule).id); };
  for (const FaultyRow& row : table) {
    if (is_asked(row)) checker.row(row);
  }
  for (std::size_t i = 0; i < table.size(); ++i) {
    for (std::size_t j = i + 1; j < table.size(); ++j) {
      if (is_asked(table[i]) || is_asked(table[j])) checker.pair(table[i], table[j]);
    }
  }
  return checker.result(rules == "*");
}

}  // namespace dlspec::conformance
