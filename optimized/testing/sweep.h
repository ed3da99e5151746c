// Many comparisons of the two validators in one test.
#pragma once

#include <gtest/gtest.h>

#include <cstddef>

#include <dlspec/optimized/testing/agreement.h>
#include <dlspec/optimized/validate/validate.h>
#include <dlspec/reference/validate/validate.h>

namespace dlspec::optimized::testing {

// Reports the first few differences and counts all cases.
class Sweep {
 public:
  static constexpr std::size_t most_reported = 5;

  void compare(const Exported& exported, const Origin* origin = nullptr) {
    ++cases_;
    const Findings expected = reference::validate(exported, origin);
    if (!expected.empty()) ++faulty_;
    if (expected == validate(exported, origin)) return;
    if (++differences_ <= most_reported) ADD_FAILURE() << disagreement(exported, origin);
  }

  // A sweep must see valid and invalid structs.
  void expect_both_kinds(std::size_t at_least) const {
    EXPECT_GE(faulty_, at_least);
    EXPECT_GE(cases_ - faulty_, at_least);
    EXPECT_EQ(differences_, 0u) << "of " << cases_ << " cases";
  }

 private:
  std::size_t cases_ = 0;
  std::size_t differences_ = 0;
  std::size_t faulty_ = 0;
};

}  // namespace dlspec::optimized::testing
