#include <dlspec/conformance/core/version.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace dlspec::conformance {
namespace {

bool is_digit(char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; }
bool is_letter(char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0; }

// A number of any length: without leading zeros the longer one is larger, equal lengths compare as texts.
struct Number {
  std::string digits;
  friend std::strong_ordering operator<=>(const Number& a, const Number& b) {
    if (const auto order = a.digits.size() <=> b.digits.size(); order != 0) return order;
    return a.digits <=> b.digits;
  }
  friend bool operator==(const Number&, const Number&) = default;
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

// What a word behind the release says: earlier than the release (negative) or later.
int rank_of(std::string word) {
  std::transform(word.begin(), word.end(), word.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  constexpr std::pair<std::string_view, int> ranks[] = {{"dev", -4},  {"a", -3},  {"alpha", -3},   {"b", -2},
                                                        {"beta", -2}, {"c", -1},  {"preview", -1}, {"rc", -1},
                                                        {"r", 1},     {"rev", 1}, {"post", 1},     {"pre", -1}};
  const auto* const found =
      std::find_if(std::begin(ranks), std::end(ranks), [&](auto& row) { return row.first == word; });
  return found != std::end(ranks) ? found->second : -5;
}

struct Parts {
  Number epoch;
  std::vector<Number> release;                   // without zeros at its end
  std::vector<std::pair<int, Number>> suffixes;  // rank and number of each word; the release itself is rank 0
};

Parts parts_of(std::string_view text) {
  text = text.substr(0, text.find('+'));
  if (text.starts_with('v') || text.starts_with('V')) text.remove_prefix(1);
  Parts parts;
  if (const std::size_t mark = text.find('!'); mark != std::string_view::npos) {
    parts.epoch = take_number(text);
    text.remove_prefix(text.find('!') + 1);
  }
  while (!text.empty()) {
    if (is_digit(text.front())) {
      const Number number = take_number(text);
      if (parts.suffixes.empty()) {
        parts.release.push_back(number);
      } else {
        parts.suffixes.back().second = number;
      }
    } else if (is_letter(text.front())) {
      parts.suffixes.push_back({rank_of(std::string(take(text, is_letter))), {}});
    } else {
      text.remove_prefix(1);
    }
  }
  while (!parts.release.empty() && parts.release.back().digits.empty()) parts.release.pop_back();
  parts.suffixes.push_back({0, {}});
  return parts;
}

constexpr std::array<std::pair<std::string_view, VersionBounds::Operator>, 6> operators{{
    {"<=", VersionBounds::Operator::at_most},  // the two-letter ones first: "<" begins them
    {">=", VersionBounds::Operator::at_least},
    {"==", VersionBounds::Operator::equal},
    {"!=", VersionBounds::Operator::unequal},
    {"<", VersionBounds::Operator::less},
    {">", VersionBounds::Operator::more},
}};

bool holds(const VersionBounds::Condition& condition, std::string_view version) {
  const auto order = compare_versions(version, condition.version);
  switch (condition.relation) {
    case VersionBounds::Operator::less: return order < 0;
    case VersionBounds::Operator::at_most: return order <= 0;
    case VersionBounds::Operator::equal: return order == 0;
    case VersionBounds::Operator::unequal: return order != 0;
    case VersionBounds::Operator::at_least: return order >= 0;
    case VersionBounds::Operator::more: return order > 0;
  }
  return false;
}

std::optional<VersionBounds::Condition> parse_condition(std::string_view text) {
  const auto* const found =
      std::find_if(operators.begin(), operators.end(), [&](const auto& row) { return text.starts_with(row.first); });
  if (found == operators.end()) return std::nullopt;
  text.remove_prefix(found->first.size());
  if (text.empty() || !is_digit(text.starts_with('v') && text.size() > 1 ? text[1] : text[0])) return std::nullopt;
  return VersionBounds::Condition{found->second, std::string(text)};
}

}  // namespace

std::strong_ordering compare_versions(std::string_view a, std::string_view b) {
  const Parts left = parts_of(a);
  const Parts right = parts_of(b);
  if (const auto order = left.epoch <=> right.epoch; order != 0) return order;
  if (const auto order = left.release <=> right.release; order != 0) return order;
  return left.suffixes <=> right.suffixes;
}

bool VersionBounds::hold(std::string_view version) const {
  if (conditions.empty()) return true;
  if (version.empty()) return false;
  return std::all_of(conditions.begin(), conditions.end(), [&](const Condition& each) { return holds(each, version); });
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
