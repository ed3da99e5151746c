// Consumers under tensors that no producer may make, and under values that nobody has defined.
#pragma once

#include <dlspec/conformance/worker/native/native_variants.h>

namespace dlspec::conformance {

// Every variant "hostile=NAME": one row of oracle/hostile_structs.def.
NativeCaseFunction hostile_case;

// Several values in one case, each of which must be refused and released once.
NativeCaseFunction unknown_dtypes_case, unknown_devices_case, odd_widths_case, handles_case, float_width_case;

// A legal offset, and a legal context. (unusual_cases.cc)
NativeCaseFunction far_offset_case, far_strides_case, null_context_case;

}  // namespace dlspec::conformance
