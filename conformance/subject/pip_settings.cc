#include <dlspec/conformance/subject/pip_settings.h>

#include <algorithm>
#include <cctype>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <sstream>

#include <dlspec/conformance/core/text.h>
#include <dlspec/conformance/platform/process.h>

namespace dlspec::conformance {

namespace {

struct PipOption {
  const char* pip;
  const char* uv;
  bool commas;  // a list with commas instead of spaces
};
constexpr PipOption pip_options[] = {
    {"index-url", "UV_DEFAULT_INDEX", false},
    {"extra-index-url", "UV_INDEX", false},
    {"find-links", "UV_FIND_LINKS", true},
    {"cert", "SSL_CERT_FILE", false},
    {"client-cert", "SSL_CLIENT_CERT", false},
    {"trusted-host", "UV_INSECURE_HOST", false},
    {"timeout", "UV_HTTP_TIMEOUT", false},
    {"default-timeout", "UV_HTTP_TIMEOUT", false},
    {"proxy", "ALL_PROXY", false},
    {"constraint", "UV_CONSTRAINT", false},
};

std::string trimmed(std::string_view text) {
  const auto is_space = [](unsigned char c) { return std::isspace(c) != 0; };
  const auto begin = std::find_if_not(text.begin(), text.end(), is_space);
  const auto end = std::find_if_not(text.rbegin(), std::make_reverse_iterator(begin), is_space).base();
  return {begin, end};
}

std::string key_form(std::string_view text) {
  std::string key = trimmed(text);
  for (char& c : key) c = c == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return key;
}

// The words of a list, joined by the separator.
std::string joined(const std::string& list, char separator) {
  std::istringstream words(list);
  std::string result;
  for (std::string word; words >> word;) result += (result.empty() ? "" : std::string(1, separator)) + word;
  return result;
}

void read_file(const std::filesystem::path& path, PipSettings& settings) {
  std::ifstream file(path, std::ios::binary);
  if (file) read_pip_file(std::string{std::istreambuf_iterator<char>(file), {}}, settings);
}

std::filesystem::path variable(const char* name) {
  const char* value = std::getenv(name);
  return value ? value : "";
}

std::vector<std::filesystem::path> files(const std::filesystem::path& interpreter_prefix) {
  const std::filesystem::path named = variable("PIP_CONFIG_FILE");
  if (named == "/dev/null") return {};
  std::vector<std::filesystem::path> result;
  const std::string system = variable("XDG_CONFIG_DIRS").string();
  for (const std::string& folder : split_at(system.empty() ? "/etc/xdg" : system, ':'))
    result.push_back(folder + "/pip/pip.conf");
  result.emplace_back("/etc/pip.conf");
  if (const auto home = variable("HOME"); !home.empty()) {
    result.push_back(home / ".pip/pip.conf");
    const auto config = variable("XDG_CONFIG_HOME");
    result.push_back((config.empty() ? home / ".config" : config) / "pip/pip.conf");
  }
  result.push_back(interpreter_prefix / "pip.conf");
  if (!named.empty()) result.push_back(named);
  return result;
}

}  // namespace

void read_pip_file(std::string_view text, PipSettings& settings) {
  std::istringstream lines{std::string(text)};
  bool ours = false;
  std::string key;
  for (std::string line; std::getline(lines, line);) {
    const std::string content = trimmed(line);
    if (content.empty() || content[0] == '#' || content[0] == ';') continue;
    if (content[0] == '[') {
      ours = content == "[global]" || content == "[install]";
      key.clear();
    } else if (ours && std::isspace(static_cast<unsigned char>(line[0])) && !key.empty()) {
      settings[key] += " " + content;  // a value goes on in indented lines
    } else if (const std::size_t sign = content.find_first_of("=:"); ours && sign != std::string::npos) {
      key = key_form(content.substr(0, sign));
      settings[key] = trimmed(content.substr(sign + 1));
    }
  }
}

PipSettings pip_settings(const std::filesystem::path& interpreter_prefix) {
  PipSettings settings;
  for (const auto& file : files(interpreter_prefix)) read_file(file, settings);
  for (char** entry = own_environment(); *entry; ++entry) {
    const std::string text = *entry;
    const std::size_t sign = text.find('=');
    if (!text.starts_with("PIP_") || sign == std::string::npos) continue;
    settings[key_form(text.substr(4, sign - 4))] = text.substr(sign + 1);
  }
  return settings;
}

std::vector<std::string> uv_variables(const PipSettings& settings) {
  std::vector<std::string> result;
  for (const PipOption& row : pip_options) {
    const auto found = settings.find(row.pip);
    if (found == settings.end() || found->second.empty()) continue;
    result.push_back(std::string(row.uv) + "=" + joined(found->second, row.commas ? ',' : ' '));
  }
  return result;
}

}  // namespace dlspec::conformance
