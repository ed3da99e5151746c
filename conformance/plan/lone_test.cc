#include <dlspec/conformance/plan/lone.h>

#include <algorithm>
#include <string>

#include <gtest/gtest.h>

#include <dlspec/conformance/plan/path_sides.h>
#include <dlspec/conformance/plan/plan.h>

namespace dlspec::conformance {
namespace {

TEST(Lone, EveryLevelIsTriedAloneOnAReadOnlyArray) {
  for (const PathSide side : path_sides) {
    const CoveringModel& model = path_model(side.native, side.role);
    Selection selection;
    selection.kind = side.native ? SubjectKind::plugin : SubjectKind::python;
    selection.roles = {side.role};
    const std::vector<Case> plan = make_plan(selection);
    CoveringRow levels = covering_row(model, {side.native, side.role, "float32", "readonly", "path:ordinary"});
    for (std::size_t factor = 2; factor < model.factors.size(); ++factor) {
      if (factor == model.tried) continue;
      for (levels[factor] = 1; levels[factor] < model.factors[factor].levels.size(); ++levels[factor]) {
        const std::string variant =
            "path:" + model.factors[factor].name + "=" + model.factors[factor].levels[levels[factor]];
        const bool is_planned = std::any_of(plan.begin(), plan.end(), [&](const Case& work) {
          return work.variant == variant && work.layout == "readonly" && work.dtype == "float32";
        });
        EXPECT_EQ(is_planned, is_allowed(model, levels)) << variant;
      }
      levels[factor] = 0;
    }
  }
}

TEST(Lone, NoPathIsPlannedTwice) {
  for (const PathSide side : path_sides) {
    Selection selection;
    selection.kind = side.native ? SubjectKind::plugin : SubjectKind::python;
    selection.roles = {side.role};
    std::vector<std::string> ids;
    for (const Case& work : make_plan(selection)) ids.push_back(work.id);
    std::sort(ids.begin(), ids.end());
    const auto twice = std::adjacent_find(ids.begin(), ids.end());
    EXPECT_EQ(twice, ids.end()) << *twice;
  }
}

}  // namespace
}  // namespace dlspec::conformance
