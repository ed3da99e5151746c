#include <dlspec/conformance/reproducers/program_parts.h>

#include <fmt/format.h>

#include <dlspec/conformance/core/text.h>

namespace dlspec::conformance {

std::string c_quoted(const std::string& text) {
  std::string result = "\"";
  for (const char character : clean_text(text)) {
    const auto byte = static_cast<unsigned char>(character);
    const bool is_plain = byte >= ' ' && byte < 0x7F && character != '"' && character != '\\' && character != '?';
    result += is_plain ? std::string(1, character) : fmt::format("\\{:03o}", byte);
  }
  return result + "\"";
}

std::string c_list(const std::vector<std::int64_t>& numbers) {
  std::string text;
  for (const std::int64_t number : numbers) text += fmt::format("{}{}", text.empty() ? "" : ", ", number);
  return "{" + (text.empty() ? "0" : text) + "}";
}

std::string c_bytes(const std::string& bytes) {
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    text += fmt::format("{}{}",
                        i == 0        ? ""
                        : i % 24 == 0 ? ", \\\n  "
                                      : ", ",
                        int{static_cast<unsigned char>(bytes[i])});
  }
  return "{" + (text.empty() ? "0" : text) + "}";
}

std::string c_constant(std::string_view name, const std::string& value) {
  return fmt::format("#define {} {}\n", name, value);
}

}  // namespace dlspec::conformance
