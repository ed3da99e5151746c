// Texts of layout constraints from a stream of choices, most of them well formed; and the comparison
// of the two readers and matchers. Shared by the tests and the fuzz target.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <dlspec/reference/descriptor/strided.h>

namespace dlspec::optimized::testing {

// Empty when both sides agree on this operator's constraints and tensors: on every fault and its
// position, on every answer, on what is bound, and the reference's print reads back. Otherwise what differs.
[[nodiscard]] std::string constraint_disagreement(std::span<const std::string> texts,
                                                  std::span<const reference::InfiniTensor> tensors);

// Counts of what was compared, so that tests can ask for both.
struct ConstraintCounts {
  std::size_t malformed = 0, matched = 0, refused = 0;
};
[[nodiscard]] std::string constraint_disagreement(std::span<const std::string> texts,
                                                  std::span<const reference::InfiniTensor> tensors,
                                                  ConstraintCounts& counts);

// The same of one constraint with each of the tensors alone.
[[nodiscard]] std::string constraint_disagreement_one_by_one(const std::string& text,
                                                             std::span<const reference::InfiniTensor> tensors,
                                                             ConstraintCounts& counts);

// Any bytes become texts and tensors.
struct ConstraintCase {
  std::vector<std::string> texts;
  std::vector<reference::InfiniTensor> tensors;
};
[[nodiscard]] ConstraintCase decode_constraint_case(std::span<const std::uint8_t> bytes);

}  // namespace dlspec::optimized::testing
