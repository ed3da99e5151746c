// Fast validation of an exported struct: the same answer as the reference gives, in tens of
// nanoseconds for a good tensor.
#pragma once

#include <dlspec/vocabulary/exported.h>
#include <dlspec/vocabulary/finding.h>
#include <dlspec/vocabulary/origin.h>

namespace dlspec::optimized {

// Every breach of a rule that can be read off the struct's bytes, in rule order, at most one per
// rule; finding.def states when. Any struct may be given: NULL, misaligned, any field values. Only
// shape and strides are followed, never data; where they are neither NULL nor misaligned and ndim is
// 1 to 64 they must be readable for ndim entries.
//
// `origin` is what the caller knows about the source, or NULL. Allocates nothing and does not throw.
// A CPU tensor whose data is not a multiple of 256 has one finding of status info.
[[nodiscard]] Findings validate(const Exported& exported, const Origin* origin = nullptr) noexcept;

// For engines that only want to know whether to go on: true when validate(exported) has nothing
// worse than info. Ranks above 64 are not read and thus not sound.
[[nodiscard]] bool is_sound(const Exported& exported) noexcept;

}  // namespace dlspec::optimized
