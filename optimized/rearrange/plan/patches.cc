#include <dlspec/optimized/rearrange/plan/patches.h>

#include <dlspec/optimized/rearrange/plan/windows.h>

namespace dlspec::optimized {
namespace {

constexpr auto vector = static_cast<std::int64_t>(program_width);

std::int64_t steps_in_vector(std::int64_t step) {
  step = magnitude(step);
  return step == 0 ? vector : step >= vector ? 1 : vector / step;
}

Side side_of(std::int64_t run, std::int64_t items, std::int64_t step, std::int64_t rows, std::int64_t row_step) {
  const std::int64_t last = (items - 1) * step, last_row = (rows - 1) * row_step;
  Side side{lesser(0, last) + lesser(0, last_row), greater(0, last) + greater(0, last_row), 0};
  if (side.high - side.low > vector - run) return side;
  side.bytes = comb(comb(bits_of(0, run), step, items), row_step, rows);
  return side;
}

// No step is as long as a vector.
Patch patch_of(std::int64_t run, const Step& row, const Step& rows) {
  return {row, rows, side_of(run, row.extent, row.to, rows.extent, rows.to),
          side_of(run, row.extent, row.from, rows.extent, rows.from)};
}

}  // namespace

void find_patches(const Geometry& geometry, const std::int64_t* items, Patches& patches) noexcept {
  patches.row_axis = patches.rows_axis = highest_rank;
  Step row{1, 0, 0};
  std::int64_t most = 2, closest = vector;
  for (std::size_t i = 0; i < geometry.rank; ++i) {
    const Step& axis = geometry.axes[i];
    const std::int64_t together = lesser(steps_in_vector(axis.to), steps_in_vector(axis.from));
    // A row that is not cut is worth twice as many items.
    const std::int64_t worth = together >= items[i] ? 2 * items[i] : together;
    if (worth > most) patches.row_axis = i, row = {items[i], axis.to, axis.from}, most = worth;
  }
  patches.row = patches.patch = patch_of(geometry.run, row, {1, 0, 0});
  for (std::size_t i = 0; i < geometry.rank; ++i) {
    const Step& axis = geometry.axes[i];
    const std::int64_t step = greater(magnitude(axis.to), magnitude(axis.from));
    if (i == patches.row_axis || items[i] == 1 || step >= closest) continue;
    const Patch patch = patch_of(geometry.run, row, {items[i], axis.to, axis.from});
    if (patch.to.bytes == 0 || patch.from.bytes == 0) continue;
    patches.patch = patch, patches.rows_axis = i, closest = step;
  }
}

}  // namespace dlspec::optimized
