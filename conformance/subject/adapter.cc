#include <dlspec/conformance/subject/adapter.h>

#include <algorithm>
#include <fstream>
#include <iterator>

#include <dlspec/conformance/subject/toml.h>

namespace dlspec::conformance {

namespace {

std::string with_hyphens(std::string_view text) {
  std::string result(text);
  std::replace(result.begin(), result.end(), '_', '-');
  return result;
}

// Moves a value of the right type into the field. False when it is of another type.
template <class T>
bool take(TomlFile& file, const char* key, T& field) {
  const auto found = file.values.find(key);
  if (found == file.values.end()) return true;
  auto* value = std::get_if<T>(&found->second);
  if (value) field = std::move(*value);
  return value != nullptr;
}

// The first key whose value has the wrong type, or "".
std::string take_all(TomlFile& file, Adapter& adapter) {
  if (!take(file, "distribution", adapter.distribution)) return "distribution";
  if (!take(file, "module", adapter.module)) return "module";
  if (!take(file, "requires", adapter.companions)) return "requires";
  if (!take(file, "display", adapter.display)) return "display";
  if (!take(file, "python", adapter.python)) return "python";
  if (!take(file, "size", adapter.size_mb)) return "size";
  return "";
}

}  // namespace

AdapterFile parse_adapter(const std::filesystem::path& toml, std::string_view text) {
  TomlFile file = parse_toml(text);
  if (!file.error.empty()) return {std::nullopt, toml.string() + ", " + file.error};
  Adapter adapter;
  adapter.name = with_hyphens(toml.stem().string());
  adapter.path = std::filesystem::path(toml).replace_extension(".py").string();
  adapter.module = toml.stem().string();
  adapter.distribution = adapter.display = adapter.name;
  const std::string wrong = take_all(file, adapter);
  if (!wrong.empty()) return {std::nullopt, toml.string() + ": " + wrong + " has a value of the wrong type"};
  return {adapter, ""};
}

const Adapter* Adapters::find(std::string_view name) const {
  const std::string wanted = with_hyphens(name);
  const auto found = std::find_if(list.begin(), list.end(), [&](const Adapter& a) { return a.name == wanted; });
  return found == list.end() ? nullptr : &*found;
}

Adapters find_adapters(const std::filesystem::path& folder) {
  Adapters result;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
    if (entry.path().extension() != ".toml") continue;
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(file), {}};
    AdapterFile read = parse_adapter(entry.path(), text);
    if (read.adapter) {
      result.list.push_back(std::move(*read.adapter));
    } else {
      result.errors.push_back(std::move(read.error));
    }
  }
  std::sort(result.list.begin(), result.list.end(), [](const Adapter& a, const Adapter& b) { return a.name < b.name; });
  return result;
}

}  // namespace dlspec::conformance
