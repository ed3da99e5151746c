// Fills: rows of one element each.
#pragma once

#include "runs.h"

namespace dlspec::optimized {
namespace {

// A vector full of the element.
template <class V, std::int64_t size>
[[gnu::always_inline]] inline Vector<V> broadcast(const std::byte* from) {
  if constexpr (size <= 8) {
    typename UnsignedOf<size>::Type element;
    __builtin_memcpy(&element, from, sizeof element);
    return reinterpret_cast<Vector<V>>(typename VectorOf<V::width, size>::Type{} + element);
  } else {
    alignas(V::width) std::byte elements[V::width];
    for (std::int64_t i = 0; i < V::width; i += size) __builtin_memcpy(elements + i, from, size);
    return load<V>(elements);
  }
}

// Rows with less than a line between them. PREFETCHW saves a tenth of their time in L3 and a third in memory: stores
// alone, which wait for their cache lines, start the hardware prefetcher late.
template <class V, std::int64_t size>
inline void fill_ahead(const Plan& plan, const Block& block) {
  const std::int64_t bytes = block.a * size, to_step = plan.b.to, from_step = plan.b.from;
  std::byte* to = block.to;
  const std::byte* from = block.from;
  for (std::int64_t left = block.b; left > 0; --left, to += to_step, from += from_step) {
    const Vector<V> elements = broadcast<V, size>(from);
    std::int64_t done = 0;
    for (; done + 64 <= bytes; done += 64) {
      __builtin_prefetch(to + done + prefetch_ahead, 1);
      for (std::int64_t i = 0; i < 64; i += V::width) store(to + done + i, elements);
    }
    for (; done + V::width < bytes; done += V::width) store(to + done, elements);
    if (done < bytes) store(to + bytes - V::width, elements);
  }
}

// Rows of up to four vectors of 64 bytes, by aligned halves between the first and the last: vectors would all cross
// lines, which takes half as long again. False where elements cross halves.
constexpr std::int64_t max_row_in_halves = 256;  // bytes

template <class V, std::int64_t size>
bool fill_in_halves(const Plan& plan, const Block& block) {
  constexpr std::int64_t half = V::width / 2;
  const std::int64_t bytes = block.a * size, to_step = plan.b.to, from_step = plan.b.from;
  std::byte* to = block.to;
  const std::byte* from = block.from;
  if (reinterpret_cast<std::uintptr_t>(to) % size != 0 || to_step % size != 0) return false;
  for (std::int64_t left = block.b; left > 0; --left, to += to_step, from += from_step) {
    const Vector<V> elements = broadcast<V, size>(from);
    typename VectorOf<half, 8>::Type some;
    __builtin_memcpy(&some, &elements, half);
    std::int64_t done = half - static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(to) % half);
    store(to, some);
    for (; done + half < bytes; done += half) store(to + done, some);
    store(to + bytes - half, some);
  }
  return true;
}

#if defined(__x86_64__)
constexpr std::int64_t min_string_fill = std::int64_t{1} << 14;  // bytes of a row: REP STOSQ takes 13 ns to begin

// Long rows by REP STOSQ from their first cache line on, whose words repeat the elements from some byte of one on. Not
// inlined: fills of rows of 40 bytes take 1.4 times as long beside it.
template <class V, std::int64_t size>
[[gnu::noinline]] void fill_by_string(const Plan& plan, const Block& block) {
  const std::int64_t bytes = block.a * size, to_step = plan.b.to, from_step = plan.b.from;
  std::byte* to = block.to;
  const std::byte* from = block.from;
  for (std::int64_t left = block.b; left > 0; --left, to += to_step, from += from_step) {
    const Vector<V> elements = broadcast<V, size>(from);
    const std::int64_t head = bytes_to_next_line(to);
    std::byte repeated[V::width];
    store(repeated, elements);
    const auto word = load_as<std::uint64_t>(repeated + head % size);
    for (std::int64_t done = 0; done < head; done += V::width) store(to + done, elements);
    std::byte* words = to + head;
    std::int64_t count = (bytes - head) / 8;
    asm volatile("rep stosq" : "+D"(words), "+c"(count) : "a"(word) : "memory");
    store(to + bytes - V::width, elements);
  }
}
#endif

template <class V, std::int64_t size>
void fill(const Plan& plan, const Block& block) noexcept {
  const std::int64_t bytes = block.a * size, to_step = plan.b.to, from_step = plan.b.from;  // no store aliases these
  const bool are_close = block.b == 1 || (to_step >= bytes && to_step < bytes + 64);
  if (plan.prefetching && plan.geometry.bytes > l2_payload && bytes >= min_prefetched_run && are_close)
    return fill_ahead<V, size>(plan, block);
#if defined(__x86_64__)
  if constexpr (size <= 8) {
    if (plan.by_string && bytes >= min_string_fill) return fill_by_string<V, size>(plan, block);
  }
#endif
  if constexpr (V::width == 64) {
    if (plan.aligning && bytes > 64 && bytes <= max_row_in_halves && fill_in_halves<V, size>(plan, block)) return;
  }
  std::byte* to = block.to;
  const std::byte* from = block.from;
  for (std::int64_t left = block.b; left > 0; --left, to += to_step, from += from_step) {
    if (bytes < V::width) {
      for (std::int64_t i = 0; i < bytes; i += size) copy_element<size>(to + i, from);
      continue;
    }
    const Vector<V> elements = broadcast<V, size>(from);
    for (std::int64_t done = 0; done + V::width < bytes; done += V::width) store(to + done, elements);
    store(to + bytes - V::width, elements);
  }
}

constexpr std::int64_t min_streamed_fill = 256;  // bytes of a row

// Whole cache lines with non-temporal stores, where elements do not cross lines; the ends overlap those.
template <class V, std::int64_t size>
void fill_streaming(const Plan& plan, const Block& block) noexcept {
  const std::int64_t bytes = block.a * size;
  for (std::int64_t j = 0; j < block.b; ++j) {
    std::byte* const to = block.to + j * plan.b.to;
    const std::byte* const from = block.from + j * plan.b.from;
    const std::int64_t head = bytes_to_next_line(to);
    if (bytes < min_streamed_fill || head % size != 0) {
      fill<V, size>(plan, {to, from, block.a, 1, 0, 0});
      continue;
    }
    const Vector<V> elements = broadcast<V, size>(from);
    const std::int64_t end = head + (bytes - head) / 64 * 64;
    for (std::int64_t done = 0; done < head; done += V::width) store(to + done, elements);
    for (std::int64_t done = head; done < end; done += V::width) V::stream(to + done, elements);
    for (std::int64_t left = 64; left > 0 && end < bytes; left -= V::width) store(to + bytes - left, elements);
  }
}

}  // namespace
}  // namespace dlspec::optimized
