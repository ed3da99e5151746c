// Compares the optimized validator with the reference, struct by struct.
#pragma once

#include <string>

#include <dlspec/vocabulary/exported.h>
#include <dlspec/vocabulary/finding.h>
#include <dlspec/vocabulary/origin.h>

namespace dlspec::optimized::testing {

// Every field that may be read, one per line, and what is known about the source.
[[nodiscard]] std::string describe(const Exported& exported, const Origin* origin);

// One line per finding: rule, variant, axis, numbers and the sentence made of them.
[[nodiscard]] std::string describe(const Findings& findings);

// Empty if both validators return the same set; else both sets and the struct.
[[nodiscard]] std::string disagreement(const Exported& exported, const Origin* origin = nullptr);

}  // namespace dlspec::optimized::testing
