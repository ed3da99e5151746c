#include <dlspec/conformance/subject/adapter.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

#include <dlspec/conformance/core/version.h>
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

bool is_release(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789.") == std::string::npos;
}

// "<2.3: numpy<2 scipy<1.13", ">=2.3: python>=3.11"
std::optional<Pin> parse_pin(const std::string& text) {
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) return std::nullopt;
  Pin pin;
  if (text.starts_with('<')) pin.below = text.substr(1, colon - 1);
  if (text.starts_with(">=")) pin.since = text.substr(2, colon - 2);
  constexpr std::string_view python = "python";
  std::istringstream words(text.substr(colon + 1));
  for (std::string word; words >> word;) {
    const bool is_python = word.starts_with(python) && parse_bounds(word.substr(python.size()));
    if (is_python) {
      pin.python = word.substr(python.size());
    } else {
      pin.companions.push_back(word);
    }
  }
  const bool says_something = !pin.companions.empty() || !pin.python.empty();
  return says_something && is_release(pin.below + pin.since) ? std::optional(pin) : std::nullopt;
}

bool take_pins(TomlFile& file, Adapter& adapter) {
  std::vector<std::string> texts;
  if (!take(file, "pins", texts)) return false;
  for (const std::string& text : texts) {
    std::optional<Pin> pin = parse_pin(text);
    if (!pin) return false;
    adapter.pins.push_back(*std::move(pin));
  }
  return true;
}

// The numbers of a release: "2.3.0+cpu" and "2.3" are the same, and a suffix such as rc1 counts for nothing.
std::vector<long> release_numbers(std::string_view version) {
  std::vector<long> numbers;
  std::istringstream parts(std::string(version.substr(0, version.find('+'))));
  for (std::string part; std::getline(parts, part, '.');) numbers.push_back(std::strtol(part.c_str(), nullptr, 10));
  while (!numbers.empty() && numbers.back() == 0) numbers.pop_back();
  return numbers;
}

bool is_about(const Pin& pin, std::string_view version) {
  const auto numbers = release_numbers(version);
  return pin.since.empty() ? numbers < release_numbers(pin.below) : numbers >= release_numbers(pin.since);
}

// The first key whose value has the wrong type, or "".
std::string take_all(TomlFile& file, Adapter& adapter) {
  if (!take(file, "distribution", adapter.distribution)) return "distribution";
  if (!take(file, "module", adapter.module)) return "module";
  if (!take(file, "requires", adapter.companions)) return "requires";
  if (!take_pins(file, adapter)) return "pins";
  if (!take(file, "display", adapter.display)) return "display";
  if (!take(file, "python", adapter.python)) return "python";
  if (!adapter.python.empty() && !parse_bounds(adapter.python)) return "python";
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
  if (!wrong.empty()) return {std::nullopt, toml.string() + ": " + wrong + " has a value that is not understood"};
  return {adapter, ""};
}

std::vector<std::string> companions_of(const Adapter& adapter, std::string_view version) {
  std::vector<std::string> companions = adapter.companions;
  for (const Pin& pin : adapter.pins) {
    if (is_about(pin, version)) companions.insert(companions.end(), pin.companions.begin(), pin.companions.end());
  }
  return companions;
}

std::string python_of(const Adapter& adapter, std::string_view version) {
  std::string bounds = adapter.python;
  for (const Pin& pin : adapter.pins) {
    if (!pin.python.empty() && version != "latest" && is_about(pin, version))
      bounds += (bounds.empty() ? "" : ",") + pin.python;
  }
  return bounds;
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
