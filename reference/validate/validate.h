// Which rules a struct breaks, as far as its bytes, and what is known of its origin, can tell.
//
// This is the oracle: it restates the standard rule by rule, slowly. Engines in a hurry use
// dlspec::optimized, which is tested against it.
#pragma once

#include <dlspec/vocabulary/exported.h>
#include <dlspec/vocabulary/finding.h>
#include <dlspec/vocabulary/origin.h>

namespace dlspec::reference {

// All findings in rule order: the full set that finding.def states, so that one fault never hides
// another. `origin`, which may be NULL, adds the rules about telling the truth.
//
//   const DLManagedTensorVersioned* managed = ...;  // the official header's type
//   for (const Finding& finding : dlspec::reference::validate(managed)) puts(observed_text(finding).c_str());
//
// Any struct is judged, whatever its fields say. Memory is read only where an earlier finding has
// not made it unreadable: the struct itself (of a foreign major version only the prefix that all
// versions share), then up to 64 extents and strides. What cannot be told from the bytes is the
// caller's word: that pointers which are neither NULL nor misaligned point to readable memory. The
// elements are never touched.
//
// Does not allocate, throw or keep anything; safe to call from several threads.
[[nodiscard]] Findings validate(const Exported& exported, const Origin* origin = nullptr) noexcept;

}  // namespace dlspec::reference
