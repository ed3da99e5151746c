// Reads a result document from untrusted bytes.
#include <algorithm>
#include <iterator>
#include <set>
#include <tuple>

#include <dlspec/conformance/core/digest.h>
#include <dlspec/conformance/core/document.h>
#include <dlspec/conformance/core/document_reader.h>
#include <dlspec/conformance/core/file.h>
#include <dlspec/conformance/core/folding.h>
#include <dlspec/conformance/core/folding_json.h>
#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/core/text.h>

namespace dlspec::conformance {
namespace {

using reading::DocumentReader;
using reading::Json;
using reading::parse_rule;
using reading::Place;

std::vector<RoleFigures> read_figures(DocumentReader& reader, const Place& place) {
  std::vector<RoleFigures> figures;
  if (place.value->is_null()) return figures;
  if (!place.value->is_object()) reader.fail(place.path, "is no object");
  for (const auto& [name, value] : place.value->items()) {
    const std::optional<Role> role = parse_role(name);
    if (!role) continue;  // a later dlspec may have others
    const Place of_role{&value, place.path + "." + name};
    const auto count = [&](const char* key) {
      return static_cast<std::uint32_t>(reader.number(reader.member(of_role, key), UINT32_MAX));
    };
    figures.push_back({*role, count("binding"), count("exercised")});
  }
  // JSON objects have no order.
  std::sort(figures.begin(), figures.end(), [](auto& a, auto& b) { return a.role < b.role; });
  return figures;
}

SubjectInfo read_subject(DocumentReader& reader, const Place& place) {
  SubjectInfo info;
  info.subject = reader.text(reader.member(place, "subject"));
  info.name = reader.text(reader.member(place, "name"));
  info.version = reader.text(reader.member(place, "version"));
  info.kind = reader.word(reader.member(place, "kind"), "kind of subject", parse_kind).value_or(SubjectKind::python);
  for (const Place& role : reader.items(reader.member(place, "roles"))) {
    info.roles.push_back(reader.word(role, "role", parse_role).value_or(Role::producer));
  }
  info.requirement = reader.text_or_empty(place, "requirement");
  info.loaded_from = reader.text_or_empty(place, "loaded_from");
  info.build = reader.text_or_empty(place, "build");
  info.interpreter = reader.text_or_empty(place, "interpreter");
  info.figures = read_figures(reader, reader.member(place, "rules", false));
  if (const Place calls = reader.member(place, "table_calls", false); !calls.value->is_null()) {
    for (const Place& function : reader.items(calls)) info.table_calls.push_back(reader.text(function));
  }
  return info;
}

std::optional<ExchangeObservation> read_observation(DocumentReader& reader, const Place& place) {
  if (place.value->is_null()) return std::nullopt;
  return ExchangeObservation{reader.text(reader.member(place, "tensor")), reader.text(reader.member(place, "layout")),
                             reader.text(reader.member(place, "memory")), reader.text_or_empty(place, "read_only"),
                             reader.text_or_empty(place, "by_table")};
}

Record read_record(DocumentReader& reader, const Place& place) {
  Record record;
  record.role = reader.word(reader.member(place, "role"), "role", parse_role).value_or(Role::producer);
  if (record.role == Role::exchange) {
    record.producer = reader.text(reader.member(place, "producer"));
    record.consumer = reader.text(reader.member(place, "consumer"));
    record.observation = read_observation(reader, reader.member(place, "came", false));
  } else {
    record.subject = reader.text(reader.member(place, "subject"));
  }
  record.rule = reader.word(reader.member(place, "rule"), "rule that this dlspec knows", parse_rule).value_or(RuleId{});
  record.case_id = reader.text(reader.member(place, "case"));
  reading::read_result(reader, place, record);
  return record;
}

std::optional<Shard> read_shard(DocumentReader& reader, const Place& root) {
  const Place place = reader.member(root, "shard", false);
  if (place.value->is_null()) return std::nullopt;
  Shard shard;
  shard.index = static_cast<std::uint32_t>(reader.number(reader.member(place, "index"), UINT32_MAX));
  shard.count = static_cast<std::uint32_t>(reader.number(reader.member(place, "count"), UINT32_MAX));
  if (shard.index < 1 || shard.index > shard.count) {
    reader.fail(place.path, std::to_string(shard.index) + "/" + std::to_string(shard.count) + " is no shard");
  }
  return shard;
}

void read_host(DocumentReader& reader, const Place& root, Document& document) {
  const Place host = reader.member(root, "host");
  if (!host.value->is_object()) return reader.fail(host.path, "is no object");
  for (const auto& [key, value] : host.value->items()) document.host[key] = reader.text({&value, "host." + key});
}

void read_seconds(DocumentReader& reader, const Place& root, Document& document) {
  const Place seconds = reader.member(root, "seconds", false);
  if (seconds.value->is_null()) return;
  if (!seconds.value->is_object()) return reader.fail(seconds.path, "is no object");
  for (const auto& [subject, value] : seconds.value->items()) {
    const Place took{&value, "seconds." + subject};
    document.seconds[subject] = {reader.duration(reader.member(took, "environment")),
                                 reader.duration(reader.member(took, "import")),
                                 reader.duration(reader.member(took, "judging"))};
  }
}

// Checks that span the document: subjects and records are unique, records name listed subjects, and the summary agrees
// with the records.
void check_consistency(DocumentReader& reader, const Place& root, const Document& document, bool is_folded) {
  std::set<std::string_view> subjects;
  for (const SubjectInfo& info : document.subjects) {
    if (!subjects.insert(info.subject).second) reader.fail("subjects", "\"" + info.subject + "\" occurs twice");
  }
  std::set<std::tuple<std::string_view, std::string_view, std::string_view, std::string_view, RuleId>> records;
  for (std::size_t i = 0; i < document.results.size(); ++i) {
    const Record& record = document.results[i];
    const std::string path = is_folded ? "record " + std::to_string(i + 1) : "results[" + std::to_string(i) + "]";
    for (const std::string* party : {&record.subject, &record.producer, &record.consumer}) {
      const bool has_part = (party == &record.subject) != (record.role == Role::exchange);
      if (has_part && !subjects.contains(*party)) reader.fail(path, "\"" + *party + "\" is not among the subjects");
    }
    if (!records.insert({record.subject, record.producer, record.consumer, record.case_id, record.rule}).second) {
      reader.fail(path, std::string(rule(record.rule).id) + " in " + record.case_id + " occurs twice");
    }
  }
  const Summary summary = summarize(document.results);
  const Place counts = reader.member(root, "summary");
  for (const Verdict status : all_verdicts) {
    const Place count = reader.member(counts, verdict_name(status), false);
    const std::uint64_t said = count.value->is_null() ? 0 : reader.number(count);
    const std::uint64_t found = summary[static_cast<std::size_t>(status)];
    if (said != found) {
      reader.fail(count.path, "says " + std::to_string(said) + ", but " + std::to_string(found) + " records have it");
    }
  }
}

// Puts the records that are folded between those that are whole.
void unfold_results(DocumentReader& reader, const Place& root, Document& document) {
  const Folding folding = read_folding(reader, reader.member(root, "folded"));
  if (reader.failed()) return;
  Unfolded unfolded = unfold(folding, std::move(document.results));
  if (!unfolded.error.empty()) reader.fail("folded", unfolded.error);
  document.results = std::move(unfolded.records);
}

// Documents of dlspec 0.1.0 and before have none.
void check_digest(DocumentReader& reader, const Place& root, const Document& document, bool is_folded) {
  const Place digest = reader.member(root, "digest", is_folded);
  if (digest.value->is_null() || reader.text(digest) == results_digest(document)) return;
  reader.fail("digest", "is not that of these results: a record was removed, added or changed since they were written");
}

Document read_root(DocumentReader& reader, const Place& root) {
  Document document;
  const std::string schema = reader.text(reader.member(root, "schema"));
  const bool is_folded = schema == document_schema;
  if (!is_folded && schema != unfolded_schema) {
    reader.fail("schema", "\"" + clean_text(schema, 60) + "\" is neither \"" + document_schema + "\" nor \"" +
                              unfolded_schema + "\"");
  }
  const Place dlspec = reader.member(root, "dlspec");
  document.version = reader.text(reader.member(dlspec, "version"));
  document.commit = reader.text(reader.member(dlspec, "commit"));
  document.seed = reader.number(reader.member(root, "seed"));
  read_host(reader, root, document);
  read_seconds(reader, root, document);
  document.shard = read_shard(reader, root);
  for (const Place& place : reader.items(reader.member(root, "subjects"))) {
    document.subjects.push_back(read_subject(reader, place));
  }
  for (const Place& place : reader.items(reader.member(root, "results"))) {
    if (reader.failed()) break;
    document.results.push_back(read_record(reader, place));
  }
  if (is_folded && !reader.failed()) unfold_results(reader, root, document);
  const Place figures = reader.member(root, "rules");
  document.tested = static_cast<std::uint32_t>(reader.number(reader.member(figures, "tested"), UINT32_MAX));
  if (!reader.failed()) check_consistency(reader, root, document, is_folded);
  if (!reader.failed()) check_digest(reader, root, document, is_folded);
  return document;
}

// nlohmann::json reports a byte offset; editors count lines.
std::string line_and_column(std::string_view text, std::size_t byte) {
  const std::string_view before = text.substr(0, std::min(byte > 0 ? byte - 1 : 0, text.size()));
  const auto line = std::count(before.begin(), before.end(), '\n') + 1;
  const std::size_t start = before.rfind('\n');
  const std::size_t column = before.size() - (start == std::string_view::npos ? 0 : start + 1) + 1;
  return "line " + std::to_string(line) + ", column " + std::to_string(column);
}

}  // namespace

ReadDocument parse_document(std::string_view text, const std::string& file) {
  Json json;
  try {
    json = Json::parse(text);
  } catch (const Json::parse_error& error) {
    return {std::nullopt, file + ": is no JSON: " + line_and_column(text, error.byte)};
  } catch (const Json::exception&) {  // a number outside the range of double
    return {std::nullopt, file + ": is JSON that cannot be read: a number is out of range"};
  }
  DocumentReader reader(file);
  Document document = read_root(reader, {&json, ""});
  if (reader.failed()) return {std::nullopt, clean_text(reader.error())};
  return {std::move(document), ""};
}

ReadDocument read_document(const std::string& path) {
  const FileContents file = read_file(path);
  if (!file.error.empty()) return {std::nullopt, path + ": cannot be read: " + file.error};
  return parse_document(file.text, path);
}

}  // namespace dlspec::conformance
