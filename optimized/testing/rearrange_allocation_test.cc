// Rearrangements do not allocate. The counting operators are in allocation_test.cc.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include <dlspec/optimized/rearrange/rearrange.h>
#include <dlspec/optimized/testing/allocations.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::optimized::testing {
namespace {

using Numbers = std::vector<std::int64_t>;

struct Copy {
  Numbers shape, to, from;
};

TEST(RearrangeAllocations, AreNone) {
  const std::vector<Copy> copies{
      {{4, 2, 3}, {6, 3, 1}, {1, 12, 4}}, {{64, 64}, {64, 1}, {1, 64}},     {{1000}, {1}, {-1}},
      {{100, 3}, {3, 1}, {1, 100}},       {{512, 512}, {512, 1}, {1, 512}}, {{3, 700}, {700, 1}, {0, 1}},
      {{700, 3}, {3, 1}, {1, 0}},
  };
  std::vector<std::uint32_t> to(1 << 18), from(1 << 18);
  for (const Copy& copy : copies) {
    const View to_view({kDLFloat, 32, 1}, copy.shape, copy.to.data());
    const View from_view({kDLFloat, 32, 1}, copy.shape, copy.from.data());
    const std::uint32_t* const source = from.data() + (copy.from[0] < 0 ? 999 : 0);
    Status planned{}, executed{}, once{};
    EXPECT_EQ(allocations_of([&] {
                Plan plan;
                planned = make_plan(to_view, from_view, plan, {.threads = 3});
                executed = execute(plan, to.data(), source);
                once = rearrange(to_view, to.data(), from_view, source);
              }),
              0u);
    EXPECT_EQ(planned, Status::ok);
    EXPECT_EQ(executed, Status::ok);
    EXPECT_EQ(once, Status::ok);
  }
}

}  // namespace
}  // namespace dlspec::optimized::testing
