// The ids of rules, questions and mitigations against the golden list ids.txt: a difference names the ids. With the
// environment variable DLSPEC_UPDATE_GOLDEN set, new ids are written into the list; none is ever removed.
#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <dlspec/vocabulary/mitigations.h>
#include <dlspec/vocabulary/questions.h>
#include <dlspec/vocabulary/rules.h>

namespace dlspec {
namespace {

// The ids of one kind ("rule", "question", "mitigation") in ids.txt.
std::vector<std::string> golden_ids(const std::string& kind) {
  std::ifstream file(DLSPEC_GOLDEN_IDS);
  std::vector<std::string> ids;
  for (std::string word, id; file >> word && std::getline(file >> std::ws, id);) {
    if (word == kind) ids.push_back(id);
  }
  return ids;
}

template <class Rows>
std::vector<std::string> ids_of(const Rows& rows) {
  std::vector<std::string> ids;
  for (const auto& row : rows) ids.emplace_back(row.id);
  return ids;
}

void expect_golden(const std::string& kind, const std::vector<std::string>& found) {
  const std::vector<std::string> golden = golden_ids(kind);
  const std::set<std::string> is_golden(golden.begin(), golden.end());
  const std::set<std::string> is_found(found.begin(), found.end());
  for (const std::string& id : found) {
    EXPECT_TRUE(is_golden.contains(id)) << "new: " << kind << " " << id << "; DLSPEC_UPDATE_GOLDEN=1 adds it";
  }
  for (const std::string& id : golden) {
    EXPECT_TRUE(is_found.contains(id)) << "missing: " << kind << " " << id << "; an id is never removed";
  }
  if (is_golden == is_found) {
    EXPECT_EQ(found, golden) << "in another order";
  }
}

bool has_all(const std::vector<std::string>& found, const std::vector<std::string>& golden) {
  const std::set<std::string> is_found(found.begin(), found.end());
  return std::all_of(golden.begin(), golden.end(), [&](const std::string& id) { return is_found.contains(id); });
}

void update_golden() {
  const std::pair<const char*, std::vector<std::string>> kinds[] = {
      {"rule", ids_of(rules())}, {"question", ids_of(questions())}, {"mitigation", ids_of(mitigations())}};
  for (const auto& [kind, ids] : kinds) {
    if (!has_all(ids, golden_ids(kind))) return;
  }
  std::ifstream old(DLSPEC_GOLDEN_IDS);
  std::string text;
  for (std::string line; std::getline(old, line) && line.starts_with('#');) text += line + "\n";
  for (const auto& [kind, ids] : kinds) {
    for (const std::string& id : ids) text += std::string(kind) + " " + id + "\n";
  }
  std::ofstream(DLSPEC_GOLDEN_IDS) << text;
}

TEST(PublicIds, OfRulesAreTheGoldenOnes) {
  if (std::getenv("DLSPEC_UPDATE_GOLDEN") != nullptr) update_golden();
  expect_golden("rule", ids_of(rules()));
}

TEST(PublicIds, OfQuestionsAreTheGoldenOnes) { expect_golden("question", ids_of(questions())); }

TEST(PublicIds, OfMitigationsAreTheGoldenOnes) { expect_golden("mitigation", ids_of(mitigations())); }

}  // namespace
}  // namespace dlspec
