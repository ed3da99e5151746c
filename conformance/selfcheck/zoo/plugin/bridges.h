// What the bridges of the zoo are made of: dlspec's own, of which each fault replaces one function.
#pragma once

#include <span>

#include <dlspec/conformance/worker/native/builtin_bridge.h>
#include <dlspec/plugin.h>
#include <dlspec/vocabulary/abi.h>
#include <dlspec/vocabulary/infini.h>

namespace dlspec::zoo {

struct BridgeRow {
  const char* name;
  void (*change)(DlspecBridge& bridge);
};
#define DLSPEC_CHANGE(member, function) [](DlspecBridge& bridge) { bridge.member = function; }

// Faults of descriptors, imports and exports (bridge_tensors.cc), and of copies (bridge_copies.cc).
[[nodiscard]] std::span<const BridgeRow> tensor_faults();
[[nodiscard]] std::span<const BridgeRow> copy_faults();

inline const DlspecBridge& own_bridge() { return conformance::builtin_bridge; }

inline int refuse(DlspecRefusal* refusal, InfiniStatus status) {
  *refusal = {"this is not taken", static_cast<int>(status)};
  return DLSPEC_UNSUPPORTED;
}

[[nodiscard]] bool is_compact(const abi::Tensor& tensor);

}  // namespace dlspec::zoo
