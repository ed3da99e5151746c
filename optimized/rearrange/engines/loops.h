// The loop nest around a kernel.
#pragma once

#include <cstdint>

#include <dlspec/optimized/rearrange/plan/plan.h>

namespace dlspec::optimized {

// Sets loops, depth and blocks of an otherwise complete plan: loops over the blocks of a and b, and along every axis
// whose bit is not in `done` because the kernel handles it.
void make_loops(Plan& plan, std::uint64_t done) noexcept;

}  // namespace dlspec::optimized
