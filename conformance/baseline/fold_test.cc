#include <dlspec/conformance/baseline/fold.h>

#include <algorithm>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <dlspec/vocabulary/rules.h>

namespace dlspec::conformance {
namespace {

using Ids = std::vector<std::string>;

TEST(Fold, OneCaseStaysAsItIs) { EXPECT_EQ(fold_cases({"producer/int8/c/plain"}, {}), Ids{"producer/int8/c/plain"}); }

TEST(Fold, APartThatVariesBecomesAStarWhereNothingElseIsCaught) {
  EXPECT_EQ(fold_cases({"producer/int8/c/plain", "producer/bool/c/plain"}, {}), Ids{"producer/*/c/plain"});
  EXPECT_EQ(fold_cases({"producer/int8/c/plain", "producer/bool/c/plain"}, {"consumer/int8/c/plain"}),
            Ids{"producer/*/c/plain"});
}

TEST(Fold, AndAlternativesWhereSomethingElseWouldBe) {
  EXPECT_EQ(
      fold_cases({"producer/int8/c/plain", "producer/bool/c/plain", "producer/int8/f/plain", "producer/bool/f/plain"},
                 {"producer/int16/c/plain", "producer/int8/empty/plain"}),
      Ids{"producer/{int8,bool}/{c,f}/plain"});
}

TEST(Fold, WhatIsNoRectangleNeedsSeveral) {
  EXPECT_EQ(fold_cases({"producer/int8/c/plain", "producer/bool/f/plain"},
                       {"producer/bool/c/plain", "producer/int8/f/plain"}),
            (Ids{"producer/int8/c/plain", "producer/bool/f/plain"}));
}

// Every set of cases within a small plan: the globs match these and no other.
RC_GTEST_PROP(Fold, MatchesTheseCasesAndNoOther, ()) {
  Ids wanted;
  Ids others;
  for (const char* role : {"producer", "consumer"}) {
    for (const char* dtype : {"bool", "int8", "float32"}) {
      for (const char* layout : {"c", "empty", "empty_middle"}) {
        for (const char* variant : {"plain", "copy=true"}) {
          const std::string id = std::string(role) + "/" + dtype + "/" + layout + "/" + variant;
          const int what = *rc::gen::weightedElement<int>({{3, 0}, {2, 1}, {1, 2}});  // 2: not in the results
          if (what == 0) wanted.push_back(id);
          if (what == 1) others.push_back(id);
        }
      }
    }
  }
  const Ids globs = fold_cases(wanted, others);
  const auto matches = [&](const std::string& id) {
    return std::count_if(globs.begin(), globs.end(), [&](const std::string& glob) { return glob_match(glob, id); });
  };
  for (const std::string& id : wanted) RC_ASSERT(matches(id) == 1);
  for (const std::string& id : others) RC_ASSERT(matches(id) == 0);
  RC_ASSERT(globs.size() <= wanted.size());
}

}  // namespace
}  // namespace dlspec::conformance
