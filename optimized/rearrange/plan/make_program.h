// Works out the byte program of a geometry.
#pragma once

#include <cstddef>
#include <cstdint>

#include <dlspec/optimized/rearrange/plan/geometry.h>
#include <dlspec/optimized/rearrange/plan/program.h>

namespace dlspec::optimized {

// How a geometry is cut into the program's cells: `items` of each axis belong to a cell. Along at most one of
// them, `along`, there are more than that: there the cell is repeated (highest_rank: there is only one cell).
struct Cell {
  std::size_t along;
  std::int64_t items[highest_rank];
};

// False when a program does not pay or does not fit: long runs, transposes of two long axes, scattered items.
// Then neither `cell` nor `program` means anything.
[[nodiscard]] bool make_program(const Geometry& geometry, Cell& cell, Program& program) noexcept;

// The same for rows that lie next to each other in the destination and do not fill lines by themselves, in cells that
// do.
[[nodiscard]] bool make_line_program(const Geometry& geometry, Cell& cell, Program& program) noexcept;

// For both: how many cells there are, and which of them are read with care.
void count_cells(const Geometry& geometry, const Cell& cell, Program& program) noexcept;

}  // namespace dlspec::optimized
