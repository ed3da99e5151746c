// What every consumer of the zoo does: dlspec's own import, with the struct in sight.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <dlspec/conformance/worker/native/builtin.h>
#include <dlspec/conformance/worker/native/managed_structs.h>
#include <dlspec/plugin.h>
#include <dlspec/vocabulary/abi.h>
#include <dlspec/vocabulary/exported.h>
#include <dlspec/vocabulary/limits.h>

namespace dlspec::zoo {

struct FaultyPlugin {
  const char* name;
  void (*change)(DlspecPlugin& plugin);
};

// Producers whose exports leave something behind, or say something wrong (producers.cc).
[[nodiscard]] std::span<const FaultyPlugin> faulty_producers();
// Consumers that believe one thing of a struct (trusting.cc).
[[nodiscard]] std::span<const FaultyPlugin> trusting_consumers();
// Plug-ins whose arrays lie on a GPU, named "gpu..." (devices.cc).
[[nodiscard]] std::span<const FaultyPlugin> plugins_on_gpu();

// Leaves it allocated, and reachable, so that a leak checker has nothing to say.
inline void leave_behind(void* block) {
  static std::vector<void*> left;
  left.push_back(block);
}

inline bool is_empty(const abi::Tensor& tensor) {
  return tensor.shape != nullptr &&
         std::find(tensor.shape, tensor.shape + tensor.ndim, 0) != tensor.shape + tensor.ndim;
}

inline const DlspecPlugin& own() { return *conformance::builtin_plugin(); }

struct Import {
  Exported managed;
  void* array = nullptr;  // of dlspec's own consumer, or NULL: believed, and not looked at

  [[nodiscard]] abi::Tensor& tensor() const { return conformance::managed_tensor(managed); }
  [[nodiscard]] bool versioned() const { return managed.generation() == Generation::versioned; }
  // The current version for a legacy struct, which has none.
  [[nodiscard]] abi::Version version() const { return versioned() ? managed.versioned().version : abi::newest_version; }
  [[nodiscard]] std::uint64_t flags() const { return versioned() ? managed.versioned().flags : 0; }
  [[nodiscard]] bool has_known_major() const { return version().major == abi::newest_version.major; }
  // As many extents as the rank says, and not more than dlspec takes.
  [[nodiscard]] bool is_readable() const {
    if (!has_known_major()) return false;
    const abi::Tensor& said = tensor();
    return said.ndim == 0 || (said.ndim > 0 && said.ndim <= max_rank && said.shape != nullptr);
  }
};
using Question = bool (*)(const Import& import);

int take(void* managed, int generation, void** array, const char** reason);
// Zeros, for a tensor that is believed.
int show(void* array, void* bytes, std::size_t byte_count);
void give_up(void* array);
// A refusal as it should be.
int refuse(const Exported& exported, const char** reason);

}  // namespace dlspec::zoo
