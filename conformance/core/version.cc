#include <dlspec/conformance/core/version.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <span>
#include <tuple>
#include <utility>
#include <variant>

namespace dlspec::conformance {
namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_alphanumeric(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }
bool starts_with_digit(std::string_view text) { return !text.empty() && is_digit(text.front()); }

// A decimal number of any length. Without leading zeros the longer one is larger; equal lengths compare as strings.
struct Number {
  std::string digits;
  friend std::strong_ordering operator<=>(const Number& a, const Number& b) {
    return std::tuple(a.digits.size(), std::string_view(a.digits)) <=>
           std::tuple(b.digits.size(), std::string_view(b.digits));
  }
  friend bool operator==(const Number&, const Number&) = default;
};

enum class Phase : std::uint8_t { development, alpha, beta, candidate, release };
using LocalPart = std::variant<std::string, Number>;  // in this order: a number comes after every word

// The members in the order in which they are compared.
struct ParsedVersion {
  bool is_known = false;  // the text begins with a version
  Number epoch;
  std::vector<Number> release;  // without zeros at its end
  std::pair<Phase, Number> phase{Phase::release, {}};
  std::optional<Number> post;
  std::pair<bool, Number> dev{true, {}};  // true: it is no development release, and comes after all of them
  std::vector<LocalPart> local;

  [[nodiscard]] bool is_final() const { return phase.first == Phase::release && dev.first; }
  [[nodiscard]] auto without_suffixes() const { return std::tie(is_known, epoch, release, phase); }
  [[nodiscard]] auto without_local() const { return std::tie(is_known, epoch, release, phase, post, dev); }
  friend auto operator<=>(const ParsedVersion&, const ParsedVersion&) = default;
};

std::string_view take(std::string_view& text, bool (*belongs)(char)) {
  const auto end = static_cast<std::size_t>(std::find_if_not(text.begin(), text.end(), belongs) - text.begin());
  const std::string_view taken = text.substr(0, end);
  text.remove_prefix(end);
  return taken;
}

Number take_number(std::string_view& text) {
  std::string_view digits = take(text, is_digit);
  digits.remove_prefix(std::min(digits.find_first_not_of('0'), digits.size()));
  return {std::string(digits)};
}

void drop_separator(std::string_view& text) {
  if (text.starts_with('-') || text.starts_with('_') || text.starts_with('.')) text.remove_prefix(1);
}

struct PhaseWord {
  std::string_view text;
  Phase phase;
};
// A word stands before its own beginning: "alpha" before "a".
constexpr PhaseWord before_release[] = {
    {"alpha", Phase::alpha},       {"a", Phase::alpha},       {"beta", Phase::beta},    {"b", Phase::beta},
    {"preview", Phase::candidate}, {"pre", Phase::candidate}, {"rc", Phase::candidate}, {"c", Phase::candidate}};
constexpr PhaseWord after_release[] = {{"post", Phase::release}, {"rev", Phase::release}, {"r", Phase::release}};
constexpr PhaseWord development[] = {{"dev", Phase::development}};

// One of the words with its number: "rc1", "-rc.1", "rc".
std::optional<std::pair<Phase, Number>> take_word(std::string_view& text, std::span<const PhaseWord> words) {
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
      if (current_.phase.first == Phase::release && !current_.post) current_.phase.first = Phase::development;
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
    Number first = take_number(rest_);
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

constexpr std::string_view blanks = " \t\n\r\f\v";

std::string_view trimmed(std::string_view text) {
  text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
  return text.substr(0, text.find_last_not_of(blanks) + 1);
}

struct ReadVersion {
  ParsedVersion version;
  bool is_whole = false;       // all of the text is a version
  std::size_t public_end = 0;  // in the text without blanks around it
};

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

constexpr std::array<std::pair<std::string_view, VersionBounds::Operator>, 6> operators{{
    {"<=", VersionBounds::Operator::at_most},  // the two-letter ones first: "<" begins them
    {">=", VersionBounds::Operator::at_least},
    {"==", VersionBounds::Operator::equal},
    {"!=", VersionBounds::Operator::unequal},
    {"<", VersionBounds::Operator::less},
    {">", VersionBounds::Operator::more},
}};

// PEP 440: <V leaves out the pre-releases of V, unless V is one itself.
bool is_less(const ParsedVersion& version, ParsedVersion bound) {
  if (bound.is_final()) {
    bound.dev = {false, {}};
    if (!bound.post) bound.phase.first = Phase::development;
  }
  return version.without_local() < bound.without_local();
}

// PEP 440: >V leaves out the post-releases of V, unless V is one itself.
bool is_more(const ParsedVersion& version, const ParsedVersion& bound) {
  const bool may_be_post = bound.post || !bound.dev.first || version.without_suffixes() != bound.without_suffixes();
  return version.without_local() > bound.without_local() && may_be_post;
}

bool holds(const VersionBounds::Condition& condition, const ParsedVersion& version) {
  const ParsedVersion bound = read_version(condition.version).version;
  const auto order = version.without_local() <=> bound.without_local();
  switch (condition.relation) {
    case VersionBounds::Operator::less: return is_less(version, bound);
    case VersionBounds::Operator::at_most: return order <= 0;
    case VersionBounds::Operator::equal: return bound.local.empty() ? order == 0 : version == bound;
    case VersionBounds::Operator::unequal: return bound.local.empty() ? order != 0 : version != bound;
    case VersionBounds::Operator::at_least: return order >= 0;
    case VersionBounds::Operator::more: return is_more(version, bound);
  }
  return false;
}

std::optional<VersionBounds::Condition> parse_condition(std::string_view text) {
  const auto* const found =
      std::find_if(operators.begin(), operators.end(), [&](const auto& row) { return text.starts_with(row.first); });
  if (found == operators.end()) return std::nullopt;
  text.remove_prefix(found->first.size());
  const bool may_be_local =
      found->second == VersionBounds::Operator::equal || found->second == VersionBounds::Operator::unequal;
  if (!is_version(text) || (!may_be_local && text.find('+') != std::string_view::npos)) return std::nullopt;
  if (text.find_first_of(blanks) != std::string_view::npos) return std::nullopt;
  return VersionBounds::Condition{found->second, std::string(text)};
}

}  // namespace

std::strong_ordering compare_versions(std::string_view a, std::string_view b) {
  return read_version(a).version <=> read_version(b).version;
}

bool is_version(std::string_view text) { return read_version(text).is_whole; }

std::string public_version(std::string_view text) {
  return std::string(trimmed(text).substr(0, read_version(text).public_end));
}

bool VersionBounds::hold(std::string_view version) const {
  if (conditions.empty()) return true;
  if (version.empty()) return false;
  const ParsedVersion parsed = read_version(version).version;
  return std::all_of(conditions.begin(), conditions.end(), [&](const Condition& each) { return holds(each, parsed); });
}

std::string VersionBounds::text() const {
  std::string text;
  for (const Condition& condition : conditions) {
    const auto* const name = std::find_if(operators.begin(), operators.end(),
                                          [&](const auto& row) { return row.second == condition.relation; });
    text += (text.empty() ? "" : ",") + std::string(name->first) + condition.version;
  }
  return text;
}

std::optional<VersionBounds> parse_bounds(std::string_view text) {
  VersionBounds bounds;
  for (;;) {
    const std::size_t comma = std::min(text.find(','), text.size());
    auto condition = parse_condition(text.substr(0, comma));
    if (!condition) return std::nullopt;
    bounds.conditions.push_back(*std::move(condition));
    if (comma == text.size()) return bounds;
    text.remove_prefix(comma + 1);
  }
}

}  // namespace dlspec::conformance
