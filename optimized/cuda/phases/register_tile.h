// Transposes in the registers of each thread: a thread reads `side` words along the source's rows and writes `side`
// words along the destination's. A warp covers whole 32-byte sectors on both sides, so that no shared memory is needed.
#pragma once

#include <dlspec/optimized/cuda/phases/walk.h>

namespace dlspec::optimized::cuda {

// Bytes per access: the eight rows of 16 single bytes would take too many registers.
template <int width>
inline constexpr int tile_word = width == 1 ? 8 : 16;

// out[j] has element j of each of in[0], in[1], ...
template <int width>
struct Transposer {
  static constexpr int side = tile_word<width> / width;
  static constexpr int parts = width / 4;  // of an element
  using Line = Word<tile_word<width>>;

  DLSPEC_PHASE static void run(const Line (&in)[side], Line (&out)[side]) {
    DLSPEC_UNROLL
    for (int i = 0; i < side; ++i) {
      DLSPEC_UNROLL
      for (int j = 0; j < side; ++j) {
        DLSPEC_UNROLL
        for (int k = 0; k < parts; ++k) out[j].part[i * parts + k] = in[i].part[j * parts + k];
      }
    }
  }
};

template <>
struct Transposer<2> {
  static constexpr int side = 8;
  using Line = Word<16>;

  DLSPEC_PHASE static void run(const Line (&in)[side], Line (&out)[side]) {
    DLSPEC_UNROLL
    for (int j = 0; j < side; ++j) {
      DLSPEC_UNROLL
      for (int i = 0; i < side; i += 2) {
        out[j].part[i / 2] = byte_permute(in[i].part[j / 2], in[i + 1].part[j / 2], j % 2 == 0 ? 0x5410 : 0x7632);
      }
    }
  }
};

template <>
struct Transposer<1> {
  static constexpr int side = 8;
  using Line = Word<8>;

  // In squares of 4 by 4 bytes: pairs of rows are interleaved, then pairs of these.
  DLSPEC_PHASE static void run(const Line (&in)[side], Line (&out)[side]) {
    DLSPEC_UNROLL
    for (int i = 0; i < side; i += 4) {
      DLSPEC_UNROLL
      for (int j = 0; j < side; j += 4) {
        const std::uint32_t low01 = byte_permute(in[i].part[j / 4], in[i + 1].part[j / 4], 0x5140);
        const std::uint32_t low23 = byte_permute(in[i + 2].part[j / 4], in[i + 3].part[j / 4], 0x5140);
        const std::uint32_t high01 = byte_permute(in[i].part[j / 4], in[i + 1].part[j / 4], 0x7362);
        const std::uint32_t high23 = byte_permute(in[i + 2].part[j / 4], in[i + 3].part[j / 4], 0x7362);
        out[j].part[i / 4] = byte_permute(low01, low23, 0x5410);
        out[j + 1].part[i / 4] = byte_permute(low01, low23, 0x7632);
        out[j + 2].part[i / 4] = byte_permute(high01, high23, 0x5410);
        out[j + 3].part[i / 4] = byte_permute(high01, high23, 0x7632);
      }
    }
  }
};

template <class Index, int width>
struct RegisterTileKernel : KernelTraits<Index, 1> {
  static constexpr int word = tile_word<width>;
  static constexpr int side = word / width;

  // Coordinate 0 counts elements along the rows of the destination, coordinate 1 those along the source's.
  template <int phase, class Memory>
  DLSPEC_PHASE static void run(Memory& memory, const Context& context, const CudaPlan& plan) {
    const std::uint32_t lane = context.thread & 31, warp = context.thread >> 5;
    const std::uint32_t lanes = lane >> plan.lanes_b, warps = warp & ((1u << plan.warps_a) - 1);
    const std::uint32_t a = (warps << plan.lanes_a | lanes) * side;
    const std::uint32_t b = (warp >> plan.warps_a << plan.lanes_b | (lane & ((1u << plan.lanes_b) - 1))) * side;
    const Box<Index> box = locate_box<Index>(plan, context.block);
    if (a >= box.count[0] || b >= box.count[1]) return;
    const auto from_row = static_cast<Index>(plan.load.axes[0].from),
               to_row = static_cast<Index>(plan.store.axes[0].to);
    const Index from = box.from + static_cast<Index>(a) * from_row + static_cast<Index>(b) * width;
    const Index to = box.to + static_cast<Index>(b) * to_row + static_cast<Index>(a) * width;
    Word<word> in[side], out[side];
    DLSPEC_UNROLL
    for (int i = 0; i < side; ++i) {
      in[i] = memory.template load<word>(0, static_cast<std::uint32_t>(i), from + static_cast<Index>(i) * from_row);
    }
    Transposer<width>::run(in, out);
    DLSPEC_UNROLL
    for (int i = 0; i < side; ++i) {
      memory.template store<word>(1, static_cast<std::uint32_t>(i), to + static_cast<Index>(i) * to_row, out[i]);
    }
  }
};

}  // namespace dlspec::optimized::cuda
