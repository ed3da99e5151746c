// One sequence (plan/sequence.h) carried out on a plug-in in this process. A plug-in makes and exports in one call, so
// that every export has memory of its own.
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/plan/sequence.h>
#include <dlspec/plugin.h>
#include <dlspec/vocabulary/rules.h>

namespace dlspec::conformance {

struct NativeSequenceResult {
  std::optional<SequenceReport::Finding> finding;
  std::uint64_t refused = 0;                     // steps
  std::set<RuleId> exercised;                    // rules that could have been violated
  std::vector<std::uint64_t> observations = {};  // SequenceObservations
};

// `before` is called with the number of each step before it is carried out, and with that of the steps before the end.
// `patience`: how long releases are waited for at the end.
[[nodiscard]] NativeSequenceResult carry_out(const DlspecPlugin& plugin, const Sequence& sequence,
                                             const std::function<void(std::size_t)>& before,
                                             std::chrono::milliseconds patience = std::chrono::seconds(2));

}  // namespace dlspec::conformance
