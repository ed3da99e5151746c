// Generates texts of layout constraints from a stream of choices, most of them well-formed, and compares the two
// parsers and matchers. For the tests and the fuzz target.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <dlspec/reference/descriptor/strided.h>

namespace dlspec::optimized::testing {

// Empty if both sides agree on this operator's constraints and tensors: on every fault and its position, every status
// and every binding, and the reference parses what it prints. Otherwise the difference.
[[nodiscard]] std::string constraint_disagreement(std::span<const std::string> texts,
                                                  std::span<const reference::InfiniTensor> tensors);

// Counts of comparisons, so that tests can require both.
struct ConstraintCounts {
  std::size_t malformed = 0, matched = 0, refused = 0;
};
[[nodiscard]] std::string constraint_disagreement(std::span<const std::string> texts,
                                                  std::span<const reference::InfiniTensor> tensors,
                                                  ConstraintCounts& counts);

// The same for one constraint and each of the tensors alone.
[[nodiscard]] std::string constraint_disagreement_one_by_one(const std::string& text,
                                                             std::span<const reference::InfiniTensor> tensors,
                                                             ConstraintCounts& counts);

// Turns any bytes into texts and tensors.
struct ConstraintCase {
  std::vector<std::string> texts;
  std::vector<reference::InfiniTensor> tensors;
};
[[nodiscard]] ConstraintCase decode_constraint_case(std::span<const std::uint8_t> bytes);

}  // namespace dlspec::optimized::testing
