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
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::optimized {
namespace {

using Numbers = std::vector<std::int64_t>;

constexpr Machine machines[] = {{.l1 = 32 << 10, .l2 = 1 << 20, .l3 = 32 << 20},
                                {.l1 = 32 << 10, .l2 = 1 << 20, .l3 = 32 << 20, .core = Core::zen4},
                                {.l1 = 48 << 10, .l2 = 2 << 20, .l3 = 480 << 20},
                                {.l1 = 64 << 10, .l2 = 512 << 10, .l3 = 8 << 20}};

// Rounding, and methods that are not tried because the copy is too short to repay planning them.
constexpr double tolerance = 1.3, short_cycles = 3000;

struct Layout {
  std::uint8_t size;
  Numbers shape, to, from;

  [[nodiscard]] std::string text() const {
    std::string result = std::to_string(size) + " bytes";
    for (const Numbers* numbers : {&shape, &to, &from}) {
      result += " (";
      for (const std::int64_t number : *numbers) result += std::to_string(number) + " ";
      result += ')';
    }
    return result;
  }
};

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

double cycles_of(const Layout& layout, const Engine& engine, const Machine& machine, Methods methods = all_methods) {
  const abi::DataType dtype{kDLUInt, 8, layout.size};
  Plan plan;
  const Status status = make_plan({dtype, layout.shape, layout.to.data()}, {dtype, layout.shape, layout.from.data()},
                                  plan, {.engine = &engine, .threads = 1, .methods = methods, .machine = &machine});
  return status == Status::ok && (methods_of(plan.method) & methods) != 0 ? plan.cycles : -1;
}

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

Plan plan_of(const Layout& layout, const Engine& engine, const Machine& machine) {
  const abi::DataType dtype{kDLUInt, 8, layout.size};
  Plan plan;
  EXPECT_EQ(make_plan({dtype, layout.shape, layout.to.data()}, {dtype, layout.shape, layout.from.data()}, plan,
                      {.engine = &engine, .threads = 1, .machine = &machine}),
            Status::ok);
  return plan;
}

// Two bytes for every other line of the destination, in the order of a source that L1 holds: each element on another
// page. In the order of the destination a page takes 32 of them.
TEST(Choice, ScattersInTheOrderOfTheDestination) {
  const Layout scatter{2, {3, 4, 12, 4, 16}, {196608, 49152, 4096, 1024, 64}, {12, 36, 1, 144, 576}};
  for (const Machine& machine : machines) {
    const Plan plan = plan_of(scatter, engines().front(), machine);
    EXPECT_EQ(plan.method, Method::strided);
    EXPECT_EQ(plan.a.to, 128);
    for (std::size_t i = 1; i < plan.depth; ++i) EXPECT_LT(plan.loops[i - 1].to, plan.loops[i].to);
  }
}

// Four elements of each source line in turn leave a core few lines to wait for at a time.
TEST(Choice, ReadsManyLinesAtATime) {
  const Layout gather{4, {8, 24, 64, 4, 128}, {786432, 32768, 512, 128, 1}, {214656, 1717248, 13, 4, 1664}};
  const Plan plan = plan_of(gather, engines().front(), machines[1]);
  EXPECT_EQ(plan.method, Method::strided);
  EXPECT_EQ(plan.a.from, 6656);
}

// Rows of one element each are written, whatever the source's other axes are.
TEST(Choice, FillsRowsOfALine) {
  const Engine* const engine = find_engine("avx512");
  if (engine == nullptr) GTEST_SKIP() << "another processor";
  const Layout rows{2, {4, 64, 41, 32}, {83968, 1312, 32, 1}, {2624, 41, 1, 0}};
  for (const Machine& machine : machines) EXPECT_EQ(plan_of(rows, *engine, machine).method, Method::fill);
}

// A copied row prefetches the next ones for write where the processor does not.
TEST(Choice, PrefetchesToWriteByTheCore) {
  const Layout rows{1, {512, 64, 384}, {24576, 384, 1}, {384, 0, 1}};
  for (const Machine& machine : machines) {
    EXPECT_EQ(plan_of(rows, engines().front(), machine).prefetching, machine.core == Core::sapphire_rapids);
  }
}

// Runs of 3.5 vectors of 64 bytes or 7 of 32, which take a loop.
TEST(Choice, AvoidsTheLoopOfALongRun) {
  const Engine* const engine = find_engine("avx512");
  if (engine == nullptr) GTEST_SKIP() << "another processor";
  const Layout runs{1, {36, 224}, {224, 1}, {288, 1}};
  EXPECT_STREQ(plan_of(runs, *engine, machines[1]).row, "avx512");
}

}  // namespace
}  // namespace dlspec::optimized
