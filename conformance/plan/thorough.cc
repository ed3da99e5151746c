#include <dlspec/conformance/plan/thorough.h>

#include <algorithm>
#include <set>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include <dlspec/conformance/core/hash.h>
#include <dlspec/conformance/plan/contents.h>
#include <dlspec/conformance/plan/drawn.h>
#include <dlspec/conformance/plan/drawn_dtypes.h>
#include <dlspec/conformance/plan/side_rows.h>

namespace dlspec::conformance {
namespace {

constexpr std::size_t first_factor = 2;  // after dtype and layout

// Names that live as long as the program, as those of the tables do.
const char* dtype_name(std::string_view name) {
  for (const PlanNames* names : {&full_dtypes(), &narrow_dtypes()}) {
    for (const char* each : *names) {
      if (name == each) return each;
    }
  }
  return nullptr;
}

std::size_t stimulus_factor(const CoveringModel& model) { return model.tried.value_or(model.factors.size()); }

// Whether this level fits those that were chosen for the factors in front of it.
bool fits(const CoveringModel& model, const CoveringRow& row, std::size_t factor, std::size_t level) {
  for (std::size_t other = 0; other < factor; ++other) {
    if (!model.allows(factor, level, other, row[other])) return false;
  }
  return true;
}

bool is_allowed_pairwise(const CoveringModel& model, const CoveringRow& row) {
  for (std::size_t factor = 1; factor < row.size(); ++factor) {
    if (!fits(model, row, factor, row[factor])) return false;
  }
  return true;
}

// Rows that no plan has had so far.
class Rows {
 public:
  Rows(const CoveringModel& model, bool native, Role role) : model_(model), native_(native), role_(role) {
    for (const PathRow& row : path_rows()) {
      if (row.native == native && row.role == role) seen_.insert(covering_row(model, row));
    }
  }
  void add(const CoveringRow& row) {
    if (seen_.insert(row).second) made_.push_back(path_of_levels(model_, native_, role_, row));
  }
  [[nodiscard]] std::vector<PathRow> take() { return std::move(made_); }

 private:
  const CoveringModel& model_;
  bool native_;
  Role role_;
  std::set<CoveringRow> seen_;
  std::vector<PathRow> made_;
};

// For each dtype and layout as many rows as the longest other factor has levels. Each factor goes through its levels,
// from a place that differs by dtype and layout: so every level of it meets every dtype with every layout, and levels
// of two other factors meet in ever other pairs.
void add_exchanges(const CoveringModel& model, Rows& rows) {
  const std::size_t stimulus = stimulus_factor(model);
  std::size_t rounds = 1;
  for (std::size_t factor = first_factor; factor < model.factors.size(); ++factor) {
    if (factor != stimulus) rounds = std::max(rounds, model.factors[factor].levels.size());
  }
  for (std::size_t dtype = 0; dtype < model.factors[0].levels.size(); ++dtype) {
    for (std::size_t layout = 0; layout < model.factors[1].levels.size(); ++layout) {
      if (!model.allows(0, dtype, 1, layout)) continue;
      for (std::size_t round = 0; round < rounds; ++round) {
        CoveringRow row(model.factors.size(), 0);
        row[0] = dtype;
        row[1] = layout;
        for (std::size_t factor = first_factor; factor < row.size(); ++factor) {
          if (factor == stimulus) continue;
          const std::size_t count = model.factors[factor].levels.size();
          const std::string place =
              model.factors[0].levels[dtype] + "/" + model.factors[1].levels[layout] + "/" + model.factors[factor].name;
          const std::size_t start = fnv1a(place) / 7 % count;
          for (std::size_t i = 0; i < count; ++i) {
            row[factor] = (start + round + i) % count;
            if (fits(model, row, factor, row[factor])) break;
          }
        }
        if (is_allowed_pairwise(model, row)) rows.add(row);
      }
    }
  }
}

// Every stimulus under every two circumstances.
void add_stimuli(const CoveringModel& model, Rows& rows) {
  const std::size_t stimulus = stimulus_factor(model);
  if (stimulus == model.factors.size()) return;
  CoveringRow row(model.factors.size(), 0);
  for (std::size_t f = 0; f < row.size(); ++f) {
    for (std::size_t g = f + 1; g < row.size(); ++g) {
      if (f == stimulus || g == stimulus) continue;
      for (row[stimulus] = 1; row[stimulus] < model.factors[stimulus].levels.size(); ++row[stimulus]) {
        for (row[f] = 1; row[f] < model.factors[f].levels.size(); ++row[f]) {
          for (row[g] = 1; row[g] < model.factors[g].levels.size(); ++row[g]) {
            if (is_allowed_pairwise(model, row)) rows.add(row);
          }
        }
      }
      row[f] = row[g] = 0;
    }
  }
}

std::vector<PathRow> make_rows(bool native, Role role) {
  const CoveringModel& model = path_model(native, role);
  Rows rows(model, native, role);
  add_exchanges(model, rows);
  add_stimuli(model, rows);
  return rows.take();
}

}  // namespace

PathRow path_of_levels(const CoveringModel& model, bool native, Role role, const CoveringRow& row) {
  PathRow path{native, role, dtype_name(model.factors[0].levels[row[0]]),
               find_layout(model.factors[1].levels[row[1]])->name, "path:"};
  for (std::size_t factor = first_factor; factor < row.size(); ++factor) {
    if (row[factor] == 0) continue;
    if (path.variant.back() != ':') path.variant += '+';
    path.variant += model.factors[factor].name + "=" + model.factors[factor].levels[row[factor]];
  }
  if (path.variant.back() == ':') path.variant += "ordinary";
  return path;
}

std::span<const PathRow> thorough_rows(bool native, Role role) {
  static SideRows rows(make_rows);
  return rows.of(native, role);
}

std::optional<PathRow> path_of_id(bool native, std::string_view case_id) {
  std::string_view parts[3];
  for (std::string_view& part : parts) {
    const std::size_t slash = case_id.find('/');
    if (slash == std::string_view::npos) return std::nullopt;
    part = case_id.substr(0, slash);
    case_id.remove_prefix(slash + 1);
  }
  const std::optional<Role> role = parse_role(parts[0]);
  const LayoutRow* const layout = find_layout(parts[2]);
  const char* const known = dtype_name(parts[1]);
  const char* const dtype = known != nullptr ? known : find_drawn_dtype(parts[1]);
  if (!role || layout == nullptr || dtype == nullptr || !case_id.starts_with("path:")) return std::nullopt;
  const CoveringModel& model = path_model(native, *role);
  PathRow row{native, *role, table_dtype(dtype), table_layout(*layout), std::string(case_id)};
  const CoveringRow levels = covering_row(model, row);
  if (levels.empty() || !is_allowed_pairwise(model, levels)) return std::nullopt;
  row.dtype = dtype;
  row.layout = layout->name;
  return row;
}

}  // namespace dlspec::conformance
