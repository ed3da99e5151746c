// The ids of the plan's cases against the golden list case_ids.txt: baselines name cases, so that none may change its
// id or disappear. With the environment variable DLSPEC_UPDATE_GOLDEN set, new ids are written into the list.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <dlspec/conformance/plan/plan.h>

namespace dlspec::conformance {
namespace {

// "python producer/float32/c/plain", in the order of the plan.
std::vector<std::string> planned() {
  std::vector<std::string> lines;
  for (const SubjectKind kind : {SubjectKind::python, SubjectKind::plugin}) {
    Selection selection;
    selection.kind = kind;
    for (const Case& work : make_plan(selection)) {
      lines.push_back((kind == SubjectKind::python ? "python " : "native ") + work.id);
    }
  }
  for (const SubjectKind kind : {SubjectKind::python, SubjectKind::plugin}) {
    Selection selection = everywhere({}).back();
    selection.kind = kind;
    for (const Case& work : make_plan(selection)) {
      lines.push_back((kind == SubjectKind::python ? "device " : "native device ") + work.id);
    }
  }
  return lines;
}

std::vector<std::string> golden() {
  std::ifstream file(DLSPEC_GOLDEN_CASES);
  std::vector<std::string> lines;
  for (std::string line; std::getline(file, line);) {
    if (!line.empty() && line.front() != '#') lines.push_back(line);
  }
  return lines;
}

void update_golden(const std::vector<std::string>& now) {
  const std::set<std::string> found(now.begin(), now.end());
  const std::vector<std::string> old = golden();
  if (!std::all_of(old.begin(), old.end(), [&](const std::string& line) { return found.contains(line); })) return;
  std::ofstream file(DLSPEC_GOLDEN_CASES);
  file << "# The ids of all cases, in the order of the plan. DLSPEC_UPDATE_GOLDEN=1 writes it.\n";
  for (const std::string& line : now) file << line << "\n";
}

TEST(CaseIds, AreTheGoldenOnes) {
  const std::vector<std::string> now = planned();
  if (std::getenv("DLSPEC_UPDATE_GOLDEN") != nullptr) update_golden(now);
  const std::vector<std::string> kept = golden();
  const std::set<std::string> is_kept(kept.begin(), kept.end()), is_planned(now.begin(), now.end());
  for (const std::string& line : now) {
    EXPECT_TRUE(is_kept.contains(line)) << "new: " << line << "; DLSPEC_UPDATE_GOLDEN=1 adds it";
  }
  for (const std::string& line : kept) {
    EXPECT_TRUE(is_planned.contains(line)) << "missing: " << line << "; baselines may name it";
  }
  if (is_kept == is_planned) {
    EXPECT_EQ(now, kept) << "in another order";
  }
}

TEST(CaseIds, AreThoseOfAnyPlugIn) {
  Selection plugin, builtin;
  plugin.kind = SubjectKind::plugin;
  builtin.kind = SubjectKind::builtin;
  const std::vector<Case> one = make_plan(plugin), other = make_plan(builtin);
  ASSERT_EQ(one.size(), other.size());
  for (std::size_t i = 0; i < one.size(); ++i) EXPECT_EQ(one[i].id, other[i].id);
}

}  // namespace
}  // namespace dlspec::conformance
