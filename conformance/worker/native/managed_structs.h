// Managed structs of either generation, as the functions of a plug-in hand them over: a pointer and a number.
#pragma once

#include <dlspec/plugin.h>
#include <dlspec/vocabulary/abi.h>
#include <dlspec/vocabulary/exported.h>

namespace dlspec::conformance {

[[nodiscard]] constexpr int generation_number(Generation generation) {
  return generation == Generation::versioned ? DLSPEC_VERSIONED : DLSPEC_LEGACY;
}

// `generation` is DLSPEC_LEGACY or DLSPEC_VERSIONED.
[[nodiscard]] constexpr Exported exported_struct(const void* managed, int generation) {
  return {generation == DLSPEC_VERSIONED ? Generation::versioned : Generation::legacy, managed};
}

// Calls act(managed) with the struct of its own type. The struct is its consumer's, who may write to it.
template <class Act>
decltype(auto) with_managed(const Exported& exported, Act act) {
  void* const object = const_cast<void*>(exported.object());
  if (exported.generation() == Generation::versioned) return act(*static_cast<abi::v1::ManagedTensor*>(object));
  return act(*static_cast<abi::v0::ManagedTensor*>(object));
}

[[nodiscard]] inline abi::Tensor& managed_tensor(const Exported& exported) {
  return with_managed(exported, [](auto& managed) -> abi::Tensor& { return managed.dl_tensor; });
}

[[nodiscard]] inline bool has_deleter(const Exported& exported) {
  return with_managed(exported, [](auto& managed) { return managed.deleter != nullptr; });
}

// Calls the deleter even where it is NULL.
inline void call_deleter(const Exported& exported) {
  with_managed(exported, [](auto& managed) { managed.deleter(&managed); });
}

// Releases the struct as a consumer must: a NULL deleter is not called.
inline void release_exported(const Exported& exported) {
  if (has_deleter(exported)) call_deleter(exported);
}

}  // namespace dlspec::conformance
