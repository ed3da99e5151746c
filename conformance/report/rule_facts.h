// What is to be said about one rule, in words: the terminal and the pages of the documentation are made from it.
#pragma once

#include <string>
#include <vector>

#include <dlspec/vocabulary/rules.h>

namespace dlspec::conformance {

// A faulty subject of the zoo, "producer.LeakyArray (producer)" or "float32 (3):(1) @cpu v1.3, but flags = 8", beside
// its clean twin, which differs in one point.
struct ShownFault {
  std::string faulty;
  std::string twin;
};

// What is known of a rule outside of the rule table.
struct RuleEvidence {
  std::vector<ShownFault> faults;      // what breaks it on purpose
  std::vector<std::string> deviating;  // who is known to deviate from it, a line each
};

struct Fact {
  const char* name;  // "level"
  std::string text;
};

// Level, whom it binds, versions, source, status of a breach, preconditions, how it is checked or why not, the variants
// that ask for it, a faulty subject of the zoo, since when. Facts without a text are left out.
[[nodiscard]] std::vector<Fact> facts_of(const Rule& rule, const RuleEvidence& evidence);

// For a rule that can be read off a struct, what is reported for each way to break it:
// "fail: shape[i] = N; allowed: an extent of at least 0". Letters stand for the numbers of the struct.
[[nodiscard]] std::vector<std::string> reports_of(const Rule& rule);

}  // namespace dlspec::conformance
