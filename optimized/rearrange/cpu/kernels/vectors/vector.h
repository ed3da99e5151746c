// Vectors of any engine. Its instruction set is a type, V, of which the kernels are templates:
//
//   V::width, V::lanes              bytes and 128-bit lanes of a vector
//   V::stream(to, vector)           non-temporal store, where the processor has one; `to` is a multiple of the width
//   V::join_lanes(load)             the lanes load(0), load(1), ..., assembled by the load ports, which leaves the
//                                   shuffle port free
//   V::lane<i>(vector)              one of them
//   V::transpose_lane_grid(rows)    V::lanes vectors, transposed as a matrix of lanes
//   V::masks_elements_of(size)      true if it has masks, and the three below, for elements of so many bytes
//   V::first_bytes(count)           the mask of the first bytes of a vector
//   V::load(from, mask)             the bytes of the mask, and zeros
//   V::store(to, vector, mask)      the bytes of the mask alone
//
// All else is the compiler's generic vectors. The unnamed namespace gives each engine's source functions of its own: of
// one definition that is compiled for several instruction sets the linker could keep any.
#pragma once

#include <cstddef>
#include <cstdint>

namespace dlspec::optimized {
namespace {

template <std::int64_t size>
struct UnsignedOf;
template <>
struct UnsignedOf<1> {
  using Type = std::uint8_t;
};
template <>
struct UnsignedOf<2> {
  using Type = std::uint16_t;
};
template <>
struct UnsignedOf<4> {
  using Type = std::uint32_t;
};
template <>
struct UnsignedOf<8> {
  using Type = std::uint64_t;
};

// `width` bytes of elements of `size` bytes.
template <std::int64_t width, std::int64_t size>
struct VectorOf {
  typedef typename UnsignedOf<size>::Type Type __attribute__((vector_size(width)));
};
template <class V>
using Vector = typename VectorOf<V::width, 8>::Type;

// A lane: 16 bytes, which every processor moves at once.
using Lane = VectorOf<16, 8>::Type;

template <class Bytes>
[[gnu::always_inline]] inline Bytes load_as(const std::byte* from) {
  Bytes bytes;
  __builtin_memcpy(&bytes, from, sizeof bytes);
  return bytes;
}
template <class V>
[[gnu::always_inline]] inline Vector<V> load(const std::byte* from) {
  return load_as<Vector<V>>(from);
}
[[gnu::always_inline]] inline Lane load_lane(const std::byte* from) { return load_as<Lane>(from); }
template <class Bytes>
[[gnu::always_inline]] inline void store(std::byte* to, const Bytes& bytes) {
  __builtin_memcpy(to, &bytes, sizeof bytes);
}
template <class V, std::int64_t lane>
[[gnu::always_inline]] inline void store_lane(std::byte* to, const Vector<V>& vector) {
  store(to, V::template lane<lane>(vector));
}

// The numbers 0 to count - 1 as constants.
template <std::int64_t... indices>
struct Indices {};
template <std::int64_t count, std::int64_t... indices>
struct MakeIndices : MakeIndices<count - 1, count - 1, indices...> {};
template <std::int64_t... indices>
struct MakeIndices<0, indices...> {
  using Type = Indices<indices...>;
};
template <std::int64_t count>
using IndicesUpTo = typename MakeIndices<count>::Type;

// Calls visit with each number as a constant: a loop that is always unrolled, so that arrays become registers.
template <class Visit, std::int64_t... indices>
[[gnu::always_inline]] inline void unroll_indices(const Visit& visit, Indices<indices...>) {
  (visit.template operator()<indices>(), ...);
}
template <std::int64_t count, class Visit>
[[gnu::always_inline]] inline void unroll(const Visit& visit) {
  unroll_indices(visit, IndicesUpTo<count>{});
}

// Within each lane, interleaves the lower (high = 0) or upper (high = 1) halves of a and b.
template <class V, std::int64_t size, std::int64_t high, std::int64_t... indices>
[[gnu::always_inline]] inline Vector<V> zip(const Vector<V>& a, const Vector<V>& b, Indices<indices...>) {
  using Elements = typename VectorOf<V::width, size>::Type;
  constexpr std::int64_t lane_elements = 16 / size, all = V::width / size;
  return reinterpret_cast<Vector<V>>(
      __builtin_shufflevector(reinterpret_cast<Elements>(a), reinterpret_cast<Elements>(b),
                              (indices / lane_elements * lane_elements + high * lane_elements / 2 +
                               indices % lane_elements / 2 + (indices % 2) * all)...));
}

// `16 / size` vectors, transposed within each lane.
template <class V, std::int64_t size>
[[gnu::always_inline]] inline void transpose_in_lanes(Vector<V>* rows) {
  constexpr std::int64_t count = 16 / size;
  for (std::int64_t stage = 1; stage < count; stage *= 2) {
    Vector<V> next[count];
    unroll<count / 2>([&]<std::int64_t i>() __attribute__((always_inline)) {
      next[2 * i] = zip<V, size, 0>(rows[i], rows[i + count / 2], IndicesUpTo<V::width / size>{});
      next[2 * i + 1] = zip<V, size, 1>(rows[i], rows[i + count / 2], IndicesUpTo<V::width / size>{});
    });
    unroll<count>([&]<std::int64_t i>() __attribute__((always_inline)) { rows[i] = next[i]; });
  }
}

}  // namespace
}  // namespace dlspec::optimized
