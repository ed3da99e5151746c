// Library versions in the order of PEP 440, and its version specifiers: 1.10 is later than 1.9, and a release candidate
// is earlier than its release. version_check/ compares the results with Python's `packaging`.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dlspec::conformance {

// Accepts any texts, since libraries do not always follow PEP 440. An invalid version is split into its longest valid
// prefix and a local label: 1.3-dirty compares as 1.3+dirty. A text without such a prefix sorts before all versions.
[[nodiscard]] std::strong_ordering compare_versions(std::string_view a, std::string_view b);

// True for a valid PEP 440 version in any spelling.
[[nodiscard]] bool is_version(std::string_view text);

// The longest valid version at the start of the text, without its local label: "2.5.1" for "2.5.1+cpu"; or "".
[[nodiscard]] std::string public_version(std::string_view text);

// The versions that a baseline line applies to: those that meet all conditions. No condition: every version.
struct VersionBounds {
  enum class Operator : std::uint8_t { less, at_most, equal, unequal, at_least, more };
  struct Condition {
    Operator relation = Operator::equal;
    std::string version;
    friend bool operator==(const Condition&, const Condition&) = default;
  };
  std::vector<Condition> conditions;

  // Follows `packaging` with pre-releases included: <2.6 excludes pre-releases of 2.6, >2.6 excludes post-releases of
  // 2.6, and only == and != with a local label compare local labels. An empty version meets no condition.
  [[nodiscard]] bool hold(std::string_view version) const;
  [[nodiscard]] std::string text() const;  // ">=2.1,<2.6"
  friend bool operator==(const VersionBounds&, const VersionBounds&) = default;
};
// nullopt when the text is not of the form ">=2.1,<2.6". Blanks, ~=, === and wildcards are not accepted.
[[nodiscard]] std::optional<VersionBounds> parse_bounds(std::string_view text);

}  // namespace dlspec::conformance
