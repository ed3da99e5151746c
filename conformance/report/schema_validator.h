// A small validator of JSON documents for the tests of this room: it knows the keywords that the published schemas use,
// and fails on a keyword that it does not know.
#pragma once

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace dlspec::conformance {

using Json = nlohmann::json;

// `test_file`: __FILE__ of a test in this room.
inline Json published_schema(const char* test_file, const char* name) {
  const auto path = std::filesystem::path(test_file).parent_path() / "../core/schemas" / name;
  std::ifstream stream(path);
  EXPECT_TRUE(stream.is_open()) << path;
  return Json::parse(stream, nullptr, false);
}

class SchemaValidator {
 public:
  explicit SchemaValidator(Json schema) : root_(std::move(schema)) {}

  // What is wrong with the document, one line each.
  std::vector<std::string> problems(const Json& document) {
    found_.clear();
    check(root_, document, "$");
    return found_;
  }

 private:
  void report(const std::string& where, const std::string& what) { found_.push_back(where + ": " + what); }

  bool holds(const Json& schema, const Json& value) {
    SchemaValidator inner(root_);
    inner.check(schema, value, "");
    return inner.found_.empty();
  }

  void check(const Json& schema, const Json& value, const std::string& where) {
    for (const auto& [keyword, argument] : schema.items()) check_keyword(schema, keyword, argument, value, where);
  }

  void check_keyword(const Json& schema, const std::string& keyword, const Json& argument, const Json& value,
                     const std::string& where) {
    static const std::set<std::string> silent = {"$schema", "$id", "$defs", "title", "description", "then", "else"};
    if (silent.contains(keyword)) return;
    if (keyword == "$ref") return check(root_["$defs"][argument.get<std::string>().substr(8)], value, where);
    if (keyword == "type") return check_type(argument, value, where);
    if (keyword == "const") return require(argument == value, where, "is not " + argument.dump());
    if (keyword == "enum")
      return require(std::find(argument.begin(), argument.end(), value) != argument.end(), where, "is unknown");
    if (keyword == "minimum") return require(value >= argument, where, "is too small");
    if (keyword == "pattern")
      return require(std::regex_search(value.get<std::string>(), std::regex(argument.get<std::string>())), where,
                     "has another form");
    if (keyword == "uniqueItems")
      return require(std::set<Json>(value.begin(), value.end()).size() == value.size(), where, "has doubles");
    if (keyword == "items") return check_items(argument, value, where);
    if (keyword == "required") return check_required(argument, value, where);
    if (keyword == "properties") return check_properties(schema, value, where);
    if (keyword == "additionalProperties") return check_others(schema, value, where);
    if (keyword == "propertyNames") return check_names(argument, value, where);
    if (keyword == "not") return require(!holds(argument, value), where, "is what it must not be");
    if (keyword == "anyOf")
      return require(
          std::any_of(argument.begin(), argument.end(), [&](const Json& each) { return holds(each, value); }), where,
          "is none of these");
    if (keyword == "if") return check(schema[holds(argument, value) ? "then" : "else"], value, where);
    report(where, "the test does not know the keyword " + keyword);
  }

  void require(bool condition, const std::string& where, const std::string& what) {
    if (!condition) report(where, what);
  }
  void check_type(const Json& type, const Json& value, const std::string& where) {
    const bool fits = type == "object"    ? value.is_object()
                      : type == "array"   ? value.is_array()
                      : type == "string"  ? value.is_string()
                      : type == "integer" ? value.is_number_integer()
                      : type == "number"  ? value.is_number()
                                          : false;
    require(fits, where, "is no " + type.get<std::string>());
  }
  void check_items(const Json& schema, const Json& value, const std::string& where) {
    for (std::size_t i = 0; i < value.size(); ++i) check(schema, value[i], where + "[" + std::to_string(i) + "]");
  }
  void check_required(const Json& names, const Json& value, const std::string& where) {
    for (const Json& name : names) require(value.contains(name), where, "lacks " + name.dump());
  }
  // Stricter than JSON Schema: what is written must be published.
  void check_properties(const Json& schema, const Json& value, const std::string& where) {
    for (const auto& [name, member] : value.items()) {
      if (schema["properties"].contains(name)) {
        check(schema["properties"][name], member, where + "." + name);
      } else if (schema.contains("type")) {
        report(where, "the schema does not have " + name);
      }
    }
  }
  void check_others(const Json& schema, const Json& value, const std::string& where) {
    for (const auto& [name, member] : value.items()) check(schema["additionalProperties"], member, where + "." + name);
  }
  void check_names(const Json& schema, const Json& value, const std::string& where) {
    for (const auto& [name, member] : value.items()) check(schema, Json(name), where + "." + name);
  }

  Json root_;
  std::vector<std::string> found_;
};

}  // namespace dlspec::conformance
