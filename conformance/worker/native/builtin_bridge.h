// dlspec's own tensor descriptors and copy, by the reference: the bridge of the subject `builtin`.
#pragma once

#include <dlspec/plugin.h>

namespace dlspec::conformance {

// Descriptors of every dtype of whole bytes and one lane, for tensors on the CPU. Refuses with the statuses of
// InfiniOP's documentation, in the order that <dlspec/infiniop/infiniop.h> states.
extern const DlspecBridge builtin_bridge;

}  // namespace dlspec::conformance
