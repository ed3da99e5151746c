// The text of a report to the tracker of a library, made from issue.txt in the form of that tracker (trackers.def).
#pragma once

#include <string>
#include <string_view>

#include <dlspec/conformance/core/record.h>

namespace dlspec::conformance {

struct Issue {
  const Record* record = nullptr;
  std::string library;      // "NumPy 2.3.5"
  std::string package;      // as on the package index; "" where dlspec does not know the library
  std::string interpreter;  // "CPython 3.11.7"; "" for a plug-in
  std::string machine;      // "Linux x86_64"
  std::string condition;    // in which cases it was seen
  std::string script;       // what shows it by itself
  std::string language;     // of the script: "python" or "c"
  std::string run;          // how it is run, as a sentence
  std::string page;         // address of the rule's page
};

// `form`: the text of issue.txt.
[[nodiscard]] std::string issue_text(std::string_view form, const Issue& issue);

// What users suffer from a violation, in words, as harms.def says.
[[nodiscard]] const char* harm_of(RuleId rule, Verdict status);

// 0: the worst.
[[nodiscard]] std::size_t harm_rank(RuleId rule, Verdict status);

}  // namespace dlspec::conformance
