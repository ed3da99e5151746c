// The opaque types of infiniop.h.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <span>
#include <variant>

#include <dlspec/infiniop/infiniop.h>
#include <dlspec/optimized/cuda/rearrange.h>
#include <dlspec/optimized/descriptor/view.h>
#include <dlspec/optimized/rearrange/rearrange.h>
#include <dlspec/vocabulary/infini.h>

#include "live_objects.h"

// Clients that look inside expect device and id at the beginning of handles and operators.
struct InfiniopHandle {
  static constexpr dlspec::infiniop::Kind kind = dlspec::infiniop::Kind::handle;
  infiniDevice_t device;
  int device_id;
};

// One allocation together with its shape and strides.
struct InfiniopTensorDescriptor {
  static constexpr dlspec::infiniop::Kind kind = dlspec::infiniop::Kind::tensor;
  int dtype;
  std::size_t rank;

  [[nodiscard]] std::int64_t* numbers() { return reinterpret_cast<std::int64_t*>(this + 1); }
  [[nodiscard]] std::span<std::int64_t> shape() { return {numbers(), rank}; }
  [[nodiscard]] std::int64_t* strides() { return numbers() + rank; }
  [[nodiscard]] const dlspec::InfiniDtypeRow& row() const { return dlspec::infini_dtype_table[dtype]; }
};

struct InfiniopRearrangeDescriptor {
  static constexpr dlspec::infiniop::Kind kind = dlspec::infiniop::Kind::rearrange;
  infiniDevice_t device;
  int device_id;
  // The plan of its device: CPU or GPU.
  std::variant<dlspec::optimized::Plan, dlspec::optimized::cuda::Rearrangement> plan;

  [[nodiscard]] const dlspec::optimized::Geometry& geometry() const {
    return std::visit([](const auto& made) -> const dlspec::optimized::Geometry& { return made.geometry; }, plan);
  }
};

namespace dlspec::infiniop {

// Allocates and registers an object with `extra` bytes behind it; NULL if out of memory.
template <class T>
[[nodiscard]] T* make(std::size_t extra = 0) noexcept {
  static_assert(alignof(T) <= 16);
  void* const memory = std::malloc(sizeof(T) + extra);
  if (memory == nullptr) return nullptr;
  T* const object = new (memory) T;
  if (register_object(reinterpret_cast<std::uintptr_t>(object), T::kind)) return object;
  std::free(memory);
  return nullptr;
}

template <class T>
[[nodiscard]] bool is_live(const T* object) noexcept {
  return is_live(object, T::kind);
}

// BAD_PARAM for an object that is not registered.
template <class T>
[[nodiscard]] infiniStatus_t destroy(T* object) noexcept {
  if (!unregister_object(object, T::kind)) return INFINI_STATUS_BAD_PARAM;
  object->~T();
  std::free(object);
  return INFINI_STATUS_SUCCESS;
}

[[nodiscard]] constexpr infiniStatus_t to_c(InfiniStatus status) { return static_cast<infiniStatus_t>(status); }

// A descriptor of arguments that have been checked; NULL strides: compact. NULL if out of memory.
[[nodiscard]] InfiniopTensorDescriptor* make_tensor(int dtype, std::span<const std::int64_t> shape,
                                                    const std::int64_t* strides) noexcept;

}  // namespace dlspec::infiniop
