// What the engines choose, by the cost model alone: nothing is timed, so that the same layouts give the same answer on
// every processor.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <dlspec/optimized/rearrange/engines/engine.h>
#include <dlspec/optimized/rearrange/engines/machine.h>
#include <dlspec/optimized/rearrange/rearrange.h>
#include <dlspec/optimized/testing/planned_layout.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::optimized {
namespace {

using testing::Layout, testing::Numbers, testing::cycles_of, testing::machines;

// Rounding, and methods that are not tried because the copy is too short to repay planning them.
constexpr double tolerance = 1.3, short_cycles = 3000;

class Layouts {
 public:
  explicit Layouts(unsigned seed) : random_(seed) {}

  // Permuted, sliced, stepped, reversed or repeated axes of an array; a compact destination or one with gaps.
  Layout next() {
    constexpr std::int64_t extents[] = {2, 3, 4, 5, 7, 8, 12, 16, 17, 32, 48, 64, 96, 100, 128, 197, 256, 384, 1000};
    Layout layout;
    layout.size = static_cast<std::uint8_t>(1 << below(5));
    std::int64_t elements = 1;
    for (std::size_t rank = 1 + below(5); rank > 0; --rank) {
      const std::int64_t extent = extents[below(std::size(extents))];
      if (elements * extent > 1 << 22) break;
      layout.shape.push_back(extent);
      elements *= extent;
    }
    layout.from = strides(layout.shape, true);
    layout.to =
        below(4) == 0 ? strides(layout.shape, false) : strides_in_order(layout.shape, order(layout.shape), false);
    return layout;
  }

 private:
  std::size_t below(std::size_t end) { return random_() % end; }

  static std::vector<std::size_t> order(const Numbers& shape) {
    std::vector<std::size_t> axes(shape.size());
    for (std::size_t i = 0; i < axes.size(); ++i) axes[i] = i;
    return axes;
  }

  Numbers strides(const Numbers& shape, bool source) {
    std::vector<std::size_t> axes = order(shape);
    if (below(3) != 0) std::shuffle(axes.begin(), axes.end(), random_);
    Numbers result = strides_in_order(shape, axes, true);
    if (!source) return result;
    for (std::int64_t& stride : result) {
      if (below(12) == 0) stride = 0;
      if (below(12) == 0) stride = -stride;
    }
    return result;
  }

  // Outermost first; with gaps and steps if they are wanted.
  Numbers strides_in_order(const Numbers& shape, const std::vector<std::size_t>& axes, bool gaps) {
    Numbers result(shape.size());
    std::int64_t stride = 1;
    for (std::size_t i = axes.size(); i-- > 0;) {
      if (gaps && below(6) == 0) stride *= static_cast<std::int64_t>(2 + below(5));
      result[axes[i]] = stride;
      stride *= shape[axes[i]];
      if (gaps && below(5) == 0) stride += static_cast<std::int64_t>(below(70));
    }
    return result;
  }

  std::mt19937 random_;
};

TEST(Choice, CostsNoMoreThanThatOfASimplerEngine) {
  Layouts layouts(1);
  int compared = 0;
  for (int i = 0; i < 4000; ++i) {
    const Layout layout = layouts.next();
    for (const Machine& machine : machines) {
      double least = -1;
      for (const Engine& engine : engines()) {
        const double cycles = cycles_of(layout, engine, machine);
        if (cycles < 0) continue;
        if (least >= 0 && cycles > short_cycles) {
          ++compared;
          ASSERT_LE(cycles, tolerance * least) << engine.name << ": " << layout.text();
        }
        least = least < 0 ? cycles : std::min(least, cycles);
      }
    }
  }
  EXPECT_GT(compared, 10'000);
}

// The choice is the least of its candidates, each alone, but for those that take more instructions than the best.
TEST(Choice, CostsNoMoreThanAnyMethod) {
  Layouts layouts(2);
  int compared = 0;
  for (int i = 0; i < 2000; ++i) {
    const Layout layout = layouts.next();
    for (const Engine& engine : engines()) {
      const double chosen = cycles_of(layout, engine, machines[0]);
      if (chosen < short_cycles) continue;
      for (Methods method = 1; method < all_methods; method *= 2) {
        const double alone = cycles_of(layout, engine, machines[0], method);
        if (alone < 0) continue;
        ++compared;
        ASSERT_LE(chosen, tolerance * alone) << engine.name << ", method " << method << ": " << layout.text();
      }
    }
  }
  EXPECT_GT(compared, 10'000);
}

// Payloads between the L2 of two processors: non-temporal stores on the one whose caches do not hold them.
TEST(Choice, DependsOnTheMachine) {
  const Engine* const engine = find_engine("avx512");
  if (engine == nullptr) GTEST_SKIP() << "another processor";
  const Numbers shape{512, 1024}, pitch{1040, 1};
  const Machine small{.l1 = 32 << 10, .l2 = 256 << 10, .l3 = 1 << 20}, large{.l1 = 32 << 10, .l2 = 16 << 20};
  for (const bool is_large : {false, true}) {
    Plan plan;
    ASSERT_EQ(make_plan({{kDLFloat, 32, 1}, shape, nullptr}, {{kDLFloat, 32, 1}, shape, pitch.data()}, plan,
                        {.engine = engine, .threads = 1, .machine = is_large ? &large : &small}),
              Status::ok);
    EXPECT_EQ(plan.streaming, !is_large);
  }
}

// A run that the loops split is counted once.
TEST(Choice, CountsACopyOnce) {
  const Machine small{.l2 = 1 << 20, .l3 = 32 << 20, .core = Core::zen4};
  for (const std::int64_t bytes : {std::int64_t{2} << 20, std::int64_t{64} << 20}) {
    const Numbers shape{bytes};
    const View view({kDLUInt, 8, 1}, shape, nullptr);
    Plan plan;
    ASSERT_EQ(make_plan(view, view, plan, {.engine = &engines().back(), .threads = 1, .machine = &small}), Status::ok);
    EXPECT_EQ(plan.method, Method::copy);
    EXPECT_EQ(plan.streaming, bytes > small.l3);
    EXPECT_LT(plan.cycles, static_cast<double>(bytes));
  }
}

// Rows that L3 holds: on Zen 4, whose L3 is faster than its memory, with ordinary stores.
TEST(Choice, DependsOnTheCore) {
  const Engine* const engine = find_engine("avx512");
  if (engine == nullptr) GTEST_SKIP() << "another processor";
  const Numbers pitch{2048, 1};
  for (const Core core : {Core::sapphire_rapids, Core::zen4}) {
    const Machine small{.l2 = 1 << 20, .l3 = 32 << 20, .core = core};
    for (const std::int64_t rows : {1024, 16384}) {
      const Numbers shape{rows, 1024};
      Plan plan;
      ASSERT_EQ(make_plan({{kDLFloat, 32, 1}, shape, nullptr}, {{kDLFloat, 32, 1}, shape, pitch.data()}, plan,
                          {.engine = engine, .threads = 1, .machine = &small}),
                Status::ok);
      EXPECT_EQ(plan.streaming, core == Core::sapphire_rapids || rows == 16384) << core_name(core) << rows;
    }
  }
}

}  // namespace
}  // namespace dlspec::optimized
