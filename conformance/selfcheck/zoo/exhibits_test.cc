// The tables of the zoo: nothing is missing, nothing stands there for nothing.
#include <dlspec/conformance/selfcheck/zoo/exhibits.h>

#include <algorithm>
#include <iterator>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include <gtest/gtest.h>

#include <dlspec/conformance/selfcheck/zoo/showing.h>
#include <dlspec/conformance/selfcheck/zoo/struct_checks.h>

namespace dlspec::conformance {
namespace {

// Checked rules without an exhibit. None: who makes a rule checked shows that its check works.
const std::vector<RuleId> not_shown;

TEST(Exhibits, ShowEveryCheckedRule) {
  for (const Rule& row : rules()) {
    const bool listed = std::find(not_shown.begin(), not_shown.end(), row.rule) != not_shown.end();
    if (row.coverage == Coverage::checked) {
      EXPECT_NE(is_shown(row.rule), listed)
          << row.id << (listed ? ": is shown; take it off the list" : ": has no exhibit; add one to the zoo");
    } else {
      EXPECT_FALSE(is_shown(row.rule) || listed) << row.id << " is not checked";
    }
  }
}

TEST(Exhibits, DeclareOneRuleEach) {
  std::set<std::pair<std::string, Role>> names;
  for (const ExhibitRow& row : exhibits()) EXPECT_TRUE(names.emplace(row.name, row.role).second) << row.name;
  for (const ExhibitRow& row : exhibits())
    EXPECT_FALSE(names.contains({row.twin, row.role})) << row.twin << " is no twin";
}

TEST(Exhibits, AreMaskedForAReason) {
  for (const ExhibitMask& mask : exhibit_masks()) {
    EXPECT_STRNE(mask.reason, "") << mask.name;
    const auto masked = std::count_if(exhibits().begin(), exhibits().end(), [&](const ExhibitRow& row) {
      return std::string_view(row.name) == mask.name && row.rule != mask.rule;
    });
    EXPECT_EQ(masked, 1) << mask.name;
  }
}

TEST(Exhibits, AreNamedWithTheirTwins) {
  for (const Rule& row : rules()) {
    const std::vector<ShownFault> faults = shown_faults(row.rule);
    EXPECT_EQ(!faults.empty(), is_shown(row.rule)) << row.id;
    for (const ShownFault& fault : faults) EXPECT_NE(fault.faulty, fault.twin) << row.id;
  }
}

// What a case adds to a plan: its variant, or the levels of its path; its dtype; its layout, of those that have names.
std::vector<std::string> parts_of(const Case& work) {
  std::vector<std::string> parts;
  if (!work.drawn) parts = {"dtype " + work.dtype, "layout " + work.layout};
  std::string_view words = work.variant;
  const bool is_path = words.starts_with("path:");
  if (!is_path) parts.push_back("variant " + work.variant);
  if (is_path) words.remove_prefix(std::string_view("path:").size());
  while (is_path && !words.empty()) {
    const std::string_view word = words.substr(0, words.find('+'));
    words.remove_prefix(std::min(words.size(), word.size() + 1));
    if (word != "ordinary") parts.push_back("level " + std::string(word));
  }
  return parts;
}

TEST(SamplePlan, HoldsEveryVariantLevelDtypeAndLayout) {
  for (const SubjectKind kind : {SubjectKind::python, SubjectKind::plugin}) {
    std::set<std::pair<Role, std::string>> whole, sample;
    const auto enter = [](std::set<std::pair<Role, std::string>>& into, const std::vector<Case>& cases) {
      for (const Case& work : cases) {
        if (work.variant.starts_with("sequence=")) continue;  // dlspec fuzz and its fakes show them
        for (const std::string& part : parts_of(work)) into.emplace(work.role, part);
      }
    };
    Selection selection;
    selection.kind = kind;
    enter(whole, make_plan(selection));
    for (const Role role : {Role::producer, Role::consumer, Role::bridge}) enter(sample, sample_plan(kind, role));
    EXPECT_EQ(sample, whole);
  }
}

TEST(SamplePlan, IsNarrowedToOtherPathsForEachSubject) {
  const std::vector<Case> sample = sample_plan(SubjectKind::python, Role::producer);
  const auto is_path = [](const Case& work) { return work.variant.starts_with("path:"); };
  const auto paths = std::count_if(sample.begin(), sample.end(), is_path);
  std::set<std::string> asked;
  for (int subject = 0; subject < 40; ++subject) {
    std::vector<Case> narrow, left;
    std::partition_copy(sample.begin(), sample.end(), std::back_inserter(narrow), std::back_inserter(left),
                        [&](const Case& work) { return is_asked_first(work, std::to_string(subject)); });
    EXPECT_EQ(narrow.size() + left.size(), sample.size());
    const auto kept = std::count_if(narrow.begin(), narrow.end(), is_path);
    EXPECT_GT(kept, paths / 10);
    EXPECT_LT(kept, paths / 3);
    EXPECT_LT(std::count_if(left.begin(), left.end(), [&](const Case& work) { return !is_path(work); }), 30);
    for (const Case& work : narrow) asked.insert(work.id);
  }
  EXPECT_EQ(asked.size(), sample.size());
}

Shown shown_with(const Showing& showing, std::initializer_list<RuleId> found) {
  Shown shown;
  shown.showing = &showing;
  for (const RuleId id : found) shown.found[id];
  return shown;
}

TEST(Shown, IsRightWhenExactlyTheDeclaredRuleWasFound) {
  constexpr RuleId declared = RuleId::version_filled, other = RuleId::flags_undefined_bits_zero;
  const Showing faulty{.name = "x", .declared = declared, .masked = {}, .task = {}, .sample = {}};
  EXPECT_TRUE(shown_with(faulty, {declared}).is_right());
  EXPECT_FALSE(shown_with(faulty, {}).is_right());
  EXPECT_FALSE(shown_with(faulty, {other}).is_right());
  EXPECT_FALSE(shown_with(faulty, {declared, other}).is_right());
  const Showing masked{.name = "x", .declared = declared, .masked = {other}, .task = {}, .sample = {}};
  EXPECT_TRUE(shown_with(masked, {declared, other}).is_right());
  EXPECT_FALSE(shown_with(masked, {declared}).is_right()) << "a mask that is never used";
  EXPECT_TRUE(shown_with(masked, {declared}).is_too_little());
  EXPECT_TRUE(shown_with(faulty, {other}).is_too_little());
  EXPECT_FALSE(shown_with(faulty, {declared, other}).is_too_little());
  const Showing twin{.name = "x", .declared = {}, .masked = {}, .task = {}, .sample = {}};
  EXPECT_TRUE(shown_with(twin, {}).is_right());
  EXPECT_FALSE(shown_with(twin, {declared}).is_right());
  EXPECT_FALSE(shown_with(twin, {declared}).is_too_little());
  Shown unjudged = shown_with(faulty, {declared});
  unjudged.faults.emplace_back("the adapter contradicts itself");
  EXPECT_FALSE(unjudged.is_right());
}

TEST(StructChecks, FindWhatIsDeclaredOnRowsTwinsAndPairs) {
  const StructChecks checks = check_structs("*");
  EXPECT_TRUE(checks.wrong.empty()) << checks.wrong.size() << " are wrong, the first: " << checks.wrong.front();
  EXPECT_EQ(checks.rows, 127u);
  EXPECT_EQ(checks.pairs, 6891u);
  EXPECT_EQ(checks.masked, 1986u);
}

}  // namespace
}  // namespace dlspec::conformance
