// Copies of contiguous bytes by non-temporal stores of whole cache lines.
#pragma once

#include "runs.h"

namespace dlspec::optimized {
namespace {

// Whole cache lines, with non-temporal stores.
template <class V>
inline void stream_lines(std::byte* to, const std::byte* from, std::int64_t size) {
  for (std::int64_t done = 0; done < size; done += 64) {
    for (std::int64_t i = 0; i < 64; i += V::width) V::stream(to + done + i, load<V>(from + done + i));
  }
}

// Non-temporal stores, but for the ends that do not fill a cache line.
template <class V>
inline void stream_bytes(std::byte* to, const std::byte* from, std::int64_t size) {
  const std::int64_t head = bytes_to_next_line(to);
  if (size < head + 256 && (head != 0 || size < 64)) return copy_bytes<V>(to, from, size);
  copy_bytes<V>(to, from, head);
  const std::int64_t lines = (size - head) / 64 * 64;
  stream_lines<V>(to + head, from + head, lines);
  copy_bytes<V>(to + head + lines, from + head + lines, size - head - lines);
}

// Memory serves several streams faster than one: some cache lines of each in turn.
constexpr std::int64_t interleaved_bytes = 256;

// `size` bytes of each stream, at least a cache line.
template <class V>
inline void stream_interleaved(std::byte* to, std::int64_t to_pitch, const std::byte* from, std::int64_t from_pitch,
                               std::int64_t size) {
  std::int64_t head[streams], lines[streams];
  for (std::int64_t k = 0; k < streams; ++k) {
    head[k] = bytes_to_next_line(to + k * to_pitch);
    lines[k] = (size - head[k]) / 64 * 64;
    copy_bytes<V>(to + k * to_pitch, from + k * from_pitch, head[k]);
  }
  for (std::int64_t at = 0; at < size; at += interleaved_bytes) {
    for (std::int64_t k = 0; k < streams; ++k) {
      const std::int64_t target = k * to_pitch + head[k] + at, source = k * from_pitch + head[k] + at;
      if (lines[k] - at >= interleaved_bytes) {
        stream_lines<V>(to + target, from + source, interleaved_bytes);
      } else if (lines[k] > at) {
        stream_lines<V>(to + target, from + source, lines[k] - at);
      }
    }
  }
  for (std::int64_t k = 0; k < streams; ++k) {
    const std::int64_t done = head[k] + lines[k];
    copy_bytes<V>(to + k * to_pitch + done, from + k * from_pitch + done, size - done);
  }
}

// Copies of several pages: `streams` pages at a time.
template <class V>
inline void stream_pages(std::byte* to, const std::byte* from, std::int64_t size) {
  std::int64_t done = min(bytes_to_next_line(to), size);
  copy_bytes<V>(to, from, done);
  for (; size - done >= streams * page_size; done += streams * page_size)
    stream_interleaved<V>(to + done, page_size, from + done, page_size, page_size);
  stream_bytes<V>(to + done, from + done, size - done);
}

template <class V>
void copy_streaming(const Plan&, const Block& block) noexcept {
  stream_pages<V>(block.to, block.from, block.a);
}

// Short rows end before the hardware prefetcher starts: prefetch those of the next block.
inline void prefetch_next(const Block& block, const std::byte* from, std::int64_t run, std::int64_t pitch) {
  if (block.prefetch_offset == 0 || run > 1024) return;
  for (std::int64_t k = 0; k < streams; ++k) {
    for (std::int64_t i = 0; i < run; i += 64) __builtin_prefetch(from + block.prefetch_offset + k * pitch + i);
  }
}

// Runs of one to four whole lines of either operand: to find the ends of each takes as long as to copy it. Loads that
// cross lines in turn in four streams take twice as long.
constexpr std::int64_t max_short_streamed_run = 256;

inline bool has_short_lines(const Plan& plan, const Block& block) {
  const std::int64_t steps = plan.a.to | plan.b.to | plan.a.from | plan.b.from;
  return plan.geometry.run <= max_short_streamed_run && (plan.geometry.run | steps) % 64 == 0 && is_aligned(block.to);
}

template <class V>
inline void stream_short_runs(const Plan& plan, const Block& block) {
  const std::int64_t run = plan.geometry.run;
  for (std::int64_t j = 0; j < block.b; ++j) {
    std::byte* to = block.to + j * plan.b.to;
    const std::byte* from = block.from + j * plan.b.from;
    if (block.a == streams) prefetch_next(block, from, run, plan.a.from);
    for (std::int64_t k = 0; k < block.a; ++k, to += plan.a.to, from += plan.a.from) stream_lines<V>(to, from, run);
  }
}

// The streams are rows along a, which are on different pages, or parts of the rows along b, if these are.
template <class V>
void runs_streaming(const Plan& plan, const Block& block) noexcept {
  const std::int64_t run = plan.geometry.run, step = plan.b.from < 0 ? -plan.b.from : plan.b.from;
  const std::int64_t part = block.b / streams * step < page_size ? 0 : block.b / streams;
  if ((block.a == streams || part == 0) && has_short_lines(plan, block)) return stream_short_runs<V>(plan, block);
  if (block.a == streams) {
    for (std::int64_t j = 0; j < block.b; ++j) {
      const std::byte* const from = block.from + j * plan.b.from;
      prefetch_next(block, from, run, plan.a.from);
      stream_interleaved<V>(block.to + j * plan.b.to, plan.a.to, from, plan.a.from, run);
    }
    return;
  }
  for (std::int64_t k = 0; k < block.a; ++k) {
    std::byte* const to = block.to + k * plan.a.to;
    const std::byte* const from = block.from + k * plan.a.from;
    for (std::int64_t j = 0; j < part; ++j) {
      stream_interleaved<V>(to + j * plan.b.to, part * plan.b.to, from + j * plan.b.from, part * plan.b.from, run);
    }
    for (std::int64_t j = streams * part; j < block.b; ++j)
      stream_pages<V>(to + j * plan.b.to, from + j * plan.b.from, run);
  }
}

}  // namespace
}  // namespace dlspec::optimized
