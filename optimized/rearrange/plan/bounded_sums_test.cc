#include <dlspec/optimized/rearrange/plan/bounded_sums.h>

#include <cstdint>
#include <random>
#include <set>
#include <vector>

#include <gtest/gtest.h>

namespace dlspec::optimized {
namespace {

TEST(FirstMultipleBetween, IsWhatCountingFinds) {
  for (int modulus = 1; modulus <= 24; ++modulus) {
    for (int step = 0; step < modulus; ++step) {
      for (int low = 0; low < modulus; ++low) {
        for (int high = low; high < modulus; ++high) {
          int expected = -1;
          for (int k = 0; k < modulus && expected < 0; ++k) {
            if (step * k % modulus >= low && step * k % modulus <= high) expected = k;
          }
          ASSERT_EQ(static_cast<int>(first_multiple_between(step, modulus, low, high)), expected)
              << step << " modulo " << modulus << " in [" << low << "," << high << "]";
        }
      }
    }
  }
}

struct RandomTerm {
  int count;
  int stride;
};

std::set<int> all_sums(const std::vector<RandomTerm>& terms) {
  std::set<int> sums{0};
  for (const RandomTerm& term : terms) {
    std::set<int> more;
    for (const int sum : sums) {
      for (int taken = 0; taken <= term.count; ++taken) more.insert(sum + taken * term.stride);
    }
    sums = more;
  }
  return sums;
}

TEST(BoundedSums, AreWhatAddingUpGives) {
  std::mt19937 random(20261123);
  const auto draw = [&](int low, int high) { return std::uniform_int_distribution(low, high)(random); };
  int reached = 0, missed = 0;
  for (int round = 0; round < 3000; ++round) {
    std::vector<RandomTerm> terms(static_cast<std::size_t>(draw(0, 5)));
    const int scale = draw(1, 6);  // a common divisor is what makes sums miss whole intervals
    for (RandomTerm& term : terms) term = {draw(0, 4), scale * draw(1, 30)};
    const std::set<int> sums = all_sums(terms);
    for (int question = 0; question < 20; ++question) {
      const int low = draw(-20, 400), high = low + draw(0, 12);
      BoundedSums bounded;
      for (const RandomTerm& term : terms) bounded.add(term.count, term.stride);
      const auto first = sums.lower_bound(low);
      const bool expected = first != sums.end() && *first <= high;
      ++(expected ? reached : missed);
      ASSERT_EQ(bounded.reach(low, high), expected ? Answer::yes : Answer::no) << "round " << round;
    }
  }
  EXPECT_GT(reached, 5'000);
  EXPECT_GT(missed, 5'000);
}

TEST(BoundedSums, CountBeyond64Bits) {
  const std::int64_t stride = std::int64_t{1} << 62;
  BoundedSums bounded;
  bounded.add(7, stride);
  bounded.add(7, stride - 1);
  EXPECT_EQ(bounded.reach(Wide{14} * stride - 7, Wide{14} * stride - 7), Answer::yes);
  BoundedSums again;
  again.add(7, stride);
  again.add(7, stride - 1);
  EXPECT_EQ(again.reach(Wide{14} * stride - 6, Wide{14} * stride), Answer::no);
}

// Strides that are multiples of a large one but for small differences: counting through the terms would take 10^12.
TEST(BoundedSums, LeapOverWhatNoDivisorAllows) {
  BoundedSums bounded;
  bounded.add(1'000'000, 6'000'018);
  bounded.add(1'000'000, 5'999'898);
  bounded.add(1, 12);
  EXPECT_EQ(bounded.reach(6'000'000'000'001, 6'000'000'000'005), Answer::no);
  EXPECT_LT(bounded.steps(), 10);
}

}  // namespace
}  // namespace dlspec::optimized
