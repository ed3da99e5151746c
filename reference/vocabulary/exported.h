// A reference to an exported struct of any generation: the input of validation.
#pragma once

#include <cstddef>

#include <dlspec/vocabulary/abi.h>

namespace dlspec {

// Which struct the pointer points to. Bare tensors and legacy structs have no version and no flags.
enum class Generation : unsigned char { bare, legacy, versioned };

// Types that are laid out like those of dlpack.h, so that callers pass the official header's structs without a cast.
template <class T>
concept BareLike = sizeof(T) == sizeof(abi::Tensor) && requires(const T& tensor) {
  tensor.byte_offset;
  tensor.ndim;
  tensor.strides;
};
template <class T>
concept LegacyLike = sizeof(T) == sizeof(abi::v0::ManagedTensor) && requires(const T& managed) {
  managed.dl_tensor.byte_offset;
  managed.manager_ctx;
} && !requires(const T& managed) { managed.flags; };
template <class T>
concept VersionedLike = sizeof(T) == sizeof(abi::v1::ManagedTensor) && requires(const T& managed) {
  managed.dl_tensor.byte_offset;
  managed.version.major;
  managed.flags;
};

// Does not own the struct. `object` may be NULL or misaligned: validation reports that.
class Exported {
 public:
  constexpr Exported(Generation generation, const void* object) : object_(object), generation_(generation) {}
  template <BareLike T>
  constexpr Exported(const T* tensor) : Exported(Generation::bare, tensor) {}
  template <LegacyLike T>
  constexpr Exported(const T* managed) : Exported(Generation::legacy, managed) {}
  template <VersionedLike T>
  constexpr Exported(const T* managed) : Exported(Generation::versioned, managed) {}

  [[nodiscard]] constexpr Generation generation() const { return generation_; }
  [[nodiscard]] constexpr const void* object() const { return object_; }

  // The struct in the layout of its generation. Call them only when object() is readable and, for the first two, the
  // generation matches.
  [[nodiscard]] const abi::v1::ManagedTensor& versioned() const {
    return *static_cast<const abi::v1::ManagedTensor*>(object_);
  }
  [[nodiscard]] const abi::v0::ManagedTensor& legacy() const {
    return *static_cast<const abi::v0::ManagedTensor*>(object_);
  }
  [[nodiscard]] const abi::Tensor& tensor() const {
    switch (generation_) {
      case Generation::versioned: return versioned().dl_tensor;
      case Generation::legacy: return legacy().dl_tensor;
      case Generation::bare: break;
    }
    return *static_cast<const abi::Tensor*>(object_);
  }

 private:
  const void* object_;
  Generation generation_;
};

}  // namespace dlspec
