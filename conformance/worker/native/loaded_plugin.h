// A plug-in that was loaded, or the sentence that says why it could not be.
#pragma once

#include <optional>
#include <string>

#include <dlspec/plugin.h>

namespace dlspec::conformance {

struct LoadedPlugin {
  // Members that it was compiled without are NULL; nothing when it could not be loaded.
  std::optional<DlspecPlugin> table;
  std::string message;  // then: what is wrong and what to do
  std::string detail;   // the loader's own words, or ""
};

// Loads the shared library and checks its table. Never unloads it: deleters may run until the end.
[[nodiscard]] LoadedPlugin load_plugin(const std::string& path);

// What load_plugin does with the table that it gets.
[[nodiscard]] LoadedPlugin take_table(const DlspecPlugin* table);

// "fnv1a-64 0123456789abcdef" of the file's bytes, which tells one build from another; "" when there is no such file.
[[nodiscard]] std::string file_digest(const std::string& path);

}  // namespace dlspec::conformance
