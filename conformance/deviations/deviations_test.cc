// The lint of deviations.def, and the function that reads it.
#include <dlspec/conformance/deviations/deviations.h>

#include <algorithm>
#include <regex>
#include <set>
#include <tuple>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include <dlspec/conformance/deviations/faults.h>

namespace dlspec::conformance {
namespace {

std::vector<Deviation> all_deviations() {
  std::vector<Deviation> list;
  for (const Rule& rule : rules()) {
    for (Deviation& deviation : deviations_from(rule)) list.push_back(std::move(deviation));
  }
  return list;
}

TEST(Deviations, AreInRuleOrder) {
  constexpr RuleId order[] = {
#define DLSPEC_DEVIATION(rule, ...) RuleId::rule,
#include <dlspec/conformance/deviations/deviations.def>
#undef DLSPEC_DEVIATION
  };
  EXPECT_TRUE(std::is_sorted(std::begin(order), std::end(order)));
  EXPECT_GE(std::size(order), 100u);
}

TEST(Deviations, NamePackageVersionsDeviationAndOrigin) {
  const std::regex thread(R"([\w.-]+/[\w.-]+#[0-9]+)");
  std::set<std::tuple<RuleId, std::string, std::string, std::string>> seen;
  for (const Deviation& deviation : all_deviations()) {
    const std::string name = std::string(rule(deviation.rule).id) + ", " + deviation.package;
    EXPECT_FALSE(deviation.package.empty()) << name;
    EXPECT_FALSE(deviation.versions.empty()) << name;
    EXPECT_TRUE(deviation.what.ends_with('.')) << name << ": " << deviation.what;
    EXPECT_EQ(deviation.what.find("  "), std::string::npos) << name;
    EXPECT_TRUE(seen.emplace(deviation.rule, deviation.package, deviation.versions, deviation.reproducer).second)
        << name << " occurs twice";
    if (deviation.reproducer.empty()) {
      EXPECT_TRUE(deviation.origin == "source" || std::regex_match(deviation.origin, thread)) << name;
    }
  }
}

TEST(Deviations, IncludeEveryFaultThatDlspecFound) {
  const nlohmann::json faults = nlohmann::json::parse(faults_json());
  ASSERT_FALSE(faults.empty());
  for (const nlohmann::json& fault : faults) {
    const std::string id = fault["id"];
    const std::string what = fault["what"];
    const Rule* const rule = find_rule(fault["rule"].get<std::string>());
    ASSERT_NE(rule, nullptr) << id;
    const std::vector<Deviation> list = deviations_from(*rule);
    const bool re_created = fault.contains("exhibit");
    const auto is_it = [&](const Deviation& deviation) {
      return re_created ? deviation.what == what && deviation.reproducer.empty() : deviation.reproducer == id;
    };
    const auto found = std::find_if(list.begin(), list.end(), is_it);
    ASSERT_NE(found, list.end()) << id;
    EXPECT_EQ(found->what, what);
  }
}

TEST(DeviationText, NamesTheEvidence) {
  const Deviation told{RuleId::tensor_byte_offset_honoured, "torch", "up to 2.9", "It was ignored.", "a/b#1", ""};
  EXPECT_EQ(deviation_text(told), "torch up to 2.9: It was ignored. (a/b#1)");
  const Deviation read{RuleId::tensor_byte_offset_honoured, "torch", "2.9", "It is ignored.", "source", ""};
  EXPECT_EQ(deviation_text(read), "torch 2.9: It is ignored. (read in the source)");
  const Deviation found{RuleId::tensor_byte_offset_honoured, "torch", "2.9", "It is ignored.", "", "torch-offset"};
  EXPECT_EQ(deviation_text(found), "torch 2.9: It is ignored. (found by dlspec, torch-offset)");
}

}  // namespace
}  // namespace dlspec::conformance
