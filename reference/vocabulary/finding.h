// A finding: one violation of a rule that the bytes of a struct show. Plain data without allocation. `Findings` is the
// set that a validation returns.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

#include <dlspec/vocabulary/rules.h>
#include <dlspec/vocabulary/verdict.h>

namespace dlspec {

// A row of finding.def with its numbers. finding.def says what `value` and `other` are; `axis` is -1 where no axis is
// meant.
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

// The rows of finding.def, in its order. finding_row() gives a row that says "an unlisted finding" for a pair of rule
// and variant that the table does not have.
[[nodiscard]] std::span<const FindingRow> finding_table();
[[nodiscard]] const FindingRow& finding_row(const Finding& finding);

// The status of this finding: fail, warn, info or unsupported.
[[nodiscard]] Verdict verdict_of(const Finding& finding);
[[nodiscard]] std::string observed_text(const Finding& finding);
[[nodiscard]] std::string allowed_text(const Finding& finding);

// A dtype in one number, as `value` and `other` of dtype_truthful carry it: code * 2^24 + bits * 2^16 + lanes.
[[nodiscard]] std::int64_t pack_dtype(abi::DataType dtype);
[[nodiscard]] abi::DataType unpack_dtype(std::int64_t packed);

// All findings of one struct, in rule order, at most one per rule. Fixed capacity, no allocation. Constructing an empty
// set writes one word.
class Findings {
 public:
  // At least the number of rules in finding.def (finding_test.cc compares)
  static constexpr std::size_t capacity = 64;

  Findings() {}  // NOLINT: leaves the storage uninitialised on purpose

  [[nodiscard]] const Finding* begin() const { return storage_; }
  [[nodiscard]] const Finding* end() const { return storage_ + size_; }
  [[nodiscard]] std::size_t size() const { return size_; }
  [[nodiscard]] bool empty() const { return size_ == 0; }
  [[nodiscard]] const Finding& operator[](std::size_t index) const { return storage_[index]; }
  // NULL when the set has no finding of the rule.
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
