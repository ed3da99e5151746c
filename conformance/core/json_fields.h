// Typed access to the fields of an untrusted JSON object. Internal to the worker protocol and the reports.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

namespace dlspec::conformance::fields {

using Json = nlohmann::json;

// The JSON object in `line`; on failure null, with the reason in `why`.
inline Json parse_object(std::string_view line, std::string& why) {
  Json value = Json::parse(line.begin(), line.end(), nullptr, false);
  if (value.is_object()) return value;
  constexpr std::size_t shown = 60;
  std::string start;
  for (const char c : line.substr(0, shown)) start += c >= ' ' && c <= '~' ? c : '?';
  why =
      (value.is_discarded() ? "not JSON: \"" : "not a JSON object: \"") + start + (line.size() > shown ? "…\"" : "\"");
  return nullptr;
}

inline const Json* find(const Json& object, const char* key) {
  const auto at = object.is_object() ? object.find(key) : object.end();
  return at == object.end() ? nullptr : &*at;
}

// The string, or nullopt when the field is absent or has another type.
inline std::optional<std::string> text(const Json& object, const char* key) {
  const Json* value = find(object, key);
  if (!value || !value->is_string()) return std::nullopt;
  return value->get<std::string>();
}

inline std::string text_or_empty(const Json& object, const char* key) { return text(object, key).value_or(""); }

// The integer, or nullopt when the value has another type or exceeds int64.
inline std::optional<std::int64_t> integer(const Json& value) {
  if (!value.is_number_integer()) return std::nullopt;
  if (value.is_number_unsigned() && value.get<std::uint64_t>() > INT64_MAX) return std::nullopt;
  return value.get<std::int64_t>();
}
// The same, or nullopt when the field is absent.
inline std::optional<std::int64_t> integer(const Json& object, const char* key) {
  const Json* value = find(object, key);
  return value ? integer(*value) : std::nullopt;
}

// The integer, or nullopt when the field is absent, has another type, is negative or exceeds uint64.
inline std::optional<std::uint64_t> whole_number(const Json& object, const char* key) {
  const Json* value = find(object, key);
  if (!value || !value->is_number_unsigned()) return std::nullopt;
  return value->get<std::uint64_t>();
}

inline std::vector<std::string> texts(const Json& object, const char* key) {
  std::vector<std::string> result;
  const Json* value = find(object, key);
  if (!value || !value->is_array()) return result;
  for (const Json& item : *value) {
    if (item.is_string()) result.push_back(item.get<std::string>());
  }
  return result;
}

// The integers, or nullopt when the field is not an array of integers that fit in int64.
inline std::optional<std::vector<std::int64_t>> integers(const Json& object, const char* key) {
  const Json* value = find(object, key);
  if (!value || !value->is_array()) return std::nullopt;
  std::vector<std::int64_t> result;
  for (const Json& item : *value) {
    const std::optional<std::int64_t> number = integer(item);
    if (!number) return std::nullopt;
    result.push_back(*number);
  }
  return result;
}

// Compact JSON on one line; invalid UTF-8 becomes U+FFFD.
inline std::string dump(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace dlspec::conformance::fields
