// The paths of a thorough run: which combinations they have, and that a case is found by its id.
#include <dlspec/conformance/plan/thorough.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <dlspec/conformance/core/case.h>
#include <dlspec/conformance/plan/path_sides.h>

namespace dlspec::conformance {
namespace {

std::string id_of(const PathRow& row) {
  return std::string(role_name(row.role)) + "/" + row.dtype + "/" + row.layout + "/" + row.variant;
}

std::vector<CoveringRow> exchanges_of(const CoveringModel& model, PathSide side) {
  std::vector<CoveringRow> rows;
  for (const PathRow& row : path_rows()) {
    if (row.native == side.native && row.role == side.role) rows.push_back(covering_row(model, row));
  }
  for (const PathRow& row : thorough_rows(side.native, side.role)) rows.push_back(covering_row(model, row));
  std::erase_if(rows, [&](const CoveringRow& row) { return row[*model.tried] != 0; });
  return rows;
}

bool fits(const CoveringModel& model, std::array<std::size_t, 3> factors, std::array<std::size_t, 3> levels) {
  return model.allows(factors[0], levels[0], factors[1], levels[1]) &&
         model.allows(factors[0], levels[0], factors[2], levels[2]) &&
         model.allows(factors[1], levels[1], factors[2], levels[2]);
}

// How many three levels of three factors no two of which exclude each other there are, and how many of them meet.
std::pair<std::size_t, std::size_t> triples_of(const CoveringModel& model, const std::vector<CoveringRow>& rows) {
  std::size_t all = 0, met = 0;
  const std::size_t count = model.factors.size() - 1;  // the stimulus is last
  for (std::size_t f = 0; f < count; ++f) {
    for (std::size_t g = f + 1; g < count; ++g) {
      for (std::size_t h = g + 1; h < count; ++h) {
        std::set<std::array<std::size_t, 3>> seen;
        for (const CoveringRow& row : rows) seen.insert({row[f], row[g], row[h]});
        met += seen.size();
        for (std::size_t a = 0; a < model.factors[f].levels.size(); ++a) {
          for (std::size_t b = 0; b < model.factors[g].levels.size(); ++b) {
            for (std::size_t c = 0; c < model.factors[h].levels.size(); ++c) {
              all += fits(model, {f, g, h}, {a, b, c}) ? 1 : 0;
            }
          }
        }
      }
    }
  }
  return {all, met};
}

TEST(Thorough, NearlyEveryThreeLevelsMeet) {
  for (const PathSide side : path_sides) {
    const CoveringModel& model = path_model(side.native, side.role);
    ASSERT_EQ(model.tried, model.factors.size() - 1);
    const auto [all, met] = triples_of(model, exchanges_of(model, side));
    EXPECT_GE(100 * met, 96 * all) << met << " of " << all << (side.native ? " native " : " python ")
                                   << role_name(side.role);
  }
}

TEST(Thorough, EveryRowIsNewAndAllowed) {
  for (const PathSide side : path_sides) {
    std::set<std::string> seen;
    for (const PathRow& row : path_rows()) {
      if (row.native == side.native && row.role == side.role) seen.insert(id_of(row));
    }
    for (const PathRow& row : thorough_rows(side.native, side.role)) {
      EXPECT_TRUE(seen.insert(id_of(row)).second) << id_of(row);
    }
    const PathRow& some = thorough_rows(side.native, side.role)[100];
    const std::optional<PathRow> again = path_of_id(side.native, id_of(some));
    ASSERT_TRUE(again);
    EXPECT_EQ(again->variant, some.variant);
  }
}

TEST(Thorough, ACaseIsFoundByItsId) {
  Selection selection;
  selection.kind = SubjectKind::plugin;
  selection.cases = id_of(thorough_rows(true, Role::producer)[7]);
  const std::vector<Case> plan = make_plan(selection);
  ASSERT_EQ(plan.size(), 1U);
  EXPECT_EQ(plan.front().id, selection.cases);
  EXPECT_FALSE(path_of_id(true, "producer/int4/strided/path:ordinary"));
  EXPECT_FALSE(path_of_id(true, "producer/float32/c/path:before=never"));
  EXPECT_FALSE(path_of_id(true, "producer/float32/c/versioned"));
}

}  // namespace
}  // namespace dlspec::conformance
