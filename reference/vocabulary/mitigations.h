// The table of mitigations: every place where a violation is judged more mildly than the level of its rule. Workers
// name a row by its id and take the verdict from it; reports print the reason. Ids are public and permanent.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <dlspec/vocabulary/finding.h>
#include <dlspec/vocabulary/questions.h>
#include <dlspec/vocabulary/rules.h>
#include <dlspec/vocabulary/verdict.h>

namespace dlspec {

struct Mitigation {
  // Who finds that it applies.
  enum class Scope : std::uint8_t {
    always,    // every violation of the rules: `violated` in rules.def
    finding,   // rows of finding.def, named "rule:variant" in `rules`
    observed,  // a worker, which names the row in its answer
    library,   // what the adapter declares
    run        // a repetition, or the baseline
  };
  const char* id;  // "major-zero"
  Scope scope;
  const char* rules;      // ids separated by spaces; "" for all
  Verdict verdict;        // warn or info
  const char* condition;  // "the tensor's major version is 0"
  const char* question;   // id of the open question behind it, or ""
  const char* reason;     // one sentence
};

// All rows, in the order of mitigations.def.
[[nodiscard]] std::span<const Mitigation> mitigations();

// NULL when there is no such row.
[[nodiscard]] const Mitigation* find_mitigation(std::string_view id);

// Whether the row is about violations of the rule.
[[nodiscard]] bool covers(const Mitigation& mitigation, const Rule& rule);

// The row of scope `always` for the rule, and the row for a finding; NULL where the verdict is that of the level.
[[nodiscard]] const Mitigation* mitigation_of(const Rule& rule);
[[nodiscard]] const Mitigation* mitigation_of(const Finding& finding);

// The rows that name the rule, in the order of the table. Rows for all rules are left out.
[[nodiscard]] std::vector<const Mitigation*> mitigations_about(const Rule& rule);

// fail for must and implied, warn for should, info for may and convention.
[[nodiscard]] Verdict verdict_of(Level level);

// Whether `verdict` is warn or info where the level asks for more.
[[nodiscard]] bool is_milder(Verdict verdict, Level level);

// "no release has a versioned struct of major version 0 (open question foreign-major)"
[[nodiscard]] std::string reason_text(const Mitigation& mitigation);

}  // namespace dlspec
