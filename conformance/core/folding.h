// The scheme of dlspec-result/2: what many records repeat is written once, and each record can be told from it.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <dlspec/conformance/core/record.h>

namespace dlspec::conformance {

// Findings of one rule that differ in their cases only: so many are kept whole.
inline constexpr std::size_t whole_findings = 50;

// What the records of a document share. A record that is a finding which no baseline expects, one of the first that
// are alike, or that says what an exchange brought, is whole: it stands among the results, and only its place is kept
// here.
struct Folding {
  // A status and its texts. `reproduce` has {case} and {rule} in the places of those of the record.
  struct Outcome {
    Verdict status = Verdict::pass;
    std::string observed;
    std::string allowed;
    std::string reproduce;
    std::optional<Verdict> without_baseline = {};
    const Mitigation* mitigation = nullptr;
    friend auto operator<=>(const Outcome&, const Outcome&) = default;
  };
  // So many rules of a case, one after the other, with one outcome; none: their records are whole.
  struct Run {
    std::uint64_t rules = 0;
    std::optional<std::size_t> outcome;
    friend auto operator<=>(const Run&, const Run&) = default;
  };
  // What cases have in common: their rules, and how they came out.
  struct Pattern {
    std::size_t rules = 0;  // index of `rules`
    std::vector<Run> runs;
    friend auto operator<=>(const Pattern&, const Pattern&) = default;
  };
  // Cases with one pattern, one after the other.
  struct Cases {
    std::size_t pattern = 0;
    std::vector<std::string> ids;
  };
  // Cases of one subject, or of the producer and the consumer of an exchange, in one role, one after the other.
  struct Part {
    std::string subject, producer, consumer;
    Role role = Role::producer;
    std::vector<Cases> cases;
  };
  std::vector<std::vector<RuleId>> rules;
  std::vector<Outcome> outcomes;
  std::vector<Pattern> patterns;
  std::vector<Part> parts;  // in the order of the records
};

// The texts of the folding are clean_text.
struct Folded {
  Folding folding;
  std::vector<const Record*> whole;  // of the records that were folded, which must outlive it
};
[[nodiscard]] Folded fold(std::span<const Record> records);

// The records of a folding and of those that are whole, in their order; or a sentence that says what does not fit.
struct Unfolded {
  std::vector<Record> records;
  std::string error;
};
[[nodiscard]] Unfolded unfold(const Folding& folding, std::vector<Record> whole);

// A small file can say that it holds more than any machine has memory for.
inline constexpr std::uint64_t most_records = 10'000'000;
inline constexpr std::uint64_t most_text = std::uint64_t{4} << 30;  // bytes, over all records

}  // namespace dlspec::conformance
