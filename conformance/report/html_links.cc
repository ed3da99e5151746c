// Links of the HTML page: threads of trackers, and the documents that rules cite.
#include <algorithm>
#include <regex>

#include <fmt/format.h>

#include <dlspec/conformance/report/formats.h>
#include <dlspec/conformance/report/html_parts.h>

namespace dlspec::conformance {
namespace {

std::string link(const std::string& address, const std::string& text) {
  return fmt::format("<a href=\"{}\">{}</a>", address, text);
}

// How sources cite a document, as a regular expression on escaped text, and where it is.
struct Cited {
  const char* pattern;
  const char* address;  // $1: the pattern's group
};
constexpr Cited documents[] = {
    {"dlpack\\.h v([0-9]+\\.[0-9]+)", "https://github.com/dmlc/dlpack/blob/v$1/include/dlpack/dlpack.h"},
    {"array API ([0-9]{4}\\.[0-9]{2})", "https://data-apis.org/array-api/$1/"},
    {"Python specification", "https://dmlc.github.io/dlpack/latest/python_spec.html"},
    {"DLPack documentation", "https://dmlc.github.io/dlpack/latest/"},
};

// A piece of a source, between semicolons: its document becomes a link.
std::string with_document(const std::string& piece) {
  for (const Cited& each : documents) {
    std::smatch found;
    if (!std::regex_search(piece, found, std::regex(each.pattern))) continue;
    return found.prefix().str() + link(found.format(each.address), found.str()) + found.suffix().str();
  }
  return piece;
}

}  // namespace

std::string html_linked(std::string_view text) {
  const std::string escaped = escape_markup(text);
  const auto is_name = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_' ||
           c == '.';
  };
  std::string linked;
  std::size_t copied = 0;
  for (std::size_t slash = escaped.find('/'); slash != std::string::npos; slash = escaped.find('/', slash + 1)) {
    std::size_t begin = slash, name_end = slash + 1;
    while (begin > copied && is_name(escaped[begin - 1])) --begin;
    while (name_end < escaped.size() && is_name(escaped[name_end])) ++name_end;
    std::size_t end = name_end + 1;
    while (end < escaped.size() && escaped[end] >= '0' && escaped[end] <= '9') ++end;
    const bool is_thread = begin < slash && name_end > slash + 1 && name_end < escaped.size() &&
                           escaped[name_end] == '#' && end > name_end + 1;
    if (!is_thread) continue;
    const std::string thread = escaped.substr(begin, end - begin);
    linked += escaped.substr(copied, begin - copied) +
              link(fmt::format("https://github.com/{}/issues/{}", escaped.substr(begin, name_end - begin),
                               escaped.substr(name_end + 1, end - name_end - 1)),
                   thread);
    copied = end;
    slash = end - 1;
  }
  return linked + escaped.substr(copied);
}

std::string html_source(std::string_view source) {
  std::string linked = html_linked(source), text;
  for (std::size_t begin = 0; begin < linked.size();) {
    const std::size_t end = std::min(linked.find("; ", begin), linked.size());
    text += (begin == 0 ? "" : "; ") + with_document(linked.substr(begin, end - begin));
    begin = end + 2;
  }
  return text;
}

}  // namespace dlspec::conformance
