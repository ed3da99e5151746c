// Variants of producers: what exports and refusals leave in the heap.
#pragma once

#include <dlspec/conformance/worker/native/native_variants.h>

namespace dlspec::conformance {

// Exports that are released as a consumer releases them, 200 or 3,000 at a time (many show small blocks); the same
// where the deleters are called on other threads; exports that were refused.
NativeCaseFunction released_case, released_often_case, released_elsewhere_case, refusals_kept_case;

}  // namespace dlspec::conformance
