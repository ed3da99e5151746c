#include <cmath>

#include <nlohmann/json.hpp>

#include <dlspec/conformance/core/digest.h>
#include <dlspec/conformance/core/document.h>
#include <dlspec/conformance/core/folding.h>
#include <dlspec/conformance/core/folding_json.h>
#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/core/text.h>

namespace dlspec::conformance {
namespace {

using Json = nlohmann::ordered_json;

Json subject_json(const SubjectInfo& info) {
  Json roles = Json::array();
  for (const Role role : info.roles) roles.push_back(role_name(role));
  Json json = {{"subject", clean_text(info.subject)},
               {"name", clean_text(info.name)},
               {"version", clean_text(info.version)},
               {"kind", kind_name(info.kind)},
               {"roles", std::move(roles)},
               {"requirement", clean_text(info.requirement)},
               {"loaded_from", clean_text(info.loaded_from)},
               {"build", clean_text(info.build)},
               {"interpreter", clean_text(info.interpreter)}};
  for (const RoleFigures& each : info.figures)
    json["rules"][role_name(each.role)] = {{"binding", each.binding}, {"exercised", each.exercised}};
  for (const std::string& function : info.table_calls) json["table_calls"].push_back(clean_text(function));
  return json;
}

// The subject, or the producer and consumer of an exchange.
Json parties_json(const Record& record) {
  if (record.role != Role::exchange) return {{"subject", clean_text(record.subject)}};
  return {{"producer", clean_text(record.producer)}, {"consumer", clean_text(record.consumer)}};
}

Json observation_json(const ExchangeObservation& observation) {
  Json json = {{"tensor", clean_text(observation.tensor)},
               {"layout", clean_text(observation.layout)},
               {"memory", clean_text(observation.memory)}};
  if (!observation.read_only.empty()) json["read_only"] = clean_text(observation.read_only);
  if (!observation.by_table.empty()) json["by_table"] = clean_text(observation.by_table);
  return json;
}

Json record_json(const Record* each) {
  const Record& record = *each;
  const Rule& row = rule(record.rule);
  Json json = parties_json(record);
  json.update({{"role", role_name(record.role)},
               {"rule", row.id},
               {"case", clean_text(record.case_id)},
               {"level", level_name(row.level)},
               {"status", verdict_name(record.status)}});
  if (record.observation) json["came"] = observation_json(*record.observation);
  if (record.without_baseline) json["without_baseline"] = verdict_name(*record.without_baseline);
  if (record.status == Verdict::pass || record.status == Verdict::not_applicable) return json;
  json["observed"] = clean_text(record.observed);
  json["allowed"] = clean_text(record.allowed);
  json["reproduce"] = clean_text(record.reproduce);
  if (record.mitigation != nullptr) json["mitigation"] = record.mitigation->id;
  return json;
}

Json rules_json(const Document& document) {
  const RuleFigures figures = rule_figures(document);
  return {{"specified", figures.specified},
          {"checked", figures.checked},
          {"tested", figures.tested},
          {"exercised", figures.exercised_ids.size()},
          {"exercised_ids", figures.exercised_ids}};
}

Json summary_json(const Document& document) {
  const Summary summary = summarize(document.results);
  Json json = Json::object();
  for (const Verdict status : all_verdicts) json[verdict_name(status)] = summary[static_cast<std::size_t>(status)];
  return json;
}

Json host_json(const Document& document) {
  Json json = Json::object();
  for (const auto& [key, value] : document.host) json[clean_text(key)] = clean_text(value);
  return json;
}

double hundredths(double seconds) { return std::round(seconds * 100) / 100; }

Json seconds_json(const Document& document) {
  Json json = Json::object();
  for (const auto& [subject, took] : document.seconds) {
    json[clean_text(subject)] = {{"environment", hundredths(took.environment)},
                                 {"import", hundredths(took.importing)},
                                 {"judging", hundredths(took.judging)}};
  }
  return json;
}

template <class Items, class ToJson>
std::string lines(const Items& items, ToJson to_json) {
  std::string text = "[";
  const char* separator = "\n  ";
  for (const auto& item : items) {
    text += separator + to_json(item).dump();
    separator = ",\n  ";
  }
  return text + (items.empty() ? "]" : "\n ]");
}

}  // namespace

std::string write_document(const Document& document) {
  const Json dlspec = {{"version", clean_text(document.version)}, {"commit", clean_text(document.commit)}};
  std::string text = "{\n \"schema\": \"" + std::string(document_schema) + "\"";
  text += ",\n \"dlspec\": " + dlspec.dump();
  text += ",\n \"seed\": " + std::to_string(document.seed);
  text += ",\n \"host\": " + host_json(document).dump();
  if (!document.seconds.empty()) text += ",\n \"seconds\": " + seconds_json(document).dump();
  if (document.shard) {
    text += ",\n \"shard\": " + Json{{"index", document.shard->index}, {"count", document.shard->count}}.dump();
  }
  text += ",\n \"subjects\": " + lines(document.subjects, subject_json);
  const Folded folded = fold(document.results);
  text += ",\n \"results\": " + lines(folded.whole, record_json);
  text += ",\n \"folded\": " + write_folding(folded.folding);
  text += ",\n \"rules\": " + rules_json(document).dump();
  text += ",\n \"summary\": " + summary_json(document).dump();
  text += ",\n \"digest\": \"" + results_digest(document) + "\"";
  return text + "\n}\n";
}

}  // namespace dlspec::conformance
