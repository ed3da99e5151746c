// A version of PEP 440 in its parts, read from any text: for version.cc.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

namespace dlspec::conformance {

inline constexpr std::string_view version_blanks = " \t\n\r\f\v";

// A decimal number of any length. Without leading zeros the longer one is larger; equal lengths compare as strings.
struct VersionNumber {
  std::string digits;
  friend std::strong_ordering operator<=>(const VersionNumber& a, const VersionNumber& b) {
    return std::tuple(a.digits.size(), std::string_view(a.digits)) <=>
           std::tuple(b.digits.size(), std::string_view(b.digits));
  }
  friend bool operator==(const VersionNumber&, const VersionNumber&) = default;
};

enum class ReleasePhase : std::uint8_t { development, alpha, beta, candidate, release };
using LocalPart = std::variant<std::string, VersionNumber>;  // in this order: a number comes after every word

// The members in the order in which they are compared.
struct ParsedVersion {
  bool is_known = false;  // the text begins with a version
  VersionNumber epoch;
  std::vector<VersionNumber> release;  // without zeros at its end
  std::pair<ReleasePhase, VersionNumber> phase{ReleasePhase::release, {}};
  std::optional<VersionNumber> post;
  std::pair<bool, VersionNumber> dev{true, {}};  // true: it is no development release, and comes after all of them
  std::vector<LocalPart> local;

  [[nodiscard]] bool is_final() const { return phase.first == ReleasePhase::release && dev.first; }
  [[nodiscard]] auto without_suffixes() const { return std::tie(is_known, epoch, release, phase); }
  [[nodiscard]] auto without_local() const { return std::tie(is_known, epoch, release, phase, post, dev); }
  friend auto operator<=>(const ParsedVersion&, const ParsedVersion&) = default;
};

struct ReadVersion {
  ParsedVersion version;
  bool is_whole = false;       // all of the text is a version
  std::size_t public_end = 0;  // in the text without blanks around it
};

// Reads the longest version at the start of the text; what follows it is taken for the label of a local build.
[[nodiscard]] ReadVersion read_version(std::string_view text);

// Without blanks around it.
[[nodiscard]] std::string_view trimmed(std::string_view text);

}  // namespace dlspec::conformance
