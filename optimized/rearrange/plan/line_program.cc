#include <dlspec/optimized/rearrange/plan/make_program.h>

#include <dlspec/optimized/rearrange/plan/numbers.h>

namespace dlspec::optimized {
namespace {

constexpr auto vector = static_cast<std::int64_t>(program_width);
constexpr std::int64_t least_cells = 4;  // of a row; with fewer, what is left over would count

// Where the source has the bytes of a line of the destination, line after line.
class Line {
 public:
  explicit Line(const Step& axis, std::int64_t run) : axis_(axis), run_(run) {}

  void read() {
    for (std::int64_t& place : places_) {
      place = item_ + byte_;
      if (++byte_ < run_) continue;
      byte_ = 0;
      item_ += axis_.from;
    }
  }

  // The two windows that the bytes come from: the one begins with the lowest, the other ends with the highest. False
  // when these are too far apart.
  [[nodiscard]] bool find_pair(Window* pair) const {
    std::int64_t low = places_[0], high = low;
    for (const std::int64_t place : places_) {
      low = lesser(low, place);
      high = greater(high, place);
    }
    if (high - low >= 2 * vector) return false;
    pair[0] = {low, 0, 0};
    pair[1] = {high - low < vector ? low : high - (vector - 1), 0, 0};
    return true;
  }

  // The first `part` bytes belong to the smaller cell, too.
  void move(Window* pair, Window& to, Move& move, std::int64_t part) const {
    for (std::int64_t i = 0; i < vector; ++i) {
      const std::size_t side = places_[i] - pair[0].offset < vector ? 0 : 1;
      const std::int64_t at = places_[i] - pair[side].offset;
      move.index[i] = static_cast<std::uint8_t>(at + (side == 0 ? 0 : vector));
      pair[side].bytes |= std::uint64_t{1} << at;
      if (i >= part) continue;
      pair[side].part |= std::uint64_t{1} << at;
      to.part |= std::uint64_t{1} << i;
    }
    if (pair[1].bytes == 0) pair[1] = pair[0];  // which has them all
  }

 private:
  const Step axis_;
  const std::int64_t run_;
  std::int64_t item_ = 0, byte_ = 0;  // the next byte's item, and which of its bytes it is
  std::int64_t places_[vector];
};

}  // namespace

bool make_line_program(const Geometry& geometry, Cell& cell, Program& program) noexcept {
  if (geometry.rank == 0 || geometry.run >= vector || geometry.axes[0].to != geometry.run) return false;
  const Step& axis = geometry.axes[0];
  const std::int64_t run = geometry.run, common = lesser(run & -run, vector), items = vector / common,
                     lines = run / common;
  if (lines == 1 || lines > most_lines || axis.extent / items < least_cells || magnitude(axis.from) > 2 * vector)
    return false;
  for (std::size_t i = 0; i < geometry.rank; ++i) cell.items[i] = 1;
  cell.along = 0;
  cell.items[0] = items;
  program.regular = false;
  program.lines = true;
  program.destinations = static_cast<std::size_t>(lines);
  program.sources = 2 * program.destinations;
  const std::int64_t part = axis.extent % items * run;
  Line line(axis, run);
  for (std::size_t d = 0; d < program.destinations; ++d) {
    Window* const pair = program.source + 2 * d;
    const std::int64_t first = static_cast<std::int64_t>(d) * vector;
    line.read();
    if (!line.find_pair(pair)) return false;
    program.destination[d] = {first, ~std::uint64_t{0}, 0};
    program.first_move[d] = d;
    program.moves[d].mask = ~std::uint64_t{0};
    program.moves[d].sources = d;
    line.move(pair, program.destination[d], program.moves[d], part - first);
  }
  program.first_move[program.destinations] = program.destinations;
  count_cells(geometry, cell, program);
  return true;
}

}  // namespace dlspec::optimized
