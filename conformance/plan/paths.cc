#include <dlspec/conformance/plan/paths.h>

#include <algorithm>
#include <array>
#include <utility>

#include <fmt/format.h>

#include <dlspec/conformance/plan/contents.h>
#include <dlspec/vocabulary/rules.h>

namespace dlspec::conformance {
namespace {

// A row of DLSPEC_FACTOR, DLSPEC_LEVEL, DLSPEC_EXCLUDED or DLSPEC_TRIPLE.
struct FactorRow {
  Kinds kinds;
  Role role;
  std::string_view factor;
};
struct LevelRow {
  Kinds kinds;
  Role role;
  std::string_view factor, level;
};
struct ExcludedRow {
  Role role;
  std::string_view factor, levels, other, other_levels;
};
struct TripleRow {
  Kinds kinds;
  Role role;
  std::array<std::string_view, 3> factors;
};

constexpr FactorRow factor_rows[] = {
#define DLSPEC_FACTOR(kinds, role, factor) {Kinds::kinds, Role::role, factor},
#include <dlspec/conformance/plan/paths.def>
};
constexpr LevelRow level_rows[] = {
#define DLSPEC_LEVEL(kinds, role, factor, level) {Kinds::kinds, Role::role, factor, level},
#include <dlspec/conformance/plan/paths.def>
};
constexpr ExcludedRow excluded_rows[] = {
#define DLSPEC_EXCLUDED(role, factor, levels, other, other_levels, reason) \
  {Role::role, factor, levels, other, other_levels},
#include <dlspec/conformance/plan/paths.def>
};
constexpr TripleRow triple_rows[] = {
#define DLSPEC_TRIPLE(kinds, role, first, second, third) {Kinds::kinds, Role::role, {first, second, third}},
#include <dlspec/conformance/plan/paths.def>
};

bool is_for(Kinds kinds, bool native) { return kinds == Kinds::both || (kinds == Kinds::native) == native; }

bool is_excluded(const Factor& factor, std::size_t level, std::string_view levels) {
  return levels == "*" ? level != 0 : glob_match(levels, factor.levels[level]);
}

// The default comes first.
Factor dtype_factor() {
  Factor factor{"dtype", {"float32"}};
  for (const PlanNames* names : {&full_dtypes(), &narrow_dtypes()}) {
    for (const char* name : *names) {
      if (factor.levels.front() != name) factor.levels.emplace_back(name);
    }
  }
  return factor;
}

Factor layout_factor() {
  Factor factor{"layout", {}};
  for (const LayoutRow& row : layouts()) factor.levels.emplace_back(row.name);
  return factor;
}

std::size_t index_of(const std::vector<Factor>& factors, std::string_view name) {
  const auto found =
      std::find_if(factors.begin(), factors.end(), [&](const Factor& each) { return each.name == name; });
  return static_cast<std::size_t>(found - factors.begin());
}

bool allows(const std::vector<Factor>& factors, Role role, std::size_t f, std::size_t a, std::size_t g, std::size_t b) {
  return std::none_of(std::begin(excluded_rows), std::end(excluded_rows), [&](const ExcludedRow& row) {
    if (row.role != role) return false;
    const auto matches = [&](std::size_t first, std::size_t level, std::size_t second, std::size_t other) {
      return factors[first].name == row.factor && factors[second].name == row.other &&
             is_excluded(factors[first], level, row.levels) && is_excluded(factors[second], other, row.other_levels);
    };
    return matches(f, a, g, b) || matches(g, b, f, a);
  });
}

// The named levels of "path:copy=true+before=refusal"; every other factor has its default.
bool set_levels(const CoveringModel& model, std::string_view variant, CoveringRow& row) {
  variant.remove_prefix(std::min(variant.size(), std::string_view("path:").size()));
  if (variant == "ordinary") return true;
  while (!variant.empty()) {
    const std::string_view word = variant.substr(0, variant.find('+'));
    variant.remove_prefix(std::min(variant.size(), word.size() + 1));
    const std::size_t factor = index_of(model.factors, word.substr(0, word.find('=')));
    if (factor == model.factors.size()) return false;
    const std::vector<std::string>& levels = model.factors[factor].levels;
    const auto level = std::find(levels.begin(), levels.end(), word.substr(word.find('=') + 1));
    if (level == levels.end()) return false;
    row[factor] = static_cast<std::size_t>(level - levels.begin());
  }
  return true;
}

std::vector<PathRow> make_rows() {
#define DLSPEC_PATH(kind, role, dtype, layout, levels) \
  PathRow{Kinds::kind == Kinds::native, Role::role, dtype, layout, std::string("path:") + (levels)},
  return {
#include <dlspec/conformance/plan/path_rows.def>
  };
#undef DLSPEC_PATH
}

}  // namespace

std::span<const PathRow> path_rows() {
  static const std::vector<PathRow> table = make_rows();
  return table;
}

CoveringModel path_model(bool native, Role role) {
  CoveringModel model;
  model.factors = {dtype_factor(), layout_factor()};
  for (const FactorRow& row : factor_rows) {
    if (row.role == role && is_for(row.kinds, native)) model.factors.push_back({std::string(row.factor), {}});
  }
  for (const LevelRow& row : level_rows) {
    const std::size_t factor = index_of(model.factors, row.factor);
    if (row.role != role || !is_for(row.kinds, native) || factor == model.factors.size()) continue;
    model.factors[factor].levels.emplace_back(row.level);
  }
  for (const TripleRow& row : triple_rows) {
    if (row.role != role || !is_for(row.kinds, native)) continue;
    model.triples.push_back({index_of(model.factors, row.factors[0]), index_of(model.factors, row.factors[1]),
                             index_of(model.factors, row.factors[2])});
  }
  model.allows = [factors = model.factors, role](std::size_t f, std::size_t a, std::size_t g, std::size_t b) {
    return allows(factors, role, f, a, g, b);
  };
  return model;
}

CoveringRow covering_row(const CoveringModel& model, const PathRow& row) {
  CoveringRow levels(model.factors.size(), 0);
  const std::string dtype_and_layout = fmt::format("path:dtype={}+layout={}", row.dtype, row.layout);
  if (!set_levels(model, dtype_and_layout, levels) || !set_levels(model, row.variant, levels)) return {};
  return levels;
}

std::string path_row_text(const CoveringModel& model, const CoveringRow& row, bool native, Role role) {
  constexpr std::size_t longest = 90;  // of a literal, so that a line has at most 120 columns
  std::string levels, line;
  for (std::size_t factor = 2; factor < row.size(); ++factor) {
    if (row[factor] == 0) continue;
    const std::string word = fmt::format("{}{}={}", levels.empty() && line.empty() ? "" : "+",
                                         model.factors[factor].name, model.factors[factor].levels[row[factor]]);
    if (line.size() + word.size() > longest) levels += std::exchange(line, "") + "\"\n            \"";
    line += word;
  }
  levels += line;
  return fmt::format("DLSPEC_PATH({}, {}, \"{}\", \"{}\",\n            \"{}\")\n", native ? "native" : "python",
                     role_name(role), model.factors[0].levels[row[0]], model.factors[1].levels[row[1]],
                     levels.empty() ? "ordinary" : levels);
}

}  // namespace dlspec::conformance
