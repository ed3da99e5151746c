// The engine without vector instructions: what every machine has, and what the others are measured by.
#include <cstring>

#include <dlspec/optimized/rearrange/cpu/kernels.h>

namespace dlspec::optimized {
namespace {

template <std::size_t size>
void move(std::byte* to, const std::byte* from) {
  std::byte item[size];
  std::memcpy(item, from, size);
  std::memcpy(to, item, size);
}

void copy(const Plan&, const Block& block) noexcept {
  std::memcpy(block.to, block.from, static_cast<std::size_t>(block.a));
}

void runs(const Plan& plan, const Block& block) noexcept {
  const auto run = static_cast<std::size_t>(plan.geometry.run);
  for (std::int64_t j = 0; j < block.b; ++j) {
    std::memcpy(block.to + j * plan.b.to, block.from + j * plan.b.from, run);
  }
}

template <std::size_t size>
void fill(const Plan& plan, const Block& block) noexcept {
  for (std::int64_t j = 0; j < block.b; ++j) {
    std::byte item[size];
    std::memcpy(item, block.from + j * plan.b.from, size);
    std::byte* const to = block.to + j * plan.b.to;
    for (std::int64_t i = 0; i < block.a; ++i) std::memcpy(to + i * static_cast<std::int64_t>(size), item, size);
  }
}

// For transposes too: a block is small enough for the first-level cache.
template <std::size_t size>
void strided(const Plan& plan, const Block& block) noexcept {
  for (std::int64_t j = 0; j < block.b; ++j) {
    std::byte* to = block.to + j * plan.b.to;
    const std::byte* from = block.from + j * plan.b.from;
    for (std::int64_t i = 0; i < block.a; ++i) move<size>(to + i * plan.a.to, from + i * plan.a.from);
  }
}

void strided_any(const Plan& plan, const Block& block) noexcept {
  const auto run = static_cast<std::size_t>(plan.geometry.run);
  for (std::int64_t j = 0; j < block.b; ++j) {
    for (std::int64_t i = 0; i < block.a; ++i) {
      std::memcpy(block.to + j * plan.b.to + i * plan.a.to, block.from + j * plan.b.from + i * plan.a.from, run);
    }
  }
}

}  // namespace

const Kernels scalar_kernels = {
    .copy = copy,
    .copy_streaming = nullptr,
    .runs = runs,
    .runs_streaming = nullptr,
    .program = nullptr,
    .fill = {fill<1>, fill<2>, fill<4>, fill<8>, fill<16>},
    .transpose = {strided<1>, strided<2>, strided<4>, strided<8>, strided<16>},
    .transpose_streaming = {},
    .strided = {strided<1>, strided<2>, strided<4>, strided<8>, strided<16>},
    .strided_any = strided_any,
};

}  // namespace dlspec::optimized
