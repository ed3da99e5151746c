#include <dlspec/conformance/core/globs.h>

#include <gtest/gtest.h>

namespace dlspec::conformance {
namespace {

TEST(Globs, WantOneOfTheirPatterns) {
  EXPECT_TRUE(matches_globs("tensor.*", "tensor.data"));
  EXPECT_TRUE(matches_globs("dtype.* tensor.*", "tensor.data"));
  EXPECT_FALSE(matches_globs("dtype.* flags.*", "tensor.data"));
  EXPECT_FALSE(matches_globs("dtype.*", ""));
}

TEST(Globs, LeaveOutWhatIsMarked) {
  EXPECT_FALSE(matches_globs("tensor.* !tensor.data-*", "tensor.data-null"));
  EXPECT_TRUE(matches_globs("tensor.* !tensor.data-*", "tensor.strides"));
  EXPECT_FALSE(matches_globs("!tensor.data-* tensor.*", "tensor.data-null")) << "in any order";
  EXPECT_FALSE(matches_globs("tensor.* !tensor.data-*", "dtype.bits"));
}

TEST(Globs, OfNothingButExclusionsWantTheRest) {
  EXPECT_TRUE(matches_globs("!tensor.*", "dtype.bits"));
  EXPECT_FALSE(matches_globs("!tensor.*", "tensor.data"));
  EXPECT_TRUE(matches_globs("", "tensor.data"));
}

TEST(Globs, AreListedWithoutTheirMarks) {
  EXPECT_EQ(patterns_of("tensor.*  !tensor.data-*"), (std::vector<std::string>{"tensor.*", "tensor.data-*"}));
}

}  // namespace
}  // namespace dlspec::conformance
