#include <dlspec/conformance/plan/paths.h>

#include <algorithm>
#include <array>
#include <map>
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
struct TriedRow {
  Role role;
  std::string_view factor, layouts;
};
constexpr TriedRow tried_rows[] = {
#define DLSPEC_TRIED(role, factor, layouts) {Role::role, factor, layouts},
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

// Whether a stimulus is tried with this dtype or layout: one that is tried with the default is tried with all, and one
// that is tried with a read-only array is tried with read-only arrays of all layouts.
bool has_place(Role role, std::string_view stimulus, const Factor& factor, std::size_t level) {
  bool with_default = false, with_level = false;
  for (const Variant& variant : variants()) {
    if (variant.role != role || stimulus != variant.name) continue;
    for (const char* name : factor.name == "dtype" ? variant.dtypes : variant.layouts) {
      with_default = with_default || factor.levels.front() == name || std::string_view("readonly") == name;
      with_level = with_level || factor.levels[level] == name;
    }
  }
  return with_default || with_level;
}

bool fits_stimulus(const std::vector<Factor>& factors, Role role, std::size_t f, std::size_t a, std::size_t g,
                   std::size_t b) {
  const bool is_place = factors[g].name == "dtype" || factors[g].name == "layout";
  if (factors[f].name != "stimulus" || a == 0 || !is_place) return true;
  return has_place(role, factors[f].levels[a], factors[g], b);
}

// Which levels may meet, looked up often: by the places of two levels in the list of all levels of all factors.
struct Allowed {
  std::vector<std::size_t> begin;  // of a factor in that list
  std::size_t count = 0;
  std::vector<bool> table;
  [[nodiscard]] bool operator()(std::size_t f, std::size_t a, std::size_t g, std::size_t b) const {
    return table[(begin[f] + a) * count + begin[g] + b];
  }
};

Allowed allowed_levels(const std::vector<Factor>& factors, Role role) {
  Allowed allowed;
  for (const Factor& factor : factors) {
    allowed.begin.push_back(allowed.count);
    allowed.count += factor.levels.size();
  }
  allowed.table.assign(allowed.count * allowed.count, true);
  for (std::size_t f = 0; f < factors.size(); ++f) {
    for (std::size_t g = 0; g < factors.size(); ++g) {
      for (std::size_t a = 0; f != g && a < factors[f].levels.size(); ++a) {
        for (std::size_t b = 0; b < factors[g].levels.size(); ++b) {
          allowed.table[(allowed.begin[f] + a) * allowed.count + allowed.begin[g] + b] =
              allows(factors, role, f, a, g, b) && fits_stimulus(factors, role, f, a, g, b) &&
              fits_stimulus(factors, role, g, b, f, a);
        }
      }
    }
  }
  return allowed;
}

void set_tried(CoveringModel& model, const TriedRow& row) {
  model.tried = index_of(model.factors, row.factor);
  model.is_circumstance = [layout = model.factors[1], &row](std::size_t factor, std::size_t level) {
    if (factor == 1) return glob_match(row.layouts, layout.levels[level]);
    return factor > 1 && level > 0;
  };
}

// The named levels of "path:copy=true+before=refusal"; every other factor has its default.
bool set_levels(const CoveringModel& model, std::string_view variant, CoveringRow& row) {
  for (const std::string_view word : path_levels(variant)) {
    const std::size_t factor = index_of(model.factors, word.substr(0, word.find('=')));
    if (factor == model.factors.size()) return false;
    const std::vector<std::string>& levels = model.factors[factor].levels;
    const auto level = std::find(levels.begin(), levels.end(), word.substr(word.find('=') + 1));
    if (level == levels.end()) return false;
    row[factor] = static_cast<std::size_t>(level - levels.begin());
  }
  return true;
}

// As it stands in path_rows.def: thousands of rows, which a compiler lays out as constants.
struct FrozenRow {
  std::string_view kind;
  Role role;
  const char *dtype, *layout, *levels;
};
constexpr FrozenRow frozen_rows[] = {
#define DLSPEC_PATH(kind, role, dtype, layout, levels) {#kind, Role::role, dtype, layout, levels},
#include <dlspec/conformance/plan/path_rows.def>
#undef DLSPEC_PATH
};

std::vector<PathRow> make_rows() {
  std::vector<PathRow> rows;
  for (const FrozenRow& row : frozen_rows) {
    rows.push_back({row.kind == "native", row.role, row.dtype, row.layout, std::string("path:") + row.levels});
  }
  return rows;
}

}  // namespace

std::span<const PathRow> path_rows() {
  static const std::vector<PathRow> table = make_rows();
  return table;
}

std::vector<std::string_view> path_levels(std::string_view variant) {
  constexpr std::string_view prefix = "path:";
  std::vector<std::string_view> levels;
  if (!variant.starts_with(prefix)) return levels;
  variant.remove_prefix(prefix.size());
  while (!variant.empty()) {
    const std::string_view level = variant.substr(0, variant.find('+'));
    variant.remove_prefix(std::min(variant.size(), level.size() + 1));
    if (level != "ordinary") levels.push_back(level);
  }
  return levels;
}

bool is_exchange_path(std::string_view variant) { return variant.starts_with("path:") && stimulus_of(variant).empty(); }

std::string_view stimulus_of(std::string_view variant) {
  constexpr std::string_view factor = "stimulus=";
  const std::size_t begin = variant.find(factor);
  if (!variant.starts_with("path:") || begin == std::string_view::npos) return {};
  variant.remove_prefix(begin + factor.size());
  return variant.substr(0, variant.find('+'));
}

const Variant& path_variant(const PathRow& row) {
  const std::string_view name = stimulus_of(row.variant);
  const auto table = variants();
  const auto found = std::find_if(table.begin(), table.end(), [&](const Variant& each) {
    return each.role == row.role && name == each.name && is_for(each.kinds, row.native);
  });
  return found != table.end() ? *found : path_variant(row.native, row.role);
}

namespace {

CoveringModel make_model(bool native, Role role) {
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
  for (const TriedRow& row : tried_rows) {
    if (row.role == role && index_of(model.factors, row.factor) < model.factors.size()) set_tried(model, row);
  }
  model.allows = allowed_levels(model.factors, role);
  model.is_hollow = [layout = model.factors[1]](std::size_t factor, std::size_t level) {
    return factor == 1 && layout.levels[level].starts_with("empty");
  };
  return model;
}

}  // namespace

const CoveringModel& path_model(bool native, Role role) {
  static std::map<std::pair<bool, Role>, CoveringModel> models;
  const auto found = models.find({native, role});
  if (found != models.end()) return found->second;
  return models.emplace(std::pair(native, role), make_model(native, role)).first->second;
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
