// The memory of a GPU, as the phases see it. Sites and steps name an access for the emulator; here they cost nothing.
#pragma once

#include <cstdint>

#include <dlspec/optimized/cuda/phases/portable.h>

namespace dlspec::optimized::cuda {

// The built-in vector of the same size: one instruction moves it.
template <int width>
struct Vector;
template <>
struct Vector<1> {
  using Type = unsigned char;
};
template <>
struct Vector<2> {
  using Type = unsigned short;
};
template <>
struct Vector<4> {
  using Type = unsigned int;
};
template <>
struct Vector<8> {
  using Type = uint2;
};
template <>
struct Vector<16> {
  using Type = uint4;
};

class DeviceMemory {
 public:
  __device__ DeviceMemory(std::uint8_t* to, const std::uint8_t* from, std::uint8_t* shared)
      : to_(to), from_(from), shared_(shared) {}

  __device__ std::uint32_t to_residue() const {
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(to_));
  }
  __device__ std::uint32_t from_residue() const {
    return static_cast<std::uint32_t>(reinterpret_cast<std::uintptr_t>(from_));
  }

  // Nobody writes the source's bytes while the kernel runs: they may come through the read-only cache.
  template <int width, class Index>
  __device__ Word<width> load(int, std::uint32_t, Index offset) const {
    return as_word<width>(__ldg(reinterpret_cast<const typename Vector<width>::Type*>(from_ + offset)));
  }
  template <int width, class Index>
  __device__ void store(int, std::uint32_t, Index offset, const Word<width>& value) {
    *reinterpret_cast<typename Vector<width>::Type*>(to_ + offset) = as_vector<width>(value);
  }
  template <int width>
  __device__ Word<width> shared_load(int, std::uint32_t, std::uint32_t offset) const {
    return as_word<width>(*reinterpret_cast<const typename Vector<width>::Type*>(shared_ + offset));
  }
  template <int width>
  __device__ void shared_store(int, std::uint32_t, std::uint32_t offset, const Word<width>& value) {
    *reinterpret_cast<typename Vector<width>::Type*>(shared_ + offset) = as_vector<width>(value);
  }

 private:
  template <int width>
  __device__ static Word<width> as_word(const typename Vector<width>::Type& value) {
    if constexpr (width == 4) {
      return {{value}};
    } else if constexpr (width == 8) {
      return {{value.x, value.y}};
    } else if constexpr (width == 16) {
      return {{value.x, value.y, value.z, value.w}};
    } else {
      return {value};
    }
  }
  template <int width>
  __device__ static typename Vector<width>::Type as_vector(const Word<width>& word) {
    if constexpr (width == 4) {
      return word.part[0];
    } else if constexpr (width == 8) {
      return {word.part[0], word.part[1]};
    } else if constexpr (width == 16) {
      return {word.part[0], word.part[1], word.part[2], word.part[3]};
    } else {
      return word.bits;
    }
  }

  std::uint8_t* to_;
  const std::uint8_t* from_;
  std::uint8_t* shared_;
};

}  // namespace dlspec::optimized::cuda
