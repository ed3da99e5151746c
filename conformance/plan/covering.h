// Covering arrays: few rows in which every two levels of all factors meet, and every three of some.
#pragma once

#include <array>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace dlspec::conformance {

struct Factor {
  std::string name;
  std::vector<std::string> levels;  // the first is the default
};

// One level of each factor, by index.
using CoveringRow = std::vector<std::size_t>;

struct CoveringModel {
  std::vector<Factor> factors;
  std::vector<std::array<std::size_t, 3>> triples;  // factors of which every three levels meet
  // Levels beside which nothing shows, as of a layout without elements: a row with one of them covers the combinations
  // that name it, and no others. Empty: none.
  std::function<bool(std::size_t factor, std::size_t level)> is_hollow;
  // A row with another level of `tried` than its default has at most one level that is_circumstance: two might hide
  // what is tried. None: any number.
  std::optional<std::size_t> tried;
  std::function<bool(std::size_t factor, std::size_t level)> is_circumstance;
  // Whether level `a` of factor `f` may be combined with level `b` of factor `g`; symmetric, f != g.
  std::function<bool(std::size_t f, std::size_t a, std::size_t g, std::size_t b)> allows;
};

// True when the row has a level for each factor, and no two of them exclude each other.
[[nodiscard]] bool is_allowed(const CoveringModel& model, const CoveringRow& row);

// The pairs and triples of levels that are allowed and that no row has, as "copy=true with before=refusal".
[[nodiscard]] std::vector<std::string> missing_combinations(const CoveringModel& model,
                                                            const std::vector<CoveringRow>& rows);

// The rows that are to be added so that nothing is missing. Deterministic: greedy, the first missing combination first,
// then for each factor the level that meets most new partners.
[[nodiscard]] std::vector<CoveringRow> rows_to_add(const CoveringModel& model, const std::vector<CoveringRow>& rows);

}  // namespace dlspec::conformance
