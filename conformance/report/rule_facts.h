// What is to be said about one rule, in words: the terminal and the pages of the documentation are made from it.
#pragma once

#include <string>
#include <vector>

#include <dlspec/vocabulary/rules.h>

namespace dlspec::conformance {

struct Fact {
  const char* name;  // "level"
  std::string text;
};

// Level, whom it binds, versions, source, status of a breach, preconditions, how it is checked or why not, the variants
// that ask for it, a faulty subject of the zoo, since when. Facts without a text are left out.
[[nodiscard]] std::vector<Fact> facts_of(const Rule& rule);

// For a rule that can be read off a struct, what is reported for each way to break it:
// "fail: shape[i] = N; allowed: an extent of at least 0". Letters stand for the numbers of the struct.
[[nodiscard]] std::vector<std::string> reports_of(const Rule& rule);

}  // namespace dlspec::conformance
