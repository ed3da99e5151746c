// NAME.toml of an adapter, read with toml++, which only this file includes.
#include <dlspec/conformance/subject/adapter.h>

#include <algorithm>
#include <iterator>
#include <sstream>

#include <fmt/format.h>
#include <toml++/toml.h>

#include <dlspec/conformance/core/version.h>

namespace dlspec::conformance {

namespace {

// Each reader moves the value into its field, or answers false when the value is of another kind.

bool read_text(const toml::node& value, std::string& field) {
  const auto text = value.value_exact<std::string>();
  if (text) field = *text;
  return text.has_value();
}

bool read_texts(const toml::node& value, std::vector<std::string>& field) {
  const toml::array* const list = value.as_array();
  return list != nullptr && std::all_of(list->begin(), list->end(),
                                        [&](const toml::node& each) { return read_text(each, field.emplace_back()); });
}

bool read_bounds(const toml::node& value, std::string& field) {
  return read_text(value, field) && (field.empty() || parse_bounds(field));
}

bool is_half_open(const VersionBounds::Condition& condition) {
  return condition.relation == VersionBounds::Operator::less || condition.relation == VersionBounds::Operator::at_least;
}

// "<2.3: numpy<2 scipy<1.13", ">=2.3: python>=3.11"
std::optional<Pin> parse_pin(const std::string& text) {
  constexpr std::string_view python = "python";
  const std::size_t colon = text.find(':');
  if (colon == std::string::npos) return std::nullopt;
  const auto releases = parse_bounds(text.substr(0, colon));
  if (!releases || !std::all_of(releases->conditions.begin(), releases->conditions.end(), is_half_open)) {
    return std::nullopt;
  }
  Pin pin{*releases, {}, ""};
  std::istringstream words(text.substr(colon + 1));
  for (std::string word; words >> word;) {
    const bool is_python = word.starts_with(python) && parse_bounds(word.substr(python.size()));
    if (is_python) {
      pin.python = word.substr(python.size());
    } else {
      pin.companions.push_back(word);
    }
  }
  return pin.companions.empty() && pin.python.empty() ? std::nullopt : std::optional(std::move(pin));
}

bool read_pins(const toml::node& value, std::vector<Pin>& field) {
  std::vector<std::string> texts;
  if (!read_texts(value, texts)) return false;
  for (const std::string& text : texts) {
    std::optional<Pin> pin = parse_pin(text);
    if (!pin) return false;
    field.push_back(*std::move(pin));
  }
  return true;
}

bool read_alternatives(const toml::node& value, std::vector<Alternative>& field) {
  std::vector<std::string> texts;
  if (!read_texts(value, texts)) return false;
  for (const std::string& text : texts) {
    const std::size_t colon = std::min(text.find(':'), text.size());
    Alternative& alternative = field.emplace_back(Alternative{text.substr(0, colon), 0});
    std::istringstream size(text.substr(std::min(colon + 1, text.size())));
    const bool has_size = colon < text.size();
    if (alternative.distribution.empty()) return false;
    if (has_size && !(size >> alternative.size_mb && (size >> std::ws).eof() && alternative.size_mb > 0)) return false;
  }
  return true;
}

bool read_cuda(const toml::node& value, std::vector<CudaBuild>& field) {
  std::vector<std::string> texts;
  if (!read_texts(value, texts)) return false;
  for (const std::string& text : texts) {
    std::istringstream words(text);
    CudaBuild build;
    char colon = 0;
    if (!(words >> build.major >> colon >> build.distribution && colon == ':' && build.major > 0)) return false;
    if (!(words >> std::ws).eof()) return false;
    field.push_back(std::move(build));
  }
  return true;
}

bool read_size(const toml::node& value, std::int64_t& field) {
  const auto number = value.value_exact<std::int64_t>();
  field = number.value_or(0);
  return number && *number >= 0;
}

// Every key that NAME.toml may have; docs/adapters.md explains them.
struct AdapterKey {
  std::string_view name;
  const char* form;  // what its value must be
  bool (*read)(const toml::node& value, Adapter& adapter);
};
constexpr AdapterKey adapter_keys[] = {
    {"display", "a string", [](const toml::node& value, Adapter& a) { return read_text(value, a.display); }},
    {"distribution", "a string", [](const toml::node& value, Adapter& a) { return read_text(value, a.distribution); }},
    {"alternatives", "an array of strings such as \"onnxruntime-gpu: 700\"",
     [](const toml::node& value, Adapter& a) { return read_alternatives(value, a.alternatives); }},
    {"cuda", "an array of strings such as \"13: cupy-cuda13x\"",
     [](const toml::node& value, Adapter& a) { return read_cuda(value, a.cuda); }},
    {"module", "a string", [](const toml::node& value, Adapter& a) { return read_text(value, a.module); }},
    {"requires", "an array of strings",
     [](const toml::node& value, Adapter& a) { return read_texts(value, a.companions); }},
    {"python", "a string such as \">=3.10,<3.13\"",
     [](const toml::node& value, Adapter& a) { return read_bounds(value, a.python); }},
    {"pins", "an array of strings such as \"<2.3: numpy<2 python<3.12\"",
     [](const toml::node& value, Adapter& a) { return read_pins(value, a.pins); }},
    {"size", "a whole number of megabytes",
     [](const toml::node& value, Adapter& a) { return read_size(value, a.size_mb); }},
};

// What is wrong with the value, or "".
std::string read_key(std::string_view name, const toml::node& value, Adapter& adapter) {
  const auto* const key = std::find_if(std::begin(adapter_keys), std::end(adapter_keys),
                                       [&](const AdapterKey& each) { return each.name == name; });
  if (key != std::end(adapter_keys)) {
    return key->read(value, adapter) ? "" : fmt::format("{} must be {}", name, key->form);
  }
  std::string known;
  for (const AdapterKey& each : adapter_keys) known += (known.empty() ? "" : ", ") + std::string(each.name);
  return fmt::format("there is no key '{}'; the keys are {}", name, known);
}

AdapterFile failed(const std::filesystem::path& file, const toml::source_region& place, std::string_view what) {
  return {std::nullopt, fmt::format("{}, line {}: {}", file.string(), place.begin.line, what)};
}

}  // namespace

AdapterFile parse_adapter(const std::filesystem::path& file, std::string_view text) try {
  Adapter adapter;
  adapter.module = file.stem().string();
  adapter.distribution = adapter.display = adapter.name = normalized_name(adapter.module);
  adapter.path = std::filesystem::path(file).replace_extension(".py").string();
  for (const auto& [name, value] : toml::parse(text)) {
    const std::string wrong = read_key(name.str(), value, adapter);
    if (!wrong.empty()) return failed(file, value.source(), wrong);
  }
  return {adapter, ""};
} catch (const toml::parse_error& error) {
  return failed(file, error.source(), std::string(error.description()) + "; write lines such as display = \"NumPy\"");
}

}  // namespace dlspec::conformance
