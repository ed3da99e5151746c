// The lists that come with dlspec: readable, explained, and about libraries that it has adapters for.
#include <filesystem>
#include <fstream>
#include <set>
#include <string>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <dlspec/conformance/baseline/baseline.h>
#include <dlspec/vocabulary/rules.h>

namespace dlspec::conformance {
namespace {

// The ids of faults.json, where each fault has its row.
std::set<std::string> known_faults(const std::filesystem::path& path) {
  std::ifstream file(path);
  std::set<std::string> ids;
  for (const nlohmann::json& fault : nlohmann::json::parse(file)) ids.insert(fault["id"].get<std::string>());
  return ids;
}

TEST(ShippedBaselines, AreInOrder) {
  const auto folder = std::filesystem::path(__FILE__).parent_path() / "../evidence/baselines";
  const std::set<std::string> faults = known_faults(folder / "../history/faults.json");
  std::size_t count = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".txt" || entry.path().filename() == "CMakeLists.txt") continue;
    ++count;
    const ReadBaseline read = read_baseline(entry.path().string());
    ASSERT_EQ(read.error, "");
    EXPECT_EQ(write_baseline(*read.baseline).size(), std::filesystem::file_size(entry))
        << entry << ": as update writes it";
    EXPECT_TRUE(std::filesystem::exists(folder / "../adapters" / entry.path().filename().replace_extension(".py")))
        << entry;
    EXPECT_EQ(read.baseline->libraries.size(), 1u) << entry;
    for (const AcceptedDeviation& line : read.baseline->lines) {
      EXPECT_NE(find_rule(line.rule), nullptr) << entry << ": " << line.rule;
      const std::string id = line.reason.substr(0, line.reason.find(':'));
      EXPECT_TRUE(faults.contains(id)) << entry << ": " << line.reason;
    }
  }
  EXPECT_GE(count, 3u);
}

}  // namespace
}  // namespace dlspec::conformance
