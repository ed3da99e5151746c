#include <dlspec/vocabulary/status.h>

#include <set>
#include <string>

#include <gtest/gtest.h>

namespace dlspec {
namespace {

// Statuses are numbered without gaps; the first number without a text is the end.
TEST(Describe, GivesEveryStatusASentencePartOfItsOwn) {
  std::set<std::string> texts;
  int status = 0;
  for (; describe(static_cast<Status>(status)) != std::string("unknown status"); ++status) {
    const std::string text = describe(static_cast<Status>(status));
    EXPECT_TRUE(texts.insert(text).second) << text;
    EXPECT_TRUE(text.front() >= 'a' && text.front() <= 'z') << text;
    EXPECT_NE(text.back(), '.') << text;
  }
  EXPECT_GT(status, static_cast<int>(Status::read_only_destination));
}

}  // namespace
}  // namespace dlspec
