// The loops that lead a kernel from block to block.
#pragma once

#include <cstdint>

#include <dlspec/optimized/rearrange/plan/plan.h>

namespace dlspec::optimized {

// Fills in loops, depth and blocks of a plan of which the rest stands: loops over the blocks of a and b, and along
// every axis whose bit is not in `done`, because the kernel does it.
void make_loops(Plan& plan, std::uint64_t done) noexcept;

}  // namespace dlspec::optimized
