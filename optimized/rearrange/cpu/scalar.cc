// The engine without vector instructions, which runs everywhere.
#include <dlspec/optimized/rearrange/cpu/kernel_tables.h>

#include "kernels/elements.h"

namespace dlspec::optimized {
namespace {

void copy(const Plan&, const Block& block) noexcept {
  __builtin_memcpy(block.to, block.from, static_cast<std::size_t>(block.a));
}

void runs(const Plan& plan, const Block& block) noexcept {
  const auto run = static_cast<std::size_t>(plan.geometry.run);
  for (std::int64_t j = 0; j < block.b; ++j) {
    __builtin_memcpy(block.to + j * plan.b.to, block.from + j * plan.b.from, run);
  }
}

template <std::int64_t size>
void fill(const Plan& plan, const Block& block) noexcept {
  for (std::int64_t j = 0; j < block.b; ++j) {
    RawBytes<size> element;
    __builtin_memcpy(&element, block.from + j * plan.b.from, sizeof element);
    std::byte* const to = block.to + j * plan.b.to;
    for (std::int64_t i = 0; i < block.a; ++i) __builtin_memcpy(to + i * size, &element, sizeof element);
  }
}

}  // namespace

// A block of a transpose fits L1, so that the order of its elements does not matter.
const Kernels scalar_kernels = {
    .copy = copy,
    .runs = runs,
    .fill = {fill<1>, fill<2>, fill<4>, fill<8>, fill<16>},
    .transpose = {strided<1>, strided<2>, strided<4>, strided<8>, strided<16>},
    .strided = {strided<1>, strided<2>, strided<4>, strided<8>, strided<16>},
    .strided_any = strided_any,
};

}  // namespace dlspec::optimized
