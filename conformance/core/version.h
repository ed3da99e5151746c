// Versions of libraries, compared as people do: 1.10 is later than 1.9, and a release candidate comes before its
// release.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dlspec::conformance {

// Any two texts are answered. "1.0" and "1.0.0" are one version; what follows a "+" says where it was built and does
// not count.
[[nodiscard]] std::strong_ordering compare_versions(std::string_view a, std::string_view b);

// Which versions a line of a baseline is about: all of these conditions. No condition: every version.
struct VersionBounds {
  enum class Operator : std::uint8_t { less, at_most, equal, unequal, at_least, more };
  struct Condition {
    Operator relation = Operator::equal;
    std::string version;
    friend bool operator==(const Condition&, const Condition&) = default;
  };
  std::vector<Condition> conditions;

  // A library that does not tell its version meets no condition.
  [[nodiscard]] bool hold(std::string_view version) const;
  [[nodiscard]] std::string text() const;  // ">=2.1,<2.6"
  friend bool operator==(const VersionBounds&, const VersionBounds&) = default;
};
// Nothing when the text is not ">=2.1,<2.6" or the like.
[[nodiscard]] std::optional<VersionBounds> parse_bounds(std::string_view text);

}  // namespace dlspec::conformance
