// The words of the published schema and those of this dlspec. core/schemas/schema_test.py validates documents.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <regex>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <dlspec/vocabulary/rules.h>
#include <dlspec/vocabulary/verdict.h>

namespace dlspec::conformance {
namespace {

TEST(Schema, NamesEveryStatusAndLevel) {
  std::ifstream file(std::filesystem::path(__FILE__).parent_path() / "../core/schemas/dlspec-result-2.schema.json");
  const auto schema = nlohmann::json::parse(file, nullptr, false);
  ASSERT_TRUE(schema.is_object());
  std::vector<std::string> statuses;
  for (const Verdict status : all_verdicts) statuses.emplace_back(verdict_name(status));
  EXPECT_EQ(schema["$defs"]["status"]["enum"], nlohmann::json(statuses));
  const auto& levels = schema["$defs"]["level"]["enum"];
  const std::regex form(schema["$defs"]["rule"]["pattern"].get<std::string>());
  for (const Rule& row : rules()) {
    EXPECT_NE(std::find(levels.begin(), levels.end(), level_name(row.level)), levels.end()) << row.id;
    EXPECT_TRUE(std::regex_search(row.id, form)) << row.id;
  }
}

}  // namespace
}  // namespace dlspec::conformance
