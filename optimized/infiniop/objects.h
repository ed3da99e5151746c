// What the opaque types of infiniop.h are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <new>
#include <span>

#include <dlspec/infiniop/infiniop.h>
#include <dlspec/optimized/descriptor/view.h>
#include <dlspec/optimized/rearrange/rearrange.h>
#include <dlspec/vocabulary/infini.h>

#include "living.h"

// Clients that look inside expect device and id at the beginning of handles and operators.
struct InfiniopHandle {
  static constexpr dlspec::infiniop::Kind kind = dlspec::infiniop::Kind::handle;
  infiniDevice_t device;
  int device_id;
};

// In one block with its shape and strides.
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
  dlspec::optimized::Plan plan;
};

namespace dlspec::infiniop {

// Room for an object and `extra` bytes behind it, known as alive; NULL when there is no memory.
template <class T>
[[nodiscard]] T* make(std::size_t extra = 0) noexcept {
  static_assert(alignof(T) <= 16);
  void* const memory = std::malloc(sizeof(T) + extra);
  if (memory == nullptr) return nullptr;
  T* const object = new (memory) T;
  if (enter(reinterpret_cast<std::uintptr_t>(object), T::kind)) return object;
  std::free(memory);
  return nullptr;
}

template <class T>
[[nodiscard]] bool is_living(const T* object) noexcept {
  return is_living(object, T::kind);
}

// BAD_PARAM for what is not alive.
template <class T>
[[nodiscard]] infiniStatus_t destroy(T* object) noexcept {
  if (!leave(object, T::kind)) return INFINI_STATUS_BAD_PARAM;
  object->~T();
  std::free(object);
  return INFINI_STATUS_SUCCESS;
}

[[nodiscard]] constexpr infiniStatus_t to_c(InfiniStatus status) { return static_cast<infiniStatus_t>(status); }

// A descriptor of numbers that have been judged; strides NULL: compact. NULL when there is no memory.
[[nodiscard]] InfiniopTensorDescriptor* make_tensor(int dtype, std::span<const std::int64_t> shape,
                                                    const std::int64_t* strides) noexcept;

}  // namespace dlspec::infiniop
