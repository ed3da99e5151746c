#include <dlspec/conformance/plan/lone.h>

#include <algorithm>
#include <cstddef>
#include <string_view>
#include <vector>

#include <dlspec/conformance/plan/thorough.h>

namespace dlspec::conformance {
namespace {

std::size_t index_of(const std::vector<std::string>& levels, std::string_view name) {
  return static_cast<std::size_t>(std::find(levels.begin(), levels.end(), name) - levels.begin());
}

bool is_planned(const PathRow& row) {
  return std::any_of(path_rows().begin(), path_rows().end(), [&](const PathRow& each) {
    return each.native == row.native && each.role == row.role && each.variant == row.variant &&
           std::string_view(each.layout) == row.layout && std::string_view(each.dtype) == row.dtype;
  });
}

std::vector<PathRow> make_rows(bool native, Role role) {
  const CoveringModel& model = path_model(native, role);
  std::vector<PathRow> rows;
  for (const std::string_view layout : {"strided", "readonly"}) {
    CoveringRow levels(model.factors.size(), 0);
    levels[0] = index_of(model.factors[0].levels, "float32");
    levels[1] = index_of(model.factors[1].levels, layout);
    for (std::size_t factor = 2; factor < model.factors.size(); ++factor) {
      if (factor == model.tried) continue;
      for (levels[factor] = 1; levels[factor] < model.factors[factor].levels.size(); ++levels[factor]) {
        if (!is_allowed(model, levels)) continue;
        PathRow row = path_of_levels(model, native, role, levels);
        if (!is_planned(row)) rows.push_back(std::move(row));
      }
      levels[factor] = 0;
    }
  }
  return rows;
}

}  // namespace

std::span<const PathRow> lone_rows(bool native, Role role) {
  if (role != Role::producer && role != Role::consumer) return {};
  static const std::vector<PathRow> sides[] = {make_rows(false, Role::producer), make_rows(false, Role::consumer),
                                               make_rows(true, Role::producer), make_rows(true, Role::consumer)};
  return sides[(native ? 2 : 0) + (role == Role::consumer ? 1 : 0)];
}

}  // namespace dlspec::conformance
