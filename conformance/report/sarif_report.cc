#include <set>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <dlspec/conformance/core/text.h>
#include <dlspec/conformance/report/folded.h>
#include <dlspec/conformance/report/formats.h>
#include <dlspec/conformance/report/matrix.h>
#include <dlspec/conformance/report/rules_text.h>

namespace dlspec::conformance {
namespace {

using Json = nlohmann::ordered_json;

constexpr Verdict reported[] = {Verdict::crash, Verdict::timeout, Verdict::fail, Verdict::xpass,
                                Verdict::warn,  Verdict::info,    Verdict::xfail};

const char* level_of(Verdict status) {
  switch (status) {
    case Verdict::warn: return "warning";
    case Verdict::info:
    case Verdict::xfail: return "note";
    default: return "error";
  }
}

const char* level_of(const Rule& row) {
  switch (row.level) {
    case Level::must:
    case Level::implied: return "error";
    case Level::should: return "warning";
    case Level::may:
    case Level::convention: break;
  }
  return "note";
}

Json rule_json(const Rule& row) {
  return {{"id", row.id},
          {"shortDescription", {{"text", row.title}}},
          {"fullDescription", {{"text", row.requirement}}},
          {"help", {{"text", fmt::format("{}. Source: {}", level_text(row), row.source)}}},
          {"defaultConfiguration", {{"level", level_of(row)}}},
          {"properties", {{"tags", {"dlpack", std::string(rule_group(row))}}}}};
}

// The subject as a URI reference: its path, if it is one, with reserved characters percent-encoded.
std::string uri_of(std::string_view subject) {
  constexpr std::string_view kept = "-._~/@=+,";
  std::string uri;
  for (const char character : subject) {
    const bool plain = (character >= 'a' && character <= 'z') || (character >= 'A' && character <= 'Z') ||
                       (character >= '0' && character <= '9') || kept.find(character) != std::string_view::npos;
    uri += plain ? std::string(1, character) : fmt::format("%{:02X}", static_cast<unsigned char>(character));
  }
  return uri;
}

// The subject, or the pair of an exchange.
std::string about(const Record& record) {
  return record.role == Role::exchange ? record.producer + " to " + record.consumer : record.subject;
}

Json location_json(const Record& record) {
  return {{"physicalLocation", {{"artifactLocation", {{"uri", uri_of(about(record))}}}}},
          {"logicalLocations", Json::array({{{"name", clean_text(record.case_id)}, {"kind", "test"}}})}};
}

Json result_json(const FoldedFinding& finding, std::size_t rule_index) {
  const Record& record = *finding.first;
  const Rule& row = rule(record.rule);
  Json locations = Json::array({location_json(record)});
  Json result = {{"ruleId", row.id},
                 {"ruleIndex", rule_index},
                 {"level", level_of(record.status)},
                 {"message",
                  {{"text", clean_text(fmt::format("{}. Observed: {}. Allowed: {}. Repeat: {}", row.title,
                                                   record.observed, record.allowed, record.reproduce))}}},
                 {"locations", std::move(locations)},
                 {"occurrenceCount", finding.others.size() + 1},
                 {"partialFingerprints",
                  {{"dlspecCase/v1", clean_text(fmt::format("{} {} {}", about(record), row.id, record.case_id))}}}};
  if (!finding.others.empty()) {
    Json related = Json::array();
    for (const Record* other : finding.others) related.push_back(location_json(*other));
    result["relatedLocations"] = std::move(related);
  }
  if (record.status == Verdict::xfail)
    result["suppressions"] = Json::array({{{"kind", "external"}, {"justification", "in the baseline"}}});
  return result;
}

// The rules of the findings, each once; SARIF results refer to them by index.
class RuleList {
 public:
  std::size_t index_of(RuleId id) {
    const auto found = std::find(ids_.begin(), ids_.end(), id);
    if (found != ids_.end()) return static_cast<std::size_t>(found - ids_.begin());
    ids_.push_back(id);
    rules_.push_back(rule_json(rule(id)));
    return ids_.size() - 1;
  }
  [[nodiscard]] const Json& json() const { return rules_; }

 private:
  std::vector<RuleId> ids_;
  Json rules_ = Json::array();
};

}  // namespace

std::string sarif_report(const Document& document) {
  RuleList rules;
  Json results = Json::array();
  const auto add = [&](const Records& records) {
    for (const FoldedFinding& finding : fold_findings(records, reported)) {
      results.push_back(result_json(finding, rules.index_of(finding.first->rule)));
    }
  };
  for (const SubjectInfo& subject : document.subjects) add(records_of(document, subject));
  const Matrix matrix = matrix_of(document);
  for (const Cell& cell : matrix.cells) add(cell.records);
  const Json driver = {{"name", "dlspec"}, {"version", clean_text(document.version)}, {"rules", rules.json()}};
  const Json sarif = {
      {"$schema", "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"},
      {"version", "2.1.0"},
      {"runs",
       Json::array({{{"tool", {{"driver", driver}}}, {"columnKind", "unicodeCodePoints"}, {"results", results}}})}};
  return sarif.dump(1) + "\n";
}

}  // namespace dlspec::conformance
