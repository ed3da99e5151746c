#include <dlspec/conformance/subject/subject.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <numeric>
#include <utility>
#include <vector>

namespace dlspec::conformance {

namespace {

bool is_plugin_path(std::string_view text) {
  return text.ends_with(".so") || text.find(".so.") != std::string_view::npos;
}

bool looks_like_path(std::string_view text) {
  return text.find('/') != std::string_view::npos || text.ends_with(".py") || is_plugin_path(text);
}

ParsedSubject path_subject(std::string_view text) {
  Subject subject;
  subject.text = text;
  if (text.ends_with(".py")) {
    subject.kind = SubjectKind::python;
  } else if (is_plugin_path(std::filesystem::path(text).filename().string())) {
    subject.kind = SubjectKind::plugin;
  } else {
    return {std::nullopt, "'" + subject.text + "' is neither a Python adapter (.py) nor a plug-in (.so)"};
  }
  std::error_code error;
  subject.path = std::filesystem::absolute(subject.text, error).lexically_normal().string();
  return {subject, ""};
}

std::string name_list(const Adapters& adapters) {
  std::string list = "builtin";
  for (const Adapter& adapter : adapters.list) list += ", " + adapter.name;
  return list;
}

// A name that can be given, and how far it is from what was given.
struct NearestName {
  std::string name;
  std::size_t distance;
};

// What the library calls itself is considered, too: PyTorch is torch.
NearestName nearest_name(const std::string& given, const Adapters& adapters) {
  NearestName nearest{"builtin", edit_distance(given, "builtin")};
  const auto consider = [&](const std::string& spelling, const std::string& name) {
    const std::size_t distance = edit_distance(given, spelling);
    if (distance < nearest.distance) nearest = {name, distance};
  };
  for (const Adapter& adapter : adapters.list) {
    for (const std::string& name : names_of(adapter)) consider(name, name);
    consider(normalized_name(adapter.display), adapter.name);
  }
  return nearest;
}

// "; did you mean 'numpy'?" or a full stop.
std::string suggestion(std::string_view name, const Adapters& adapters) {
  const NearestName nearest = nearest_name(normalized_name(name), adapters);
  const std::size_t near = std::max<std::size_t>(1, name.size() / 3);
  return nearest.distance <= near ? "; did you mean '" + nearest.name + "'?" : ".";
}

std::string unknown(std::string_view text, std::string_view name, const Adapters& adapters) {
  return "'" + std::string(text) + "' is no subject" + suggestion(name, adapters) +
         " Shipped adapters: " + name_list(adapters) +
         "; or give the path of an adapter (.py), which `dlspec init MODULE` writes for an installed library, or of a "
         "plug-in (.so)";
}

bool is_exact_version(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) || c == '.' || c == '!' || c == '+' || c == '-' || c == '_';
  });
}

// The version of "==1.26.4" or "@latest"; nothing when the text is something else.
std::optional<std::string> parse_version(std::string_view text) {
  if (text == "@latest") return "latest";
  if (text.starts_with("==") && is_exact_version(text.substr(2))) return std::string(text.substr(2));
  return std::nullopt;
}

}  // namespace

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, diagonal + 1});
    }
  }
  return row[b.size()];
}

ParsedSubject parse_subject(std::string_view text, const Adapters& adapters) {
  if (text == "builtin") return {Subject{"builtin", SubjectKind::builtin, "", std::nullopt, ""}, ""};
  if (looks_like_path(text)) return path_subject(text);
  const std::size_t end = std::min(text.find_first_of("=@<>!~ "), text.size());
  const std::string_view name = text.substr(0, end);
  const std::optional<Adapter> adapter = adapters.find(name);
  if (!adapter) return {std::nullopt, unknown(text, name, adapters)};
  Subject subject{std::string(text), SubjectKind::python, adapter->path, adapter, ""};
  if (end == text.size()) return {subject, ""};
  const auto version = parse_version(text.substr(end));
  if (!version) {
    const std::string form(name);
    return {std::nullopt, "'" + subject.text + "' names no version: write " + form + "==1.2.3 or " + form + "@latest"};
  }
  subject.version = *version;
  return {subject, ""};
}

}  // namespace dlspec::conformance
