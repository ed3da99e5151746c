#include <algorithm>
#include <map>
#include <sstream>
#include <tuple>

#include <fmt/format.h>
#include <pugixml.hpp>

#include <dlspec/conformance/core/text.h>
#include <dlspec/conformance/report/folded.h>
#include <dlspec/conformance/report/formats.h>
#include <dlspec/conformance/report/matrix.h>

namespace dlspec::conformance {
namespace {

// The four results that JUnit XML distinguishes.
enum class JUnitResult : std::uint8_t { passed, failure, error, skipped };

JUnitResult junit_result(Verdict status) {
  switch (status) {
    case Verdict::fail:
    case Verdict::xpass: return JUnitResult::failure;
    case Verdict::crash:
    case Verdict::timeout: return JUnitResult::error;
    case Verdict::pass:
    case Verdict::warn:
    case Verdict::info: return JUnitResult::passed;
    default: return JUnitResult::skipped;
  }
}

std::string account(const Record& record) {
  return clean_text(fmt::format("observed: {}\nallowed: {}\nsource: {}\nrepeat: {}\n", record.observed, record.allowed,
                                rule(record.rule).source, record.reproduce));
}

void add_problem(pugi::xml_node test, const char* element, const Record& record) {
  pugi::xml_node problem = test.append_child(element);
  problem.append_attribute("message") = clean_text(record.observed).c_str();
  problem.append_attribute("type") = verdict_name(record.status);
  problem.text().set(account(record).c_str());
}

// Tools group tests by classname, then name: classname is role and rule, name is the case, or the status of the cases
// that are told together.
pugi::xml_node append_test(pugi::xml_node suite, Role role, RuleId id, const std::string& name) {
  pugi::xml_node test = suite.append_child("testcase");
  test.append_attribute("classname") = fmt::format("{}.{}", role_name(role), rule(id).id).c_str();
  test.append_attribute("name") = clean_text(name).c_str();
  test.append_attribute("time") = "0";  // the document has no time per case
  return test;
}

void add_test(pugi::xml_node suite, const Record& record) {
  pugi::xml_node test = append_test(suite, record.role, record.rule, record.case_id);
  switch (junit_result(record.status)) {
    case JUnitResult::failure: return add_problem(test, "failure", record);
    case JUnitResult::error: return add_problem(test, "error", record);
    case JUnitResult::skipped: {
      const std::string why = record.observed.empty() ? verdict_name(record.status) : record.observed;
      test.append_child("skipped").append_attribute("message") =
          clean_text(fmt::format("{}: {}", verdict_name(record.status), why)).c_str();
      return;
    }
    case JUnitResult::passed: break;
  }
  test.append_child("system-out")
      .text()
      .set((std::string(verdict_name(record.status)) + "\n" + account(record)).c_str());
}

// Statuses whose cases are told together, one test for each role and rule: they are nearly all records.
bool is_folded(Verdict status) {
  return status == Verdict::pass || status == Verdict::not_applicable || status == Verdict::unsupported ||
         status == Verdict::blocked || status == Verdict::skipped;
}

std::string cases_text(std::size_t count) { return fmt::format("{} {}", count, count == 1 ? "case" : "cases"); }

void add_folded_test(pugi::xml_node suite, const Records& records) {
  const Verdict status = records.front()->status;
  pugi::xml_node test = append_test(suite, records.front()->role, records.front()->rule, verdict_name(status));
  if (status == Verdict::pass) {
    test.append_child("system-out").text().set(cases_text(records.size()).c_str());
    return;
  }
  std::string text = fmt::format("{}: {}", verdict_name(status), cases_text(records.size()));
  constexpr std::size_t most = 3;
  std::vector<FoldedReason> reasons = fold_reasons(records, status);
  std::stable_sort(reasons.begin(), reasons.end(), [](auto& a, auto& b) { return a.cases > b.cases; });
  for (std::size_t i = 0; i < reasons.size() && i < most && !reasons[i].reason.empty(); ++i)
    text += fmt::format("; {} ({})", reasons[i].reason, reasons[i].cases);
  if (reasons.size() > most) text += fmt::format("; {} more reasons", reasons.size() - most);
  test.append_child("skipped").append_attribute("message") = clean_text(text).c_str();
}

void add_property(pugi::xml_node properties, const char* name, const std::string& value) {
  if (value.empty()) return;
  pugi::xml_node property = properties.append_child("property");
  property.append_attribute("name") = name;
  property.append_attribute("value") = clean_text(value).c_str();
}

// A subject, or a pair of an exchange.
struct Suite {
  std::string name;
  Records records;
  std::vector<std::pair<const char*, std::string>> properties;
};

std::vector<Suite> suites_of(const Document& document) {
  std::vector<Suite> suites;
  for (const SubjectInfo& subject : document.subjects) {
    if (has_exchanges_only(document, subject)) continue;
    suites.push_back({subject.subject,
                      records_of(document, subject),
                      {{"library", shown_name(subject)},
                       {"loaded_from", shown_path(subject.loaded_from)},
                       {"interpreter", subject.interpreter}}});
  }
  for (Cell& cell : matrix_of(document).cells) {
    suites.push_back({cell.producer->subject + " to " + cell.consumer->subject,
                      std::move(cell.records),
                      {{"producer", shown_name(*cell.producer)}, {"consumer", shown_name(*cell.consumer)}}});
  }
  return suites;
}

void add_suite(pugi::xml_node suites, const Document& document, const Suite& given) {
  pugi::xml_node suite = suites.append_child("testsuite");
  suite.append_attribute("name") = clean_text(given.name).c_str();
  std::size_t counts[4] = {};
  pugi::xml_node properties = suite.append_child("properties");
  for (const auto& [name, value] : given.properties) add_property(properties, name, value);
  add_property(properties, "dlspec", document.version);
  add_property(properties, "seed", std::to_string(document.seed));
  std::map<std::tuple<Role, RuleId, Verdict>, Records> folded;
  for (const Record* record : given.records) {
    if (is_folded(record->status)) {
      folded[{record->role, record->rule, record->status}].push_back(record);
      continue;
    }
    ++counts[static_cast<std::size_t>(junit_result(record->status))];
    add_test(suite, *record);
  }
  for (const auto& [key, records] : folded) {
    ++counts[static_cast<std::size_t>(junit_result(std::get<Verdict>(key)))];
    add_folded_test(suite, records);
  }
  suite.append_attribute("tests") = static_cast<unsigned long long>(counts[0]) + counts[1] + counts[2] + counts[3];
  suite.append_attribute("failures") = static_cast<unsigned long long>(counts[1]);
  suite.append_attribute("errors") = static_cast<unsigned long long>(counts[2]);
  suite.append_attribute("skipped") = static_cast<unsigned long long>(counts[3]);
  suite.append_attribute("time") = "0";
  if (const auto time = document.host.find("time"); time != document.host.end()) {
    suite.append_attribute("timestamp") = clean_text(time->second).c_str();
  }
}

}  // namespace

std::string junit_report(const Document& document) {
  pugi::xml_document xml;
  pugi::xml_node declaration = xml.append_child(pugi::node_declaration);
  declaration.append_attribute("version") = "1.0";
  declaration.append_attribute("encoding") = "UTF-8";
  pugi::xml_node suites = xml.append_child("testsuites");
  suites.append_attribute("name") = "dlspec";
  for (const Suite& suite : suites_of(document)) add_suite(suites, document, suite);
  std::ostringstream text;
  xml.save(text, " ");
  return text.str();
}

}  // namespace dlspec::conformance
