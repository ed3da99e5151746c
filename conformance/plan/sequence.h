// Command sequences: what is done with arrays and exports of a subject, one step after the other, as plain data with a
// text form that people read, workers carry out and corpora keep.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace dlspec::conformance {

// How cases end that `dlspec fuzz` reports.
inline constexpr std::string_view fuzzed_case = "/sequence=fuzz";

// What a step creates or acts on.
enum class HolderKind : std::uint8_t { none, array, export_, either };

// An array or an export of a sequence: "a0", "e3". No holder: kind none.
struct Holder {
  HolderKind kind = HolderKind::none;
  std::uint16_t number = 0;
  friend auto operator<=>(const Holder&, const Holder&) = default;
};

enum class StepKind : std::uint8_t {
#define DLSPEC_STEP(kind, ...) kind,
#include <dlspec/conformance/plan/sequence.def>
#undef DLSPEC_STEP
};

inline constexpr std::size_t most_options = 3;  // of one step

// A row of sequence.def.
struct StepRow {
  StepKind kind;
  const char* word;
  HolderKind makes;
  HolderKind acts_on;
  std::array<std::vector<const char*>, most_options> options;
};
[[nodiscard]] std::span<const StepRow> step_rows();
[[nodiscard]] const StepRow& row_of(StepKind kind);

struct Step {
  StepKind kind = StepKind::collect;
  Holder made;
  Holder on;
  std::array<std::uint8_t, most_options> options{};  // indices into the row's words

  // The word of this option; "" where the step has none.
  [[nodiscard]] std::string_view option(std::size_t slot) const;
  friend bool operator==(const Step&, const Step&) = default;
};
using Sequence = std::vector<Step>;

[[nodiscard]] std::string step_text(const Step& step);
// Steps separated by "; ".
[[nodiscard]] std::string sequence_text(const Sequence& sequence);
// nullopt when a word is unknown; whether the steps are possible is the model's to say.
[[nodiscard]] std::optional<Sequence> parse_sequence(std::string_view text);

}  // namespace dlspec::conformance
