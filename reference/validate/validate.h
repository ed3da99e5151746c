// Which rules a struct violates, as far as its bytes, and what is known of its origin, show.
//
// This is the oracle: it restates the standard rule by rule, without regard to speed. dlspec::optimized gives the same
// findings fast, and is tested against it.
#pragma once

#include <dlspec/vocabulary/exported.h>
#include <dlspec/vocabulary/finding.h>
#include <dlspec/vocabulary/origin.h>

namespace dlspec::reference {

// All findings in rule order: the full set that finding.def defines, so that one fault never hides another. `origin`,
// which may be NULL, adds the rules about truthful exports.
//
//   const DLManagedTensorVersioned* managed = ...;  // the official header's type
//   for (const Finding& finding : dlspec::reference::validate(managed)) puts(observed_text(finding).c_str());
//
// Accepts any struct, whatever its fields are. Reads memory only where no earlier finding says that it cannot be read:
// the struct (of a foreign major version only the prefix that all versions share), then up to max_rank extents and
// strides. The bytes do not show one thing, which the caller guarantees: pointers that are neither NULL nor misaligned
// point to readable memory. Never accesses the elements.
//
// Does not allocate or throw, and keeps no state; safe to call from several threads.
[[nodiscard]] Findings validate(const Exported& exported, const Origin* origin = nullptr) noexcept;

}  // namespace dlspec::reference
