// The part of TOML that adapters' metadata is written in: `key = value` lines with strings, arrays of
// strings, whole numbers and booleans, and comments. Tables, dates and multi-line strings are refused.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace dlspec::conformance {

using TomlValue = std::variant<std::string, std::int64_t, bool, std::vector<std::string>>;

struct TomlFile {
  std::map<std::string, TomlValue> values;
  std::string error;  // "line 3: …"; empty when all of it was read
};

[[nodiscard]] TomlFile parse_toml(std::string_view text);

}  // namespace dlspec::conformance
