#include <dlspec/conformance/subject/toml.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <optional>

namespace dlspec::conformance {

namespace {

// A cursor over the text; the first error stops everything.
class Reader {
 public:
  explicit Reader(std::string_view text) : text_(text) {}

  TomlFile read() {
    TomlFile file;
    for (skip_blank(); error_.empty() && !at_end(); skip_blank()) read_pair(file);
    file.error = error_;
    return file;
  }

 private:
  [[nodiscard]] bool at_end() const { return at_ >= text_.size(); }
  [[nodiscard]] char peek() const { return at_end() ? '\0' : text_[at_]; }

  void fail(const std::string& what) {
    if (!error_.empty()) return;
    const auto lines =
        std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(std::min(at_, text_.size())), '\n');
    error_ = "line " + std::to_string(lines + 1) + ": " + what;
  }

  void skip_spaces() {
    while (peek() == ' ' || peek() == '\t') ++at_;
  }
  void skip_comment() {
    if (peek() == '#') at_ = std::min(text_.find('\n', at_), text_.size());
  }
  // Spaces, comments and line breaks.
  void skip_blank() {
    for (std::size_t before = text_.size() + 1; before != at_;) {
      before = at_;
      skip_spaces();
      skip_comment();
      while (peek() == '\n' || peek() == '\r') ++at_;
    }
  }

  void read_pair(TomlFile& file) {
    const std::size_t begin = at_;
    while (std::isalnum(static_cast<unsigned char>(peek())) || peek() == '_' || peek() == '-') ++at_;
    const std::string key(text_.substr(begin, at_ - begin));
    if (key.empty()) return fail(peek() == '[' ? "tables are not understood here" : "a key is expected");
    skip_spaces();
    if (peek() != '=') return fail("'=' is expected after " + key);
    ++at_;
    skip_spaces();
    auto value = read_value(key);
    if (!value) return;
    skip_spaces();
    skip_comment();
    if (!at_end() && peek() != '\n' && peek() != '\r')
      return fail("nothing more is expected after the value of " + key);
    if (!file.values.emplace(key, std::move(*value)).second) fail(key + " is given twice");
  }

  std::optional<TomlValue> read_value(const std::string& key) {
    if (peek() == '"' || peek() == '\'') return optional_of(read_string());
    if (peek() == '[') return optional_of(read_array());
    const std::size_t begin = at_;
    while (!at_end() && std::string_view(" \t\r\n#,").find(peek()) == std::string_view::npos) ++at_;
    const std::string_view word = text_.substr(begin, at_ - begin);
    if (word == "true" || word == "false") return TomlValue(word == "true");
    std::int64_t number = 0;
    const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), number);
    if (!word.empty() && status == std::errc() && end == word.data() + word.size()) return TomlValue(number);
    fail("the value of " + key + " is no string, array of strings, whole number or boolean");
    return std::nullopt;
  }

  template <class T>
  std::optional<TomlValue> optional_of(T value) {
    return error_.empty() ? std::optional<TomlValue>(std::move(value)) : std::nullopt;
  }

  std::string read_string() {
    const char quote = peek();
    std::string result;
    for (++at_; peek() != quote; ++at_) {
      if (at_end() || peek() == '\n') {
        fail("a string does not end");
        return {};
      }
      if (quote == '"' && peek() == '\\') {
        ++at_;
        if (peek() != '"' && peek() != '\\') {
          fail("only \\\" and \\\\ are understood after a backslash");
          return {};
        }
      }
      result += peek();
    }
    ++at_;
    return result;
  }

  std::vector<std::string> read_array() {
    std::vector<std::string> result;
    ++at_;
    for (skip_blank(); peek() != ']'; skip_blank()) {
      if (peek() != '"' && peek() != '\'') {
        fail("an array of strings is expected");
        return {};
      }
      result.push_back(read_string());
      if (!error_.empty()) return {};
      skip_blank();
      if (peek() == ',') {
        ++at_;
      } else if (peek() != ']') {
        fail("',' or ']' is expected in an array");
        return {};
      }
    }
    ++at_;
    return result;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string error_;
};

}  // namespace

TomlFile parse_toml(std::string_view text) { return Reader(text).read(); }

}  // namespace dlspec::conformance
