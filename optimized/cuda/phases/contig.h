// One run of bytes, 16 bytes per access. Where the two sides are aligned differently, each word of the destination is
// put together from two aligned words of the source, the second of which the next thread reads as its first.
#pragma once

#include <dlspec/optimized/cuda/phases/walk.h>

namespace dlspec::optimized::cuda {

// One word per thread: blocks of 4 KB are as fast as the driver's copy; with several words per thread 4 % are lost.
template <class Index>
struct ContigKernel : KernelTraits<Index, 1> {
  static constexpr Index word = 16;

  template <int phase, class Memory>
  DLSPEC_PHASE static void run(Memory& memory, const Context& context, const CudaPlan& plan) {
    const auto bytes = static_cast<Index>(plan.bytes);
    const auto head = static_cast<Index>((16 - memory.to_residue()) & 15);
    if (context.block == 0) copy_ends(memory, context, bytes, head);
    const Index number =
        static_cast<Index>(context.block) * static_cast<Index>(plan.threads) + static_cast<Index>(context.thread);
    const Index at = head + number * word;
    if (at + word <= bytes) memory.template store<16>(10, 0, at, load(memory, at, bytes));
  }

 private:
  // The bytes before the first aligned word of the destination and after the last: thread t copies the t-th of each.
  template <class Memory>
  DLSPEC_PHASE static void copy_ends(Memory& memory, const Context& context, Index bytes, Index head) {
    const auto thread = static_cast<Index>(context.thread);
    if (thread >= word) return;
    if (thread < head && thread < bytes) memory.template store<1>(1, 0, thread, memory.template load<1>(0, 0, thread));
    if (bytes <= head) return;
    const Index tail = head + (bytes - head) / word * word + thread;
    if (tail < bytes) memory.template store<1>(3, 0, tail, memory.template load<1>(2, 0, tail));
  }

  template <class Memory>
  DLSPEC_PHASE static Word<16> load(Memory& memory, Index at, Index bytes) {
    const std::uint32_t ahead = (memory.from_residue() + static_cast<std::uint32_t>(at)) & 15;
    if (ahead == 0) return memory.template load<16>(4, 0, at);
    const Index aligned = at - static_cast<Index>(ahead);
    if (aligned < 0 || aligned + 2 * word > bytes) return load_bytes(memory, at);
    const Word<16> first = memory.template load<16>(5, 0, aligned);
    const Word<16> second = memory.template load<16>(6, 0, aligned + word);
    return shifted(first, second, ahead);
  }

  // The 16 bytes that begin `ahead` bytes after the first word does.
  DLSPEC_PHASE static Word<16> shifted(const Word<16>& first, const Word<16>& second, std::uint32_t ahead) {
    std::uint32_t parts[8];
    DLSPEC_UNROLL
    for (int i = 0; i < 4; ++i) {
      parts[i] = first.part[i];
      parts[i + 4] = second.part[i];
    }
    // By whole parts, then by bytes; the loops have constant indices, so that everything stays in registers.
    DLSPEC_UNROLL
    for (int i = 0; i < 6; ++i) parts[i] = (ahead & 8) != 0 ? parts[i + 2] : parts[i];
    DLSPEC_UNROLL
    for (int i = 0; i < 5; ++i) parts[i] = (ahead & 4) != 0 ? parts[i + 1] : parts[i];
    Word<16> result;
    DLSPEC_UNROLL
    for (int i = 0; i < 4; ++i) result.part[i] = byte_permute(parts[i], parts[i + 1], 0x3210 + 0x1111 * (ahead & 3));
    return result;
  }

  // Near the ends, where an aligned word would leave the source.
  template <class Memory>
  DLSPEC_PHASE static Word<16> load_bytes(Memory& memory, Index at) {
    Word<16> result{};
    DLSPEC_UNROLL
    for (std::uint32_t i = 0; i < 16; ++i) {
      const std::uint32_t bits = memory.template load<1>(7, i, at + static_cast<Index>(i)).bits;
      result.part[i / 4] |= bits << 8 * (i % 4);
    }
    return result;
  }
};

}  // namespace dlspec::optimized::cuda
