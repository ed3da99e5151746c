// A breach of a rule that can be read off the bytes of a struct, as plain data without allocation,
// and the set of them that a validation answers with.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <dlspec/vocabulary/rules.h>
#include <dlspec/vocabulary/verdict.h>

namespace dlspec {

// A row of finding.def with its numbers. What `value` and `other` are stands there.
struct Finding {
  RuleId rule;
  std::uint8_t variant = 0;
  std::int32_t axis = -1;
  std::int64_t value = 0;
  std::int64_t other = 0;

  friend bool operator==(const Finding&, const Finding&) = default;
};

struct FindingRow {
  RuleId rule;
  std::uint8_t variant;
  Verdict verdict;
  const char* when;
  const char* observed;
  const char* allowed;
};

// finding.def.
[[nodiscard]] std::span<const FindingRow> finding_table();
[[nodiscard]] const FindingRow& finding_row(const Finding& finding);

// The status of this finding: fail, warn, info or unsupported.
[[nodiscard]] Verdict verdict_of(const Finding& finding);
[[nodiscard]] std::string observed_text(const Finding& finding);
[[nodiscard]] std::string allowed_text(const Finding& finding);

// All findings of one struct, in rule order, at most one per rule. Fixed capacity, no allocation;
// constructing an empty one writes one word.
class Findings {
 public:
  // More than rules in finding.def (a test compares).
  static constexpr std::size_t capacity = 64;

  Findings() {}  // NOLINT: leaves the storage uninitialised on purpose

  [[nodiscard]] const Finding* begin() const { return storage_; }
  [[nodiscard]] const Finding* end() const { return storage_ + size_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] const Finding& operator[](std::size_t index) const { return storage_[index]; }
  // NULL when the rule was not broken.
  [[nodiscard]] const Finding* find(RuleId rule) const;
  [[nodiscard]] bool contains(RuleId rule) const { return find(rule) != nullptr; }

  // Inserts in rule order; a second finding of one rule is dropped.
  void add(const Finding& finding);

  friend bool operator==(const Findings& a, const Findings& b);

 private:
  std::size_t size_ = 0;
  union {
    Finding storage_[capacity];
  };
};

}  // namespace dlspec
