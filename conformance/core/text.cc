#include <dlspec/conformance/core/text.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <sstream>
#include <string>

namespace dlspec::conformance {
namespace {

constexpr std::string_view replacement = "\xEF\xBF\xBD";  // U+FFFD

unsigned char byte_at(std::string_view text, std::size_t i) { return static_cast<unsigned char>(text[i]); }

// The length in bytes of the well-formed UTF-8 character at the start of `text`, and its code point; 0 when invalid.
std::size_t decode(std::string_view text, std::uint32_t& code_point) {
  const unsigned char lead = byte_at(text, 0);
  const std::size_t length = lead < 0x80   ? 1
                             : lead < 0xC2 ? 0
                             : lead < 0xE0 ? 2
                             : lead < 0xF0 ? 3
                             : lead < 0xF5 ? 4
                                           : 0;
  if (length == 0 || length > text.size()) return 0;
  code_point = length == 1 ? lead : lead & (0x7Fu >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte_at(text, i) & 0xC0) != 0x80) return 0;
    code_point = code_point << 6 | (byte_at(text, i) & 0x3Fu);
  }
  const bool overlong = (length == 3 && code_point < 0x800) || (length == 4 && code_point < 0x10000);
  const bool surrogate = code_point >= 0xD800 && code_point <= 0xDFFF;
  return overlong || surrogate || code_point > 0x10FFFF ? 0 : length;
}

// C0 controls move the cursor and end lines; some terminals also obey C1 controls (0x80 to 0x9F). Bidirectional
// controls (U+202A to U+202E, U+2066 to U+2069) reorder a line. XML forbids U+FFFE and U+FFFF.
bool is_hostile(std::uint32_t code_point) {
  if (code_point == '\n' || code_point == '\t') return false;
  return code_point < 0x20 || (code_point >= 0x7F && code_point <= 0x9F) ||
         (code_point >= 0x202A && code_point <= 0x202E) || (code_point >= 0x2066 && code_point <= 0x2069) ||
         code_point == 0xFFFE || code_point == 0xFFFF;
}

std::string spelled(std::uint32_t code_point) {
  char text[12];
  std::snprintf(text, sizeof text, code_point < 0x100 ? "\\x%02x" : "\\u%04x", static_cast<unsigned>(code_point));
  return text;
}

// Removes the first character of `text`, which is not empty, and returns its escaped form.
std::string take_character(std::string_view& text) {
  std::uint32_t code_point = 0;
  const std::size_t length = decode(text, code_point);
  std::string written(length == 0 ? replacement : text.substr(0, length));
  text.remove_prefix(length == 0 ? 1 : length);
  return length != 0 && is_hostile(code_point) ? spelled(code_point) : written;
}

// The code unit of the escape at the start of `json`, as in "\\ud800"; -1 where there is none.
int code_unit(std::string_view json) {
  constexpr std::size_t length = 6;
  if (json.size() < length || json[0] != '\\' || json[1] != 'u') return -1;
  int unit = 0;
  const auto [end, error] = std::from_chars(json.data() + 2, json.data() + length, unit, 16);
  return error == std::errc{} && end == json.data() + length ? unit : -1;
}

bool is_high(int unit) { return unit >= 0xD800 && unit <= 0xDBFF; }
bool is_low(int unit) { return unit >= 0xDC00 && unit <= 0xDFFF; }

// Removes the first escape or character of `json`, which is not empty, and returns it in a valid form.
std::string take_valid(std::string_view& json) {
  std::uint32_t code_point = 0;
  const int unit = code_unit(json);
  const bool pair = is_high(unit) && is_low(code_unit(json.substr(6)));
  std::size_t length = pair ? 12 : unit >= 0 ? 6 : json[0] == '\\' ? std::min<std::size_t>(2, json.size()) : 0;
  const bool escaped = length != 0;
  if (!escaped) length = decode(json, code_point);
  const bool valid = escaped ? pair || !(is_high(unit) || is_low(unit)) : length != 0;
  length = std::max<std::size_t>(1, length);
  std::string taken(valid ? json.substr(0, length) : replacement);
  json.remove_prefix(length);
  return taken;
}

}  // namespace

std::string with_valid_text(std::string_view json) {
  std::string valid;
  while (!json.empty()) valid += take_valid(json);
  return valid;
}

std::string clean_text(std::string_view text, std::size_t longest) {
  const std::string mark = " [cut; " + std::to_string(text.size()) + " bytes]";
  std::string clean;
  std::size_t keep = 0;  // longest prefix of `clean` that leaves room for the mark
  while (!text.empty()) {
    clean += take_character(text);
    if (clean.size() + mark.size() <= longest) keep = clean.size();
    if (clean.size() > longest) return clean.substr(0, keep) + (keep > 0 ? mark : "");
  }
  return clean;
}

std::vector<std::string> split_at(const std::string& text, char separator) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

}  // namespace dlspec::conformance
