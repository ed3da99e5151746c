#include <dlspec/conformance/report/conditions.h>

#include <functional>
#include <vector>

#include <gtest/gtest.h>

#include <dlspec/conformance/core/sample_document.h>
#include <dlspec/conformance/plan/plan.h>
#include <dlspec/conformance/report/circumstances.h>

namespace dlspec::conformance {
namespace {

constexpr RuleId id = RuleId::tensor_element_address;

// The sentence about these cases, where those of which `deviates` holds do.
std::string said(const std::vector<std::string>& case_ids, const std::function<bool(const Circumstances&)>& deviates) {
  std::vector<Record> records;
  for (const std::string& case_id : case_ids) {
    const auto one = circumstances_of(case_id);
    EXPECT_TRUE(one) << case_id;
    records.push_back(sample_record(id, one && deviates(*one) ? Verdict::fail : Verdict::pass, case_id, "seen"));
  }
  Records deviating, judged;
  for (const Record& record : records) {
    judged.push_back(&record);
    if (record.status == Verdict::fail) deviating.push_back(&record);
  }
  return shared_conditions(deviating, judged);
}

// What a whole plan asks a consumer of this rule.
std::vector<std::string> consumer_cases() {
  Selection selection;
  selection.roles = {Role::consumer};
  selection.rules = rule(id).id;
  std::vector<std::string> ids;
  for (const Case& work : make_plan(selection)) ids.push_back(work.id);
  return ids;
}

bool always(const Circumstances&) { return true; }

TEST(Circumstances, AreReadFromTheIdOfACase) {
  const auto path =
      circumstances_of("consumer/int8/offset/path:struct=legacy+place=guard-behind+stimulus=strides-null=1.0");
  ASSERT_TRUE(path);
  EXPECT_EQ(path->dtype, "int8");
  EXPECT_EQ(path->layout, "offset");
  EXPECT_EQ(path->tried, "strides-null=1.0");
  EXPECT_TRUE(path->legacy);
  EXPECT_TRUE(path->has("place", "guard-behind"));
  EXPECT_FALSE(path->levels.contains("stimulus"));
  EXPECT_EQ(path->order.offset, 5);
  const auto plain = circumstances_of("producer/float32/c/plain");
  ASSERT_TRUE(plain);
  EXPECT_TRUE(plain->legacy) << "no version was asked for";
  EXPECT_EQ(plain->tried, "exchange");
  EXPECT_TRUE(circumstances_of("producer/float32/c/copied")->has("copy", "true"));
  EXPECT_FALSE(circumstances_of("consumer/float32/c/copied")->has("copy", "true")) << "the flag of an offer";
  EXPECT_FALSE(circumstances_of("producer/float32/nowhere/plain"));
}

TEST(Conditions, AreThoseOfTheFactorsThatDecide) {
  const std::vector<std::string> cases = consumer_cases();
  ASSERT_GT(cases.size(), 300u);
  const auto offset = [](const Circumstances& one) { return one.order.offset != 0 || one.has("place", "byte_offset"); };
  const std::string text = said(cases, offset);
  EXPECT_TRUE(text.starts_with("all ")) << text;
  EXPECT_NE(text.find(" such cases: only byte_offset != 0, all "), std::string::npos) << text;
  EXPECT_NE(text.find(" dtypes, "), std::string::npos) << text;
  EXPECT_TRUE(text.ends_with(", versioned and legacy")) << text;
}

TEST(Conditions, MayBeSeveral) {
  const std::string text = said(consumer_cases(), [](const Circumstances& one) {
    return one.has("copy", "true") && one.dtype.find("int") != std::string::npos;
  });
  EXPECT_NE(text.find("only copy=true"), std::string::npos) << text;
  EXPECT_NE(text.find("only integers"), std::string::npos) << text;
}

TEST(Conditions, NameWhatIsSpared) {
  const std::string text = said(consumer_cases(), [](const Circumstances& one) { return one.dtype != "bool"; });
  EXPECT_NE(text.find("only dtypes other than bool"), std::string::npos) << text;
}

TEST(Conditions, AreNoneWhereAllCasesDeviate) {
  EXPECT_EQ(said({"consumer/float32/c/versioned"}, always), "1 case");
  EXPECT_EQ(said({"consumer/float32/c/versioned", "consumer/float32/c/legacy"}, always),
            "both cases: versioned and legacy");
  EXPECT_EQ(said({"consumer/float32/c/versioned", "consumer/int8/offset/versioned"}, always),
            "both cases: float32 and int8, c and offset");
}

TEST(Conditions, CountAsPeopleDo) {
  const auto is_offset = [](const Circumstances& one) { return one.layout == "offset"; };
  EXPECT_EQ(said({"consumer/float32/c/versioned", "consumer/float32/offset/versioned"}, is_offset),
            "the only such case: only byte_offset != 0");
  EXPECT_EQ(
      said({"consumer/float32/c/versioned", "consumer/float32/offset/versioned", "consumer/int8/offset/versioned"},
           is_offset),
      "both such cases: only byte_offset != 0, float32 and int8");
}

TEST(Conditions, SayHowManySuchCasesDoNotDeviate) {
  int count = 0;
  const std::string text = said(
      {"consumer/float32/negative/versioned", "consumer/int8/negative/versioned", "consumer/int16/negative/versioned",
       "consumer/bool/negative/versioned", "consumer/int32/negative/versioned", "consumer/int64/negative/versioned",
       "consumer/uint8/negative/versioned", "consumer/float64/negative/versioned", "consumer/float32/c/versioned",
       "consumer/int8/c/versioned"},
      [&](const Circumstances& one) { return one.layout == "negative" && ++count % 2 == 0; });
  EXPECT_EQ(text, "4 of 8 such cases: only byte_offset != 0, 4 of 8 dtypes");
}

TEST(Conditions, ThatSpareFewOthersAreLeftOut) {
  int count = 0;
  const std::string text = said(consumer_cases(), [&](const Circumstances& one) {
    return one.dtype != "bool" && ++count % 20 == 0;  // nearly everything is not bool
  });
  EXPECT_EQ(text.find("only"), std::string::npos) << text;
}

TEST(Conditions, AreNotClaimedOfIdsThatCannotBeRead) {
  const Record record = sample_record(id, Verdict::fail, "consumer/float32/nowhere/versioned", "seen");
  const Record other = sample_record(id, Verdict::pass, "consumer/float32/c/versioned");
  EXPECT_EQ(shared_conditions({&record}, {&record, &other}), "1 of 2 cases");
}

}  // namespace
}  // namespace dlspec::conformance
