#include <dlspec/conformance/core/folding_json.h>

#include <set>

namespace dlspec::conformance {
namespace {

using Json = nlohmann::ordered_json;
using reading::DocumentReader;
using reading::Place;

Json levels_json(const Folding& folding) {
  std::set<RuleId> named;
  for (const std::vector<RuleId>& rules : folding.rules) named.insert(rules.begin(), rules.end());
  Json json = Json::object();
  for (const RuleId id : named) json[rule(id).id] = level_name(rule(id).level);
  return json;
}

Json rules_json(const std::vector<RuleId>& rules) {
  Json json = Json::array();
  for (const RuleId id : rules) json.push_back(rule(id).id);
  return json;
}

Json outcome_json(const Folding::Outcome& outcome) {
  Json json = {{"status", verdict_name(outcome.status)}};
  if (outcome.status == Verdict::pass || outcome.status == Verdict::not_applicable) return json;
  if (outcome.without_baseline) json["without_baseline"] = verdict_name(*outcome.without_baseline);
  json.update({{"observed", outcome.observed}, {"allowed", outcome.allowed}, {"reproduce", outcome.reproduce}});
  if (outcome.mitigation != nullptr) json["mitigation"] = outcome.mitigation->id;
  return json;
}

Json pattern_json(const Folding::Pattern& pattern) {
  Json runs = Json::array();
  for (const Folding::Run& run : pattern.runs)
    runs.push_back({run.rules, run.outcome ? Json(*run.outcome) : Json("result")});
  return {{"rules", pattern.rules}, {"runs", std::move(runs)}};
}

// One line for each run of cases with one pattern.
std::string part_text(const Folding::Part& part) {
  Json head = part.role == Role::exchange ? Json{{"producer", part.producer}, {"consumer", part.consumer}}
                                          : Json{{"subject", part.subject}};
  head["role"] = role_name(part.role);
  std::string text = head.dump();
  text.back() = ',';
  text += "\"cases\":[";
  const char* separator = "\n   ";
  for (const Folding::Cases& cases : part.cases) {
    Json line = {cases.pattern};
    for (const std::string& id : cases.ids) line.push_back(id);
    text += separator + line.dump();
    separator = ",\n   ";
  }
  return text + "]}";
}

template <class Items, class ToText>
std::string lines(const Items& items, ToText to_text) {
  std::string text = "[";
  const char* separator = "\n   ";
  for (const auto& item : items) {
    text += separator + to_text(item);
    separator = ",\n   ";
  }
  return text + "]";
}

std::size_t read_index(DocumentReader& reader, const Place& place, std::size_t size) {
  if (size == 0) reader.fail(place.path, "is an index of an empty list");
  return reader.number(place, size == 0 ? 0 : size - 1);
}

std::vector<RuleId> read_rules(DocumentReader& reader, const Place& place) {
  std::vector<RuleId> rules;
  for (const Place& each : reader.items(place))
    rules.push_back(reader.word(each, "rule that this dlspec knows", reading::parse_rule).value_or(RuleId{}));
  if (rules.empty()) reader.fail(place.path, "is empty");
  return rules;
}

Folding::Outcome read_outcome(DocumentReader& reader, const Place& place) {
  Folding::Outcome outcome;
  reading::read_result(reader, place, outcome);
  return outcome;
}

// The first item of a list and the others.
std::pair<Place, std::vector<Place>> read_list(DocumentReader& reader, const Place& place) {
  std::vector<Place> items = reader.items(place);
  if (items.size() < 2) {
    reader.fail(place.path, "has fewer than 2 items");
    return {place, {}};
  }
  const Place first = items.front();
  items.erase(items.begin());
  return {first, std::move(items)};
}

Folding::Run read_run(DocumentReader& reader, const Place& place, std::size_t outcomes) {
  const auto [count, others] = read_list(reader, place);
  if (reader.failed()) return {};
  const Place& outcome = others.front();
  const bool is_whole = outcome.value->is_string() && reader.text(outcome) == "result";
  return {reader.number(count),
          is_whole ? std::nullopt : std::optional<std::size_t>(read_index(reader, outcome, outcomes))};
}

Folding::Pattern read_pattern(DocumentReader& reader, const Place& place, const Folding& folding) {
  Folding::Pattern pattern;
  pattern.rules = read_index(reader, reader.member(place, "rules"), folding.rules.size());
  for (const Place& run : reader.items(reader.member(place, "runs"))) {
    if (reader.failed()) break;
    pattern.runs.push_back(read_run(reader, run, folding.outcomes.size()));
  }
  return pattern;
}

Folding::Part read_part(DocumentReader& reader, const Place& place, std::size_t patterns) {
  Folding::Part part;
  part.role = reader.word(reader.member(place, "role"), "role", parse_role).value_or(Role::producer);
  if (part.role == Role::exchange) {
    part.producer = reader.text(reader.member(place, "producer"));
    part.consumer = reader.text(reader.member(place, "consumer"));
  } else {
    part.subject = reader.text(reader.member(place, "subject"));
  }
  for (const Place& line : reader.items(reader.member(place, "cases"))) {
    const auto [pattern, ids] = read_list(reader, line);
    if (reader.failed()) break;
    Folding::Cases cases{read_index(reader, pattern, patterns), {}};
    for (const Place& id : ids) cases.ids.push_back(reader.text(id));
    part.cases.push_back(std::move(cases));
  }
  return part;
}

}  // namespace

std::string write_folding(const Folding& folding) {
  const auto dumped = [](auto to_json) { return [to_json](const auto& item) { return to_json(item).dump(); }; };
  std::string text = "{\n  \"levels\": " + levels_json(folding).dump();
  text += ",\n  \"rules\": " + lines(folding.rules, dumped(rules_json));
  text += ",\n  \"outcomes\": " + lines(folding.outcomes, dumped(outcome_json));
  text += ",\n  \"patterns\": " + lines(folding.patterns, dumped(pattern_json));
  return text + ",\n  \"cases\": " + lines(folding.parts, part_text) + "\n }";
}

Folding read_folding(DocumentReader& reader, const Place& place) {
  Folding folding;
  const auto each = [&](const char* key, auto read) {
    for (const Place& item : reader.items(reader.member(place, key))) {
      if (reader.failed()) return;
      read(item);
    }
  };
  each("rules", [&](const Place& item) { folding.rules.push_back(read_rules(reader, item)); });
  each("outcomes", [&](const Place& item) { folding.outcomes.push_back(read_outcome(reader, item)); });
  each("patterns", [&](const Place& item) { folding.patterns.push_back(read_pattern(reader, item, folding)); });
  each("cases", [&](const Place& item) { folding.parts.push_back(read_part(reader, item, folding.patterns.size())); });
  return folding;
}

}  // namespace dlspec::conformance
