// Tiles of transposes whose sides are several short axes: which places of the source become a row of the destination,
// and where the rows lie, is looked up in tables.
#pragma once

#include <cstddef>
#include <cstdint>

#include <dlspec/optimized/rearrange/plan/geometry.h>

namespace dlspec::optimized {

inline constexpr std::int64_t longest_side =
    64;  // places: as many as the longest vector has, and some tiles of larger items

// A side consists of whole axes and, outside of them, of some items of one that is cut: with n of these, of
// n * inner places. Place i of the destination's side comes from the source row at from[i]; row j of the destination,
// which comes from place j of the source's side, lies at to[j].
struct Weave {
  std::int64_t inner_a = 1;
  std::int64_t inner_b = 1;
  std::int64_t from_start = 0;  // from the first run of a tile to the source's lowest place
  std::int64_t to_start = 0;
  std::int64_t from[longest_side];
  std::int64_t to[longest_side];
};

// Axes that are whole in a tile, and those that are cut: highest_rank for none, else with so many items.
struct Sides {
  std::uint64_t whole = 0;
  std::size_t axis_a = highest_rank;
  std::size_t axis_b = highest_rank;
  std::int64_t items_a = 1;
  std::int64_t items_b = 1;
};

// Of at most `side` places each way; of whole axes only unless it `cuts` one on each side. False when an axis would be
// on both sides, or none on one.
[[nodiscard]] bool make_weave(const Geometry& geometry, std::int64_t side, bool cuts, Sides& sides,
                              Weave& weave) noexcept;

}  // namespace dlspec::optimized
