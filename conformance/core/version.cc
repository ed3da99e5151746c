#include <dlspec/conformance/core/version.h>

#include <algorithm>
#include <array>
#include <utility>

#include <dlspec/conformance/core/parsed_version.h>

namespace dlspec::conformance {
namespace {

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
    if (!bound.post) bound.phase.first = ReleasePhase::development;
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
  if (text.find_first_of(version_blanks) != std::string_view::npos) return std::nullopt;
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
