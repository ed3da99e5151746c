// The rows of path_rows.def against the factors of paths.def. With the environment variable DLSPEC_UPDATE_GOLDEN set,
// the rows that are missing are appended.
#include <dlspec/conformance/plan/paths.h>

#include <cstdlib>
#include <fstream>
#include <set>

#include <gtest/gtest.h>

#include <dlspec/conformance/plan/path_sides.h>

namespace dlspec::conformance {
namespace {

// Plug-ins meet a stimulus with other arrays in the cases of variants.def, too.
void add_variants(const CoveringModel& model, PathSide side, std::vector<CoveringRow>& rows) {
  for (const Variant& variant : variants()) {
    if (!side.native || variant.role != side.role || !is_native(variant.kinds)) continue;
    for (const char* dtype : variant.dtypes) {
      for (const char* layout : variant.layouts) {
        const PathRow row{true, side.role, dtype, layout, std::string("path:stimulus=") + variant.name};
        const CoveringRow levels = covering_row(model, row);
        if (is_allowed(model, levels)) rows.push_back(levels);
      }
    }
  }
}

std::vector<CoveringRow> rows_of(const CoveringModel& model, PathSide side) {
  std::vector<CoveringRow> rows;
  for (const PathRow& row : path_rows()) {
    if (row.native == side.native && row.role == side.role) rows.push_back(covering_row(model, row));
  }
  add_variants(model, side, rows);
  return rows;
}

// The levels that meet in no row, for each side.
std::vector<std::string> missing_of(PathSide side) {
  const CoveringModel& model = path_model(side.native, side.role);
  return missing_combinations(model, rows_of(model, side));
}

void append_missing() {
  std::ofstream file(DLSPEC_GOLDEN_PATHS, std::ios::app);
  for (const PathSide side : path_sides) {
    const CoveringModel& model = path_model(side.native, side.role);
    for (const CoveringRow& row : rows_to_add(model, rows_of(model, side))) {
      file << path_row_text(model, row, side.native, side.role);
    }
  }
}

TEST(Paths, EveryRowIsOneOfTheModel) {
  std::set<std::string> seen;
  for (const PathRow& row : path_rows()) {
    const CoveringModel& model = path_model(row.native, row.role);
    const std::string place = std::string(row.dtype) + "/" + row.layout + "/" + row.variant;
    EXPECT_TRUE(is_allowed(model, covering_row(model, row))) << place;
    EXPECT_TRUE(seen.insert((row.native ? "native " : "python ") + std::string(role_name(row.role)) + place).second)
        << place << " occurs twice";
  }
}

TEST(Paths, EveryTwoLevelsMeet) {
  if (std::getenv("DLSPEC_UPDATE_GOLDEN") != nullptr) {
    append_missing();
    GTEST_SKIP() << "rows were appended to path_rows.def: build again";
  }
  for (const PathSide side : path_sides) {
    for (const std::string& missing : missing_of(side)) {
      ADD_FAILURE() << (side.native ? "native " : "python ") << role_name(side.role) << ": no case has " << missing;
    }
  }
}

TEST(Paths, AMissingRowIsNamed) {
  const CoveringModel& model = path_model(false, Role::producer);
  std::vector<CoveringRow> rows = rows_of(model, path_sides[0]);
  ASSERT_FALSE(rows.empty());
  std::erase_if(rows, [&](const CoveringRow& row) { return row[0] == 1 && row[1] == 1; });
  const std::vector<std::string> missing = missing_combinations(model, rows);
  ASSERT_FALSE(missing.empty());
  EXPECT_EQ(missing.front(), "dtype=" + model.factors[0].levels[1] + " with layout=" + model.factors[1].levels[1]);
}

}  // namespace
}  // namespace dlspec::conformance
