// Versions of libraries, as PEP 440 orders them and as its specifiers select them: 1.10 is later than 1.9, and a
// release candidate comes before its release. version_check/ compares every answer with Python's `packaging`.
#pragma once

#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace dlspec::conformance {

// Any two texts are answered: a library can call its version what it likes. A text that PEP 440 does not know counts as
// the version that it begins with, and what follows as the label of a local build: 1.3-dirty as 1.3+dirty. A text that
// begins with no version comes before all versions.
[[nodiscard]] std::strong_ordering compare_versions(std::string_view a, std::string_view b);

// True for a version by PEP 440, in any of its spellings.
[[nodiscard]] bool is_version(std::string_view text);

// The version that the text begins with, without the label of a local build: "2.5.1" of "2.5.1+cpu"; or "".
[[nodiscard]] std::string public_version(std::string_view text);

// Which versions a line of a baseline is about: all of these conditions. No condition: every version.
struct VersionBounds {
  enum class Operator : std::uint8_t { less, at_most, equal, unequal, at_least, more };
  struct Condition {
    Operator relation = Operator::equal;
    std::string version;
    friend bool operator==(const Condition&, const Condition&) = default;
  };
  std::vector<Condition> conditions;

  // As `packaging` has it, pre-releases included: <2.6 holds for no pre-release of 2.6, >2.6 for no post-release
  // of 2.6, and only == and != with a local label look at one. A library that does not tell its version meets no
  // condition.
  [[nodiscard]] bool hold(std::string_view version) const;
  [[nodiscard]] std::string text() const;  // ">=2.1,<2.6"
  friend bool operator==(const VersionBounds&, const VersionBounds&) = default;
};
// Nothing when the text is not ">=2.1,<2.6" or the like: without blanks, ~=, === and wildcards.
[[nodiscard]] std::optional<VersionBounds> parse_bounds(std::string_view text);

}  // namespace dlspec::conformance
