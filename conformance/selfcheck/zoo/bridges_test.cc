// The bridges of the zoo in process: each breaks the rule that it is declared for and no other, and says what is wrong.
#include <string>
#include <string_view>

#include <gtest/gtest.h>

#include <dlspec/conformance/selfcheck/zoo/bridge_outcomes.h>
#include <dlspec/conformance/selfcheck/zoo/exhibits.h>
#include <dlspec/conformance/worker/native/builtin_bridge.h>

#include "plugin/subjects.h"

namespace dlspec::conformance {
namespace {

using Kind = Outcome::Kind;

TEST(Bridges, EachBreaksItsRuleAlone) {
  for (const ExhibitRow& row : exhibits()) {
    if (row.role != Role::bridge) continue;
    const DlspecBridge* const bridge =
        zoo::find_bridge(std::string_view(row.name).substr(std::string_view("plugin:").size()));
    ASSERT_NE(bridge, nullptr) << row.name;
    const auto outcomes = judge_all(*bridge);
    EXPECT_EQ(rules_with(outcomes, Kind::violated), Names{rule(row.rule).id}) << row.name << "\n"
                                                                              << list(outcomes, Kind::violated);
  }
}

TEST(Bridges, OfDlspecItselfPassEverything) {
  for (const DlspecBridge* const bridge : {&builtin_bridge, zoo::find_bridge("clean")}) {
    for (const auto& [name, outcome] : judge_all(*bridge))
      EXPECT_EQ(outcome.kind, Kind::pass) << name << ": " << outcome.observed;
  }
}

TEST(Bridges, ThatMisreadEverythingAreNotBlamedForItTwice) {
  const auto outcomes = judge_all(*zoo::find_bridge("everything misread"));
  EXPECT_EQ(rules_with(outcomes, Kind::blocked),
            (Names{"bridge.rearrange-src-any", "bridge.rearrange-dst-injective", "bridge.rearrange-no-fp-ops",
                   "bridge.rearrange-untouched-gaps"}))
      << list(outcomes, Kind::blocked);
  EXPECT_EQ(outcomes.at("bridge.rearrange-src-any in bridge/float32/c/source").kind, Kind::violated);
  EXPECT_EQ(outcomes.at("bridge.rearrange-src-any in bridge/float32/negative/source").kind, Kind::blocked);
}

// Values that are wrong fail; what is merely taken or left out is what the level of a convention says.
TEST(Bridges, FailWhereValuesAreWrong) {
  const auto verdict = [](const char* name, const std::string& where) {
    return judge_all(*zoo::find_bridge(name)).at(where).verdict;
  };
  EXPECT_EQ(verdict("mirrors misread", "bridge.rearrange-src-any in bridge/float32/negative/source"), Verdict::fail);
  EXPECT_EQ(verdict("broadcast sources refused", "bridge.rearrange-src-any in bridge/float32/broadcast/source"),
            std::nullopt);
  EXPECT_EQ(verdict("empty sources refused", "bridge.rearrange-src-any in bridge/float32/empty/source"), std::nullopt);
  EXPECT_EQ(verdict("strides left out", "bridge.strides-null-expanded in bridge/float32/c/strides-null"), std::nullopt);
  EXPECT_EQ(verdict("column-major strides", "bridge.strides-null-expanded in bridge/float32/c/strides-null"),
            Verdict::fail);
  EXPECT_EQ(
      verdict("read-only forgotten", "bridge.rearrange-dst-injective in bridge/float32/readonly/read-only-destination"),
      Verdict::fail);
  EXPECT_EQ(
      verdict("overlap allowed", "bridge.rearrange-dst-injective in bridge/float32/broadcast/overlapping-destination"),
      std::nullopt);
}

// A bridge of the zoo, where its fault shows, and what is observed there.
struct Observed {
  const char* bridge;
  const char* where;
  const char* text;
};

constexpr Observed observations[] = {
    {"strides left out", "bridge.strides-null-expanded in bridge/float32/c/strides-null", "strides are NULL"},
    {"column-major strides", "bridge.strides-null-expanded in bridge/float32/c/strides-null",
     "exported as float32 (3,4):(1,3)"},
    {"extents wrapped", "bridge.size_t-range in bridge/int8/c/sizes",
     "extents (9223372036854775808) and strides (0) are exported as int8 (0):(0)"},
    {"negative extents taken", "bridge.size_t-range in bridge/int8/c/sizes", "a tensor with the extent -1 is taken"},
    {"lowest address out", "bridge.negative-stride-base in bridge/float32/negative1/negative-base",
     "exported data begin -16 bytes from element (0, ..., 0)"},
    {"lanes folded", "bridge.unsupported-dtype in bridge/float32/c/unsupported-dtypes",
     "a descriptor is made of float32 of 4 lanes, int8 of 2 lanes"},
    {"padded elements taken", "bridge.unsupported-dtype in bridge/float32/c/unsupported-dtypes",
     "a descriptor is made of padded int4"},
    {"other dtypes taken", "bridge.status-documented in bridge/float32/c/statuses",
     "a source of another dtype: SUCCESS instead of BAD_TENSOR_DTYPE"},
    {"one status for all", "bridge.status-documented in bridge/float32/c/statuses",
     "a NULL shape although there are axes: BAD_PARAM instead of NULL_POINTER; a dtype without a counterpart: "
     "BAD_PARAM instead of BAD_TENSOR_DTYPE; more elements than 64 bits count: BAD_PARAM instead of BAD_TENSOR_SHAPE; "
     "strides that leave 64 bits: BAD_PARAM instead of BAD_TENSOR_STRIDES"},
    {"dtype judged first", "bridge.status-order in bridge/float32/c/status-order",
     "a NULL shape although there are axes and a dtype without a counterpart: BAD_TENSOR_DTYPE instead of "
     "NULL_POINTER"},
};

TEST(Bridges, NameWhatIsWrong) {
  for (const Observed& row : observations) {
    EXPECT_EQ(judge_all(*zoo::find_bridge(row.bridge)).at(row.where).observed, row.text) << row.bridge;
  }
}

}  // namespace
}  // namespace dlspec::conformance
