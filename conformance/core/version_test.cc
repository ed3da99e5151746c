#include <dlspec/conformance/core/version.h>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace dlspec::conformance {
namespace {

// In ascending order.
constexpr const char* ascending[] = {"",       "0.9",     "1.0.dev1", "1.0a1.dev2", "1.0a1",     "1.0a2",      "1.0b1",
                                     "1.0rc1", "1.0rc10", "1.0",      "1.0.post1",  "1.0.post2", "1.1",        "1.9",
                                     "1.10",   "1.10.1",  "2.0.0rc1", "2.0.0",      "2025.1",    "20250101.1", "1!0.1"};

TEST(Versions, AreOrderedAsPeopleOrderThem) {
  for (std::size_t i = 0; i < std::size(ascending); ++i) {
    for (std::size_t j = 0; j < std::size(ascending); ++j) {
      EXPECT_EQ(compare_versions(ascending[i], ascending[j]), i <=> j) << ascending[i] << " and " << ascending[j];
    }
  }
}

TEST(Versions, AreEqualInSeveralSpellings) {
  constexpr const char* same[][2] = {{"1.0", "1.0.0"},           {"1", "1.0"},
                                     {"2.5.1+CPU", "2.5.1+cpu"}, {"v1.2", "1.2"},
                                     {"1.0-rc1", "1.0rc1"},      {"1.0.RC1", "1.0rc1"},
                                     {"1.0alpha1", "1.0a1"},     {"1.01", "1.1"},
                                     {"1.0.post0", "1.0post"},   {"0.1.15.post2", "0.1.15-post2"}};
  for (const auto& pair : same) {
    EXPECT_EQ(compare_versions(pair[0], pair[1]), std::strong_ordering::equal) << pair[0] << " and " << pair[1];
  }
}

TEST(Versions, NumbersOfAnyLengthAreNumbers) {
  EXPECT_EQ(compare_versions("1.99999999999999999999", "1.100000000000000000000"), std::strong_ordering::less);
}

// A library can call its version what it likes: what follows the version is the label of a build.
TEST(Versions, OfOtherTextsTheBeginningCounts) {
  constexpr const char* later[] = {"unknown",    "0.9",   "1.0rc1-dirty", "1.0", "1.0abc",
                                   "1.0-custom", "1.1-2", "1.1-2-dirty",  "1.2", "1.2+git.abc"};
  for (std::size_t i = 1; i < std::size(later); ++i)
    EXPECT_TRUE(compare_versions(later[i - 1], later[i]) < 0) << later[i];
  EXPECT_TRUE(compare_versions("cpython-3.9.2-linux", "cpython-3.9.18-linux") < 0);
  EXPECT_FALSE(is_version("1.0-custom"));
  EXPECT_EQ(public_version("2.5.1+cpu"), "2.5.1");
  EXPECT_EQ(public_version(" v1.0rc1-dirty"), "v1.0rc1");
  EXPECT_EQ(public_version("unknown"), "");
}

RC_GTEST_PROP(Versions, AnyTextsAreOrdered, (const std::string& a, const std::string& b)) {
  RC_ASSERT((compare_versions(a, a) == 0));
  RC_ASSERT((compare_versions(a, b) < 0) == (compare_versions(b, a) > 0));
  RC_ASSERT(public_version(a).empty() || is_version(public_version(a)));
}

TEST(VersionBounds, HoldAsTheyAreWritten) {
  constexpr struct {
    const char* bounds;
    const char* version;
    bool holds;
  } rows[] = {
      {">=2.1,<2.6", "2.1", true},       {">=2.1,<2.6", "2.6", false},
      {">=2.1,<2.6", "2.0.9", false},    {">=2.1,<2.6", "2.10", false},
      {">=2.1,<2.6", "2.6rc1", false},   {"==1.26.4", "1.26.4", true},
      {"<2.6rc2", "2.6rc1", true},       {"<2.6.post1", "2.6rc1", true},
      {">=2.1", "2.2rc1", true},         {"!=1.26.4", "1.26.4", false},
      {"<=1.0", "1.0.0+cpu", true},      {">1.0", "1.0.post1", false},
      {">1.0.post1", "1.0.post2", true}, {">1.0rc1", "1.0.post1", true},
      {">1.0", "1.0+cpu", false},        {"==2.5.1", "2.5.1+cpu", true},
      {"==2.5.1+cpu", "2.5.1", false},   {"!=2.5.1+cpu", "2.5.1+gpu", true},
      {">=1.3", "1.3-dirty", true},      {"<2", "unknown", true},
      {">=0", "unknown", false},         {">1.0", "1.0", false},
      {"!=1.0,!=1.1", "1.2", true},      {">=1", "", false},
  };
  for (const auto& row : rows) {
    const auto bounds = parse_bounds(row.bounds);
    ASSERT_TRUE(bounds) << row.bounds;
    EXPECT_EQ(bounds->hold(row.version), row.holds) << row.bounds << " on " << row.version;
    EXPECT_EQ(bounds->text(), row.bounds);
  }
  EXPECT_TRUE(VersionBounds{}.hold(""));
}

TEST(VersionBounds, OfOtherTextsAreNone) {
  for (const char* text : {"", "2.1", ">=", ">=x", "~=2.1", ">=2.1,", ",<2", "=2", "===2", "==2.*", ">=2+cpu", "<2.x"})
    EXPECT_FALSE(parse_bounds(text)) << text;
}

}  // namespace
}  // namespace dlspec::conformance
