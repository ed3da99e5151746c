// A struct whose every field a test sets freely, with arrays for shape and strides.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <initializer_list>

#include <dlspec/vocabulary/abi.h>
#include <dlspec/vocabulary/device.h>
#include <dlspec/vocabulary/dtype.h>
#include <dlspec/vocabulary/exported.h>

namespace dlspec::optimized::testing {

// Starts as a conforming float32 (3,4):(4,1) on the CPU, version 1.3; the memory is an address only. `managed` has all
// fields whatever the generation; exported() shows those that the generation has.
class RawStruct {
 public:
  static constexpr std::uintptr_t address = std::uintptr_t{1} << 40;

  RawStruct() { reset(); }
  RawStruct(const RawStruct&) = delete;
  RawStruct& operator=(const RawStruct&) = delete;

  void reset() {
    generation = Generation::versioned;
    managed.version = abi::newest_version;
    managed.manager_ctx = nullptr;
    managed.deleter = [](abi::v1::ManagedTensor*) {};
    managed.flags = 0;
    managed.dl_tensor = {nullptr, {kDLCPU, 0}, 0, {kDLFloat, 32, 1}, nullptr, nullptr, 0};
    set_data(address);
    set_layout({3, 4}, {4, 1});
  }

  void set_layout(std::initializer_list<std::int64_t> extents, std::initializer_list<std::int64_t> steps) {
    std::copy(extents.begin(), extents.end(), shape.begin());
    std::copy(steps.begin(), steps.end(), strides.begin());
    tensor().ndim = static_cast<std::int32_t>(extents.size());
    tensor().shape = shape.data();
    tensor().strides = strides.data();
  }

  // Any number, never followed.
  void set_data(std::uintptr_t data) { tensor().data = reinterpret_cast<void*>(data); }  // NOLINT

  [[nodiscard]] abi::Tensor& tensor() { return managed.dl_tensor; }

  // Valid until the next change of a field.
  [[nodiscard]] Exported exported() {
    if (generation == Generation::versioned) return &managed;
    if (generation == Generation::bare) return &managed.dl_tensor;
    legacy_.dl_tensor = managed.dl_tensor;
    legacy_.manager_ctx = managed.manager_ctx;
    legacy_.deleter = nullptr;
    if (managed.deleter != nullptr) legacy_.deleter = [](abi::v0::ManagedTensor*) {};
    return &legacy_;
  }

  Generation generation;
  abi::v1::ManagedTensor managed;
  alignas(8) std::array<std::int64_t, 65> shape{};
  alignas(8) std::array<std::int64_t, 65> strides{};

 private:
  abi::v0::ManagedTensor legacy_{};
};

inline constexpr Generation all_generations[] = {Generation::versioned, Generation::legacy, Generation::bare};

}  // namespace dlspec::optimized::testing
