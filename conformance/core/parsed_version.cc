#include <dlspec/conformance/core/parsed_version.h>

#include <algorithm>
#include <cctype>
#include <span>

namespace dlspec::conformance {
namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_alphanumeric(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }
bool starts_with_digit(std::string_view text) { return !text.empty() && is_digit(text.front()); }

std::string_view take(std::string_view& text, bool (*belongs)(char)) {
  const auto end = static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), belongs) - text.begin());
  const std::string_view taken = text.substr(0, end);
  text.remove_prefix(end);
  return taken;
}

VersionNumber take_number(std::string_view& text) {
  std::string_view digits = take(text, is_digit);
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  return {std::string(digits)};
}

void drop_separator(std::string_view& text) {
  if (text.starts_with('-') || text.starts_with('_') || text.starts_with('.')) text.remove_prefix(1);
}

struct PhaseWord {
  std::string_view text;
  ReleasePhase phase;
};
// A word stands before its own beginning: "alpha" before "a".
constexpr PhaseWord before_release[] = {{"alpha", ReleasePhase::alpha},       {"a", ReleasePhase::alpha},
                                        {"beta", ReleasePhase::beta},         {"b", ReleasePhase::beta},
                                        {"preview", ReleasePhase::candidate}, {"pre", ReleasePhase::candidate},
                                        {"rc", ReleasePhase::candidate},      {"c", ReleasePhase::candidate}};
constexpr PhaseWord after_release[] = {
    {"post", ReleasePhase::release}, {"rev", ReleasePhase::release}, {"r", ReleasePhase::release}};
constexpr PhaseWord development[] = {{"dev", ReleasePhase::development}};

// One of the words with its number: "rc1", "-rc.1", "rc".
std::optional<std::pair<ReleasePhase, VersionNumber>> take_word(std::string_view& text,
                                                                std::span<const PhaseWord> words) {
  std::string_view rest = text;
  drop_separator(rest);
  const auto word = std::find_if(words.begin(), words.end(), [&](auto& each) { return rest.starts_with(each.text); });
  if (word == words.end()) return std::nullopt;
  rest.remove_prefix(word->text.size());
  drop_separator(rest);
  text = rest;
  return std::pair(word->phase, take_number(text));
}

// The numbers and words of a text, whatever stands between them.
std::vector<LocalPart> parts_of(std::string_view text) {
  std::vector<LocalPart> parts;
  while (!text.empty()) {
    std::string_view word = take(text, is_alphanumeric);
    if (std::all_of(word.begin(), word.end(), is_digit) && !word.empty()) {
      parts.emplace_back(take_number(word));
    } else if (!word.empty()) {
      parts.emplace_back(std::string(word));
    }
    if (!text.empty()) text.remove_prefix(1);
  }
  return parts;
}

// "+cpu.1": words and numbers with one separator between any two.
bool take_local(std::string_view& text, ParsedVersion& version) {
  if (!text.starts_with('+')) return false;
  std::string_view rest = text.substr(1);
  while (!take(rest, is_alphanumeric).empty()) {
    const std::string_view behind = rest;
    drop_separator(rest);
    if (rest.size() != behind.size() && !rest.empty() && is_alphanumeric(rest.front())) continue;
    version.local = parts_of(text.substr(1, text.size() - behind.size() - 1));
    text = behind;
    return true;
  }
  return false;
}

// Reads as far as the text is a version. `version` and `end` are what was read up to the last place where a word ends.
class VersionReader {
 public:
  explicit VersionReader(std::string_view text) : text_(text), rest_(text) {}

  void read() {
    if (rest_.starts_with('v')) rest_.remove_prefix(1);
    if (!take_release()) return;
    accept();
    if (auto phase = take_word(rest_, before_release)) current_.phase = *std::move(phase), accept();
    if (take_post()) accept();
    if (auto dev = take_word(rest_, development)) {
      current_.dev = {false, std::move(dev->second)};
      if (current_.phase.first == ReleasePhase::release && !current_.post)
        current_.phase.first = ReleasePhase::development;
      accept();
    }
    public_end = end;
    if (take_local(rest_, current_)) accept();
  }

  ParsedVersion version;
  std::size_t end = 0;
  std::size_t public_end = 0;  // without the label of a local build

 private:
  bool take_release() {
    if (!starts_with_digit(rest_)) return false;
    VersionNumber first = take_number(rest_);
    if (rest_.starts_with('!') && starts_with_digit(rest_.substr(1))) {
      rest_.remove_prefix(1);
      current_.epoch = std::exchange(first, take_number(rest_));
    }
    current_.release.push_back(std::move(first));
    while (rest_.starts_with('.') && starts_with_digit(rest_.substr(1))) {
      rest_.remove_prefix(1);
      current_.release.push_back(take_number(rest_));
    }
    while (!current_.release.empty() && current_.release.back().digits.empty()) current_.release.pop_back();
    current_.is_known = true;
    return true;
  }

  // ".post1", or the bare "-1".
  bool take_post() {
    if (rest_.starts_with('-') && starts_with_digit(rest_.substr(1))) {
      rest_.remove_prefix(1);
      current_.post = take_number(rest_);
      return true;
    }
    auto word = take_word(rest_, after_release);
    if (word) current_.post = std::move(word->second);
    return word.has_value();
  }

  // Between two letters no word ends: 1.0-custom does not begin with 1.0-c.
  void accept() {
    const std::size_t place = text_.size() - rest_.size();
    const bool is_inside = !rest_.empty() && is_alphanumeric(rest_.front()) && is_alphanumeric(text_[place - 1]);
    if (is_inside && version.is_known) return;
    version = current_;
    end = place;
  }

  std::string_view text_;
  std::string_view rest_;
  ParsedVersion current_;
};

}  // namespace

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(version_blanks), text.size()));
  return text.substr(0, text.find_last_not_of(version_blanks) + 1);
}

ReadVersion read_version(std::string_view text) {
  std::string lower(trimmed(text));
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  VersionReader reader(lower);
  reader.read();
  const bool is_whole = reader.version.is_known && reader.end == lower.size();
  if (!is_whole) {
    for (LocalPart& part : parts_of(std::string_view(lower).substr(reader.end)))
      reader.version.local.push_back(std::move(part));
  }
  return {std::move(reader.version), is_whole, reader.public_end};
}

}  // namespace dlspec::conformance
