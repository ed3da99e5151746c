#include <dlspec/conformance/plan/covering.h>

#include <gtest/gtest.h>

namespace dlspec::conformance {
namespace {

CoveringModel model_of(std::vector<std::size_t> sizes) {
  CoveringModel model;
  for (std::size_t factor = 0; factor < sizes.size(); ++factor) {
    model.factors.push_back({"f" + std::to_string(factor), {}});
    for (std::size_t level = 0; level < sizes[factor]; ++level) {
      model.factors.back().levels.push_back(std::to_string(level));
    }
  }
  model.allows = [](std::size_t, std::size_t, std::size_t, std::size_t) { return true; };
  return model;
}

TEST(Covering, PairsMeetInFewRows) {
  const CoveringModel model = model_of({4, 3, 3, 2, 2});
  EXPECT_EQ(missing_combinations(model, {}).size(), 12u + 12 + 8 + 8 + 9 + 6 + 6 + 6 + 6 + 4);
  const std::vector<CoveringRow> rows = rows_to_add(model, {});
  EXPECT_TRUE(missing_combinations(model, rows).empty());
  EXPECT_GE(rows.size(), 12u);  // the two largest factors
  EXPECT_LE(rows.size(), 16u);  // all combinations are 144
  EXPECT_EQ(rows_to_add(model, {}), rows);
  EXPECT_TRUE(rows_to_add(model, rows).empty());
}

TEST(Covering, TriplesMeetWhereTheyAreWanted) {
  CoveringModel model = model_of({3, 3, 3, 2});
  model.triples = {{2, 0, 1}};
  const std::vector<CoveringRow> rows = rows_to_add(model, {});
  EXPECT_TRUE(missing_combinations(model, rows).empty());
  EXPECT_GE(rows.size(), 27u);
}

TEST(Covering, ExcludedLevelsNeverMeet) {
  CoveringModel model = model_of({3, 3, 2});
  model.allows = [](std::size_t f, std::size_t a, std::size_t g, std::size_t b) {
    const bool excluded = (f == 0 && a == 1 && g == 1 && b > 0) || (g == 0 && b == 1 && f == 1 && a > 0);
    return !excluded;
  };
  const std::vector<CoveringRow> rows = rows_to_add(model, {});
  for (const CoveringRow& row : rows) EXPECT_TRUE(is_allowed(model, row));
  EXPECT_TRUE(missing_combinations(model, rows).empty());
  EXPECT_FALSE(is_allowed(model, {1, 1, 0}));
  EXPECT_FALSE(is_allowed(model, {0, 0}));
  EXPECT_FALSE(is_allowed(model, {0, 0, 2}));
}

TEST(Covering, WhatIsTriedHasOneCircumstanceAtATime) {
  CoveringModel model = model_of({3, 4, 3, 3, 4});
  model.tried = 4;
  model.is_circumstance = [](std::size_t factor, std::size_t level) { return factor > 1 && level > 0; };
  const std::vector<CoveringRow> rows = rows_to_add(model, {});
  EXPECT_TRUE(missing_combinations(model, rows).empty());
  for (const CoveringRow& row : rows) {
    EXPECT_TRUE(row[4] == 0 || row[2] == 0 || row[3] == 0);
    EXPECT_TRUE(is_allowed(model, row));
  }
  EXPECT_FALSE(is_allowed(model, {0, 0, 1, 1, 1}));
  EXPECT_TRUE(is_allowed(model, {1, 1, 1, 1, 0}));
}

TEST(Covering, FrozenRowsStayAndOnlyNewOnesAreAdded) {
  const CoveringModel before = model_of({3, 3, 2});
  const std::vector<CoveringRow> frozen = rows_to_add(before, {});
  const CoveringModel after = model_of({3, 4, 2});
  const std::vector<CoveringRow> added = rows_to_add(after, frozen);
  for (const CoveringRow& row : added) EXPECT_EQ(row[1], 3u);
  std::vector<CoveringRow> all = frozen;
  all.insert(all.end(), added.begin(), added.end());
  EXPECT_TRUE(missing_combinations(after, all).empty());
}

TEST(Covering, WhatIsMissingIsNamed) {
  const CoveringModel model = model_of({2, 2});
  EXPECT_EQ(missing_combinations(model, {{0, 0}, {1, 0}, {0, 1}}), (std::vector<std::string>{"f0=1 with f1=1"}));
}

}  // namespace
}  // namespace dlspec::conformance
