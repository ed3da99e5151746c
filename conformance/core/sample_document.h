// Test fixture: a small document that has every status.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include <dlspec/conformance/core/document.h>
#include <dlspec/conformance/core/record.h>

namespace dlspec::conformance {

inline Record sample_record(RuleId id, Verdict status, const std::string& case_id, const std::string& observed = "") {
  Record record;
  record.subject = "numpy";
  record.role = parse_role(std::string_view(case_id).substr(0, case_id.find('/'))).value_or(Role::consumer);
  record.rule = id;
  record.case_id = case_id;
  record.status = status;
  if (status == Verdict::pass || status == Verdict::not_applicable) return record;
  record.observed = observed;
  record.allowed = "what the rule says";
  record.reproduce = reproduce_command(record.subject, case_id, id);
  return record;
}

inline SubjectInfo sample_subject() {
  return {"numpy",
          "NumPy",
          "2.4.6",
          SubjectKind::python,
          {Role::producer, Role::consumer},
          "",
          "/lib/numpy/__init__.py",
          "CPython 3.11.2",
          "revision 1a2b3c4d5e6f"};
}

inline Document sample_document() {
  Document document;
  document.version = "0.1.0";
  document.commit = "0123abc";
  document.seed = 7;
  document.host = {{"machine", "x86_64"}, {"system", "Linux"}};
  document.tested = 3;
  document.subjects = {sample_subject()};
  for (const Verdict status : all_verdicts) {
    const std::string case_id = "producer/float32/c/" + std::string(verdict_name(status));
    document.results.push_back(sample_record(RuleId::tensor_element_address, status, case_id, "seen"));
  }
  return document;
}

inline Document document_with(std::vector<Record> results) {
  Document document = sample_document();
  document.results = std::move(results);
  return document;
}

}  // namespace dlspec::conformance
