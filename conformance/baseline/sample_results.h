// Result documents over a small part of the plan, for the tests of baselines.
#pragma once

#include <string>

#include <dlspec/conformance/core/sample_document.h>
#include <dlspec/conformance/plan/plan.h>

namespace dlspec::conformance {

// A run of "NumPy" in which everything passed.
inline Document passed_run(const std::string& version,
                           const std::string& cases = "producer/{bool,int8,float32}/{c,empty}/*") {
  Selection selection;
  selection.cases = cases;
  Document document = sample_document();
  document.results.clear();
  document.subjects[0].version = version;
  document.subjects[0].subject = "numpy==" + version;
  for (const Case& work : make_plan(selection)) {
    for (const RuleId id : work.rules) {
      document.results.push_back(sample_record(id, Verdict::pass, work.id));
      document.results.back().subject = document.subjects[0].subject;
    }
  }
  return document;
}

// The records of these rules and cases get this status.
inline std::size_t set_records(Document& document, const std::string& rules, const std::string& cases, Verdict status,
                               const std::string& observed = "seen") {
  std::size_t count = 0;
  for (Record& record : document.results) {
    if (!glob_match(rules, rule(record.rule).id) || !glob_match(cases, record.case_id)) continue;
    const std::string subject = record.subject;
    record = sample_record(record.rule, status, record.case_id, observed);
    record.subject = subject;
    ++count;
  }
  return count;
}

}  // namespace dlspec::conformance
