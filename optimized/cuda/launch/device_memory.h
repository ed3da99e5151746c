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
      : to_(to), from_(from), shared_(kept(static_cast<std::uint32_t>(__cvta_generic_to_shared(shared)))) {}

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
  // For a line of accesses: the address of an offset, and accesses at distances from it. One instruction multiplies and
  // adds to an address.
  template <class Index>
  __device__ const std::uint8_t* from_line(Index offset) const {
    const std::uint8_t* address = from_ + offset;
    asm("" : "+l"(address));
    return address;
  }
  template <class Index>
  __device__ std::uint8_t* to_line(Index offset) const {
    std::uint8_t* address = to_ + offset;
    asm("" : "+l"(address));
    __builtin_assume(__isGlobal(address));
    return address;
  }
  template <int width>
  __device__ Word<width> load(int, std::uint32_t, const std::uint8_t* line, std::int64_t distance) const {
    return as_word<width>(__ldg(reinterpret_cast<const typename Vector<width>::Type*>(line + distance)));
  }
  template <int width>
  __device__ void store(int, std::uint32_t, std::uint8_t* line, std::int64_t distance, const Word<width>& value) {
    *reinterpret_cast<typename Vector<width>::Type*>(line + distance) = as_vector<width>(value);
  }
  // By 32-bit addresses: from a pointer, the compiler computes where the shared window begins again and again.
  template <int width>
  __device__ Word<width> shared_load(int, std::uint32_t, std::uint32_t offset) const {
    const std::uint32_t at = shared_ + offset;
    if constexpr (width == 1 || width == 2) {
      unsigned short bits;
      if constexpr (width == 1) asm volatile("ld.shared.u8 %0, [%1];" : "=h"(bits) : "r"(at) : "memory");
      if constexpr (width == 2) asm volatile("ld.shared.u16 %0, [%1];" : "=h"(bits) : "r"(at) : "memory");
      return {static_cast<decltype(Word<width>::bits)>(bits)};
    } else {
      Word<width> word;
      std::uint32_t* const part = word.part;
      if constexpr (width == 4) asm volatile("ld.shared.u32 %0, [%1];" : "=r"(part[0]) : "r"(at) : "memory");
      if constexpr (width == 8) {
        asm volatile("ld.shared.v2.u32 {%0, %1}, [%2];" : "=r"(part[0]), "=r"(part[1]) : "r"(at) : "memory");
      }
      if constexpr (width == 16) {
        asm volatile("ld.shared.v4.u32 {%0, %1, %2, %3}, [%4];"
                     : "=r"(part[0]), "=r"(part[1]), "=r"(part[2]), "=r"(part[3])
                     : "r"(at)
                     : "memory");
      }
      return word;
    }
  }
  template <int width>
  __device__ void shared_store(int, std::uint32_t, std::uint32_t offset, const Word<width>& value) {
    const std::uint32_t at = shared_ + offset;
    if constexpr (width == 1) {
      asm volatile("st.shared.u8 [%0], %1;" ::"r"(at), "h"(static_cast<unsigned short>(value.bits)) : "memory");
    } else if constexpr (width == 2) {
      asm volatile("st.shared.u16 [%0], %1;" ::"r"(at), "h"(value.bits) : "memory");
    } else if constexpr (width == 4) {
      asm volatile("st.shared.u32 [%0], %1;" ::"r"(at), "r"(value.part[0]) : "memory");
    } else if constexpr (width == 8) {
      asm volatile("st.shared.v2.u32 [%0], {%1, %2};" ::"r"(at), "r"(value.part[0]), "r"(value.part[1]) : "memory");
    } else {
      asm volatile("st.shared.v4.u32 [%0], {%1, %2, %3, %4};" ::"r"(at), "r"(value.part[0]), "r"(value.part[1]),
                   "r"(value.part[2]), "r"(value.part[3])
                   : "memory");
    }
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
  std::uint32_t shared_;
};

}  // namespace dlspec::optimized::cuda
