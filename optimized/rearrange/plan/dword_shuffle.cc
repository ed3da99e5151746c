#include <dlspec/optimized/rearrange/plan/dword_shuffle.h>

#include <cstddef>
#include <cstdint>

namespace dlspec::optimized {
namespace {

constexpr std::size_t dword_size = 4;  // bytes

std::uint64_t dword_mask_of(std::uint64_t bytes) {
  std::uint64_t dwords = 0;
  for (std::size_t i = 0; i < window_width / dword_size; ++i) dwords |= (bytes >> (dword_size * i) & 1) << i;
  return dwords;
}

}  // namespace

bool has_dword_granularity(const Geometry& geometry) noexcept {
  std::int64_t strides = geometry.run;
  for (std::size_t i = 0; i < geometry.rank; ++i) strides |= geometry.axes[i].to | geometry.axes[i].from;
  return strides % static_cast<std::int64_t>(dword_size) == 0;
}

void convert_to_dwords(ByteShuffle& shuffle) noexcept {
  for (std::size_t s = 0; s < shuffle.sources; ++s) shuffle.source[s].mask = dword_mask_of(shuffle.source[s].mask);
  for (std::size_t d = 0; d < shuffle.destinations; ++d) {
    shuffle.destination[d].mask = dword_mask_of(shuffle.destination[d].mask);
  }
  const std::size_t step_count = shuffle.first_step[shuffle.destinations];
  for (std::size_t m = 0; m < step_count; ++m) {
    ShuffleStep& step = shuffle.steps[m];
    step.mask = dword_mask_of(step.mask);
    std::uint32_t index[window_width / dword_size];
    for (std::size_t i = 0; i < window_width / dword_size; ++i) {
      index[i] = (step.mask >> i & 1) != 0 ? step.index[dword_size * i] / std::uint32_t{dword_size} : 0;
    }
    __builtin_memcpy(step.index, index, sizeof index);
  }
}

}  // namespace dlspec::optimized
