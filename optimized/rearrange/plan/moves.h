// The moves of a byte program: which byte of the source's windows goes to which of the destination's.
#pragma once

#include <dlspec/optimized/rearrange/plan/geometry.h>
#include <dlspec/optimized/rearrange/plan/make_program.h>
#include <dlspec/optimized/rearrange/plan/program.h>

namespace dlspec::optimized {

// Finds windows and moves of this cell. False when there are too many.
[[nodiscard]] bool find_moves(const Geometry& geometry, const Cell& cell, Program& program) noexcept;

}  // namespace dlspec::optimized
