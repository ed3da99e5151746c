#include <dlspec/conformance/plan/lone.h>

#include <cstddef>
#include <set>
#include <string_view>
#include <utility>
#include <vector>

#include <dlspec/conformance/plan/side_rows.h>
#include <dlspec/conformance/plan/thorough.h>

namespace dlspec::conformance {
namespace {

std::vector<PathRow> make_rows(bool native, Role role) {
  const CoveringModel& model = path_model(native, role);
  std::vector<PathRow> rows;
  for (const char* layout : {"strided", "readonly"}) {
    std::set<std::string_view> planned;
    for (const PathRow& row : path_rows()) {
      if (row.native == native && row.role == role && row.layout == std::string_view(layout) &&
          row.dtype == std::string_view("float32"))
        planned.insert(row.variant);
    }
    CoveringRow levels = covering_row(model, {native, role, "float32", layout, "path:ordinary"});
    for (std::size_t factor = 2; factor < model.factors.size(); ++factor) {
      if (factor == model.tried) continue;
      for (levels[factor] = 1; levels[factor] < model.factors[factor].levels.size(); ++levels[factor]) {
        if (!is_allowed(model, levels)) continue;
        PathRow row = path_of_levels(model, native, role, levels);
        if (!planned.contains(row.variant)) rows.push_back(std::move(row));
      }
      levels[factor] = 0;
    }
  }
  return rows;
}

}  // namespace

std::span<const PathRow> lone_rows(bool native, Role role) {
  static SideRows rows(make_rows);
  return rows.of(native, role);
}

}  // namespace dlspec::conformance
