// Typed access to the JSON of a result document. Internal to the reading of documents.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include <dlspec/conformance/core/text.h>
#include <dlspec/vocabulary/mitigations.h>
#include <dlspec/vocabulary/rules.h>
#include <dlspec/vocabulary/verdict.h>

namespace dlspec::conformance::reading {

using Json = nlohmann::json;

// A value of the document and its path, for messages such as `results[3].status`.
struct Place {
  const Json* value;
  std::string path;
};

// Typed access to the JSON values. Keeps the first error; after an error every accessor returns a default.
class DocumentReader {
 public:
  explicit DocumentReader(std::string file) : file_(std::move(file)) {}

  [[nodiscard]] const std::string& error() const { return error_; }
  [[nodiscard]] bool failed() const { return !error_.empty(); }
  void fail(const std::string& path, const std::string& what) {
    if (!failed()) error_ = file_ + (path.empty() ? "" : ": " + path) + ": " + what;
  }

  Place member(const Place& parent, const char* key, bool required = true) {
    static const Json nothing;
    Place place{&nothing, parent.path.empty() ? key : parent.path + "." + key};
    if (!parent.value->is_object()) {
      fail(parent.path, "is no object");
      return place;
    }
    const auto found = parent.value->find(key);
    if (found != parent.value->end()) return {&*found, place.path};
    if (required) fail(place.path, "is missing");
    return place;
  }
  std::string text(const Place& place) {
    if (place.value->is_string()) return place.value->get<std::string>();
    fail(place.path, "is no string");
    return {};
  }
  std::string text_or_empty(const Place& parent, const char* key) {
    const Place place = member(parent, key, false);
    return place.value->is_null() ? std::string() : text(place);
  }
  std::uint64_t number(const Place& place, std::uint64_t largest = UINT64_MAX) {
    if (place.value->is_number_unsigned() && place.value->get<std::uint64_t>() <= largest) {
      return place.value->get<std::uint64_t>();
    }
    fail(place.path, "is no whole number in the range 0 to " + std::to_string(largest));
    return 0;
  }
  double duration(const Place& place) {
    const double seconds = place.value->is_number() ? place.value->get<double>() : -1;
    if (!(seconds >= 0)) fail(place.path, "is no number of seconds");
    return std::max(seconds, 0.0);
  }
  std::vector<Place> items(const Place& place) {
    std::vector<Place> found;
    if (!place.value->is_array()) fail(place.path, "is no list");
    for (std::size_t i = 0; place.value->is_array() && i < place.value->size(); ++i) {
      found.push_back({&(*place.value)[i], place.path + "[" + std::to_string(i) + "]"});
    }
    return found;
  }
  // The value that `parse` returns for the text.
  template <class Parse>
  auto word(const Place& place, const char* what, Parse parse) {
    const std::string name = text(place);
    const auto parsed = parse(name);
    if (!parsed) fail(place.path, "\"" + clean_text(name, 60) + "\" is no " + what);
    return parsed;
  }

 private:
  std::string file_;
  std::string error_;
};

inline std::optional<RuleId> parse_rule(std::string_view id) {
  const Rule* found = find_rule(id);
  return found != nullptr ? std::optional(found->rule) : std::nullopt;
}

// What a record, or an outcome that records share, says of how it came out.
template <class Result>
void read_result(DocumentReader& reader, const Place& place, Result& result) {
  result.status = reader.word(reader.member(place, "status"), "status", parse_verdict).value_or(Verdict::pass);
  const Place before = reader.member(place, "without_baseline", false);
  if (!before.value->is_null()) result.without_baseline = reader.word(before, "status", parse_verdict);
  result.observed = reader.text_or_empty(place, "observed");
  result.allowed = reader.text_or_empty(place, "allowed");
  result.reproduce = reader.text_or_empty(place, "reproduce");
  result.mitigation = find_mitigation(reader.text_or_empty(place, "mitigation"));  // a later dlspec may have others
}

}  // namespace dlspec::conformance::reading
