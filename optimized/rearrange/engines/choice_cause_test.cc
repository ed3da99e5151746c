// What decides between methods, kernels and orders of loops: one layout for each cause, on the processors it concerns.
#include <gtest/gtest.h>

#include <cstdint>

#include <dlspec/optimized/rearrange/engines/engine.h>
#include <dlspec/optimized/rearrange/engines/machine.h>
#include <dlspec/optimized/rearrange/rearrange.h>
#include <dlspec/optimized/testing/planned_layout.h>

namespace dlspec::optimized {
namespace {

using testing::Layout, testing::cycles_of, testing::machines, testing::make_plan, testing::plan_of;

// What takes vectors of 64 bytes.
class ChoiceOfAvx512 : public ::testing::Test {
 protected:
  void SetUp() override {
    if (engine_ == nullptr) GTEST_SKIP() << "another processor";
  }
  const Engine* const engine_ = find_engine("avx512");
};

// Runs of one line that alternate in the source are 600 KB apart in the destination.
TEST(Choice, RunsInTheOrderOfTheDestination) {
  const Layout runs{1, {2, 8, 197, 64}, {605184, 75648, 384, 1}, {64, 25216, 128, 1}};
  for (const Machine& machine : machines) {
    for (const Engine& engine : engines()) {
      const Plan plan = plan_of(runs, engine, machine);
      EXPECT_EQ(plan.method, Method::runs);
      EXPECT_EQ(plan.b.to, 384);
    }
  }
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
TEST_F(ChoiceOfAvx512, FillsRowsOfALine) {
  const Layout rows{2, {4, 64, 41, 32}, {83968, 1312, 32, 1}, {2624, 41, 1, 0}};
  for (const Machine& machine : machines) EXPECT_EQ(plan_of(rows, *engine_, machine).method, Method::fill);
}

// Rows of 128 bytes, each of one element, go where they are written, not from one element to the next: those are far
// apart in the destination.
TEST_F(ChoiceOfAvx512, FillsInTheOrderOfTheDestination) {
  const Layout rows{1, {4, 2, 16, 256, 128}, {12582912, 6291456, 393216, 128, 1}, {0, 1, 0, 2, 0}};
  for (const Machine& machine : machines) {
    const Plan plan = plan_of(rows, *engine_, machine);
    EXPECT_EQ(plan.method, Method::fill);
    EXPECT_EQ(plan.b.to, 128);
  }
}

// Six rows in turn whose elements are pages apart: those that follow each other in the source share a line.
TEST_F(ChoiceOfAvx512, FillsInTheOrderOfTheSource) {
  const Layout rows{8, {2, 2364, 6, 20}, {283680, 120, 20, 1}, {14184, 1, 2364, 0}};
  const Plan plan = plan_of(rows, *engine_, machines[1]);
  EXPECT_EQ(plan.method, Method::fill);
  EXPECT_EQ(plan.b.from, 8);
}

// What is copied, transposed or shuffled prefetches what it writes where the processor does not.
TEST(Choice, PrefetchesToWriteByTheCore) {
  const Layout layouts[] = {{1, {512, 64, 384}, {24576, 384, 1}, {384, 0, 1}},
                            {4, {512, 512}, {512, 1}, {1, 512}},
                            {1, {1 << 16, 3}, {3, 1}, {1, 1 << 16}}};
  for (const Layout& layout : layouts) {
    for (const Engine& engine : engines()) {
      for (const Machine& machine : machines)
        EXPECT_EQ(plan_of(layout, engine, machine).prefetching, prefetches_to_write(machine.core));
    }
  }
}

// Behind the ends of short rows there is nothing to write; what is in L1 needs no prefetch.
TEST(Choice, PrefetchesNoLinesThatNobodyWrites) {
  const Layout apart{1, {4608, 40}, {2560, 1}, {40, 1}}, in_l1{8, {64, 32}, {32, 1}, {1, 64}};
  for (const Engine& engine : engines()) {
    for (const Machine& machine : machines) {
      EXPECT_FALSE(plan_of(apart, engine, machine).prefetching);
      EXPECT_FALSE(plan_of(in_l1, engine, machine).prefetching);
    }
  }
}

// 40 rows at the same place of a page, of which L1 keeps eight: each line would be read again for all its elements.
TEST(Choice, AvoidsRowsOfOneSet) {
  const Layout gather{4, {512, 20, 40}, {800, 40, 1}, {2, 4096, 99328}};
  const Plan plan = plan_of(gather, engines().front(), machines[1]);
  EXPECT_EQ(plan.method, Method::strided);
  EXPECT_EQ(plan.a.from, 8);
}

// Tiles of 16 rows leave an edge tile of four, or of six, which costs more than a full one.
TEST(Choice, CountsEdgeTiles) {
  const Engine* const sse2 = find_engine("sse2");
  if (sse2 == nullptr) GTEST_SKIP() << "another processor";
  const auto cycles = [&](std::int64_t inner, std::int64_t outer) {
    const Layout layout{1, {64, outer, inner}, {inner * outer, inner, 1}, {1, 1536, 64}};
    return cycles_of(layout, *sse2, machines[1], methods_of(Method::indexed_transpose));
  };
  EXPECT_GT(cycles(4, 4), 0);
  EXPECT_GT(cycles(4, 5), 3 * cycles(4, 4)) << "a block and the rest of the axis";
  EXPECT_GT(cycles(6, 6), cycles(6, 2)) << "one block";
}

// Elements that L1 holds, to as many lines of eight sets, which it does not hold.
TEST(Choice, CountsWhatIsWritten) {
  const auto cycles = [](std::int64_t pitch) {
    return cycles_of({16, {480}, {pitch}, {1}}, engines().front(), machines[1], methods_of(Method::strided));
  };
  EXPECT_GT(cycles(2), 0);
  EXPECT_GT(cycles(32), 1.5 * cycles(2));
}

// Edge tiles in L1, lane by lane on one processor, with masks on the other.
TEST_F(ChoiceOfAvx512, TransposesEdgesByTheCore) {
  const Layout edges{4, {8, 8, 3, 7}, {168, 21, 7, 1}, {56, 1, 448, 8}};
  for (const Machine& machine : machines) {
    Plan plan;
    const PlanOptions options{.engine = engine_,
                              .threads = 1,
                              .methods = methods_of(Method::indexed_transpose),
                              .narrower = false,
                              .machine = &machine};
    ASSERT_EQ(make_plan(edges, options, plan), Status::ok);
    ASSERT_EQ(plan.method, Method::indexed_transpose);
    EXPECT_EQ(plan.edges_in_lanes, edges_in_lanes(machine.core));
  }
}

// Runs of 3.5 vectors of 64 bytes or 7 of 32, which take a loop.
TEST_F(ChoiceOfAvx512, AvoidsTheLoopOfALongRun) {
  const Layout runs{1, {36, 224}, {224, 1}, {288, 1}};
  EXPECT_STREQ(plan_of(runs, *engine_, machines[1]).row, "avx512");
}

// Byte shuffles: the masked tile at the end of a row costs little more than the others, the call for each row of four
// tiles more than they do, and stores of 40 bytes more than whole vectors.
TEST_F(ChoiceOfAvx512, CountsWhatByteShufflesTake) {
  const Layout ends{1, {2, 4, 20, 3, 7}, {1680, 420, 21, 7, 1}, {1, 42, 168, 14, 2}};
  const Layout rows{8, {56, 32}, {95, 2}, {32, 1}};
  const Layout parts{4, {3, 1024, 10}, {10240, 10, 1}, {10, 30, 1}};
  for (const Machine& machine : machines) {
    if (machine.core == Core::zen4) continue;
    EXPECT_EQ(plan_of(ends, *engine_, machine).method, Method::byte_shuffle);
    EXPECT_EQ(plan_of(rows, *engine_, machine).method, Method::strided);
    EXPECT_EQ(plan_of(parts, *engine_, machine).method, Method::runs);
  }
}

// Each row of a 64-byte tile crosses a line if the rows of the destination are no whole lines, of a 32-byte tile every
// second.
TEST_F(ChoiceOfAvx512, CountsStoresThatCrossLines) {
  const Layout crossing{2, {4, 14, 14, 8}, {1568, 112, 8, 1}, {1568, 8, 112, 1}};
  for (const Machine& machine : machines) {
    if (machine.core == Core::zen4 || machine.core == Core::zen5) continue;  // where they take little more
    EXPECT_STREQ(plan_of(crossing, *engine_, machine).row, "avx2");
  }
}

// Rows of 6,400 bytes, 1.75 MiB in all: L2 has 2 MiB and holds either the source or the destination.
TEST_F(ChoiceOfAvx512, StreamsWhatL2HoldsOnce) {
  const Layout rows{4, {14, 20, 1600}, {32000, 1600, 1}, {32020, 1601, 1}};
  EXPECT_TRUE(plan_of(rows, *engine_, machines[2]).streaming);
  const Layout half{4, {7, 20, 1600}, {32000, 1600, 1}, {32020, 1601, 1}};
  EXPECT_FALSE(plan_of(half, *engine_, machines[2]).streaming);
}

// Six source columns of 4 bytes fill no tile, and edge tiles take ordinary stores; of ten, AVX2 streams eight.
TEST(Choice, StreamsNoEdgeTiles) {
  const Engine* const avx2 = find_engine("avx2");
  if (avx2 == nullptr) GTEST_SKIP() << "another processor";
  const auto is_streamed = [&](std::int64_t columns) {
    Plan plan;
    const PlanOptions options{
        .engine = avx2, .threads = 1, .stream_from = 0, .methods = methods_of(Method::transpose), .narrower = false};
    const Layout layout{4, {columns, 24, 32, 128}, {98304, 4096, 128, 1}, {1, 128 * columns, 0, columns}};
    EXPECT_EQ(make_plan(layout, options, plan), Status::ok);
    return plan.streaming;
  };
  EXPECT_FALSE(is_streamed(6));
  EXPECT_TRUE(is_streamed(10));
}

// Elements of which each line is read once, from beyond L2; not those of which other axes read the lines, too.
TEST(Choice, ReadsElementsAhead) {
  const auto is_ahead = [](const Layout& layout, const Machine& machine) {
    Plan plan;
    const PlanOptions options{
        .engine = &engines().front(), .threads = 1, .methods = methods_of(Method::strided), .machine = &machine};
    EXPECT_EQ(make_plan(layout, options, plan), Status::ok);
    return plan.reading_ahead;
  };
  for (const Machine& machine : machines) {
    const bool ahead = prefetches_to_write(machine.core);
    EXPECT_EQ(is_ahead({1, {1 << 18}, {1}, {32}}, machine), ahead);
    EXPECT_FALSE(is_ahead({1, {1 << 18}, {1}, {16}}, machine)) << "four elements a line";
    EXPECT_FALSE(is_ahead({1, {1 << 18}, {1}, {160}}, machine)) << "which the prefetcher of L2 follows";
    EXPECT_FALSE(is_ahead({1, {1 << 12}, {1}, {64}}, machine)) << "in L2";
    EXPECT_FALSE(is_ahead({1, {1 << 18, 32}, {32, 1}, {1, 1 << 18}}, machine));
    EXPECT_FALSE(is_ahead({1, {64, 1 << 16}, {1 << 16, 1}, {1, 64}}, machine)) << "lines are read again";
  }
}

// Stores that cross cache lines are slow on one processor; on another, the loop of runs of more than four vectors is.
TEST(Choice, AlignsRunsByTheCore) {
  for (const std::int64_t run : {200, 400}) {
    const Layout runs{1, {256, run}, {run, 1}, {run + 8, 1}};
    for (const Machine& machine : machines) {
      const Plan plan = plan_of(runs, engines().back(), machine);
      EXPECT_EQ(plan.aligning,
                aligns_runs(machine.core, run > 4 * static_cast<std::int64_t>(find_engine(plan.row)->width)));
    }
  }
  EXPECT_TRUE(aligns_runs(Core::sapphire_rapids, false));
  EXPECT_FALSE(aligns_runs(Core::zen5, false));
  EXPECT_TRUE(aligns_runs(Core::zen5, true));
}

// String instructions: runs of more than 4 KiB in L2, of more than 8 KiB where L3 holds the destination, fills beyond
// L2.
TEST(Choice, UsesStringsByTheCore) {
  const auto rows = [](std::int64_t run, std::int64_t count) {
    return Layout{1, {count, run}, {run, 1}, {run + 8, 1}};
  };
  const auto filled = [](std::int64_t bytes) { return Layout{1, {bytes}, {1}, {0}}; };
  const Engine& engine = engines().back();
  for (const Machine& machine : machines) {
    const bool fast = has_fast_strings(machine.core);
    const Layout immense{1, {std::int64_t{1} << 62}, {1}, {1}};  // twice as many bytes are beyond 63 bits
    for (const Layout& layout : {rows(4160, 24), rows(4160, 200), rows(8256, 200), filled(1 << 21), immense}) {
      const Plan plan = plan_of(layout, engine, machine);
      EXPECT_EQ(plan.by_string, fast) << layout.text();
      EXPECT_FALSE(fast && plan.streaming) << layout.text();
    }
    for (const Layout& layout :
         {rows(8192, 2), rows(4096, 24), rows(8128, 200), rows(8128, 4000), rows(1024, 2048), filled(1 << 18)})
      EXPECT_FALSE(plan_of(layout, engine, machine).by_string) << layout.text();
  }
  EXPECT_TRUE(has_fast_strings(Core::zen5));
}

// Beyond L3, non-temporal stores of whole lines leave it to the source.
TEST(Choice, StreamsLongRunsBeyondL3) {
  const Machine zen5{.l1 = 48 << 10, .l2 = 1 << 20, .l3 = 16 << 20, .core = Core::zen5};
  if (engines().size() == 1) GTEST_SKIP() << "needs an engine that streams";
  for (const std::int64_t count : {60, 150}) {
    const Layout runs{1, {count, 1 << 18}, {1 << 18, 1}, {1 << 19, 1}};
    const Plan plan = plan_of(runs, engines().back(), zen5);
    EXPECT_EQ(plan.streaming, count == 150);
    EXPECT_EQ(plan.by_string, count == 60);
  }
  const Layout parts_of_lines{1, {150, 1 << 18}, {(1 << 18) + 8, 1}, {1 << 19, 1}};
  EXPECT_TRUE(plan_of(parts_of_lines, engines().back(), zen5).by_string);
  const Layout broadcast{1, {150, 1 << 18}, {1 << 18, 1}, {0, 1}};
  EXPECT_TRUE(plan_of(broadcast, engines().back(), zen5).by_string) << "L3 keeps the source";
}

// Non-temporal stores that are asked for.
TEST(Choice, StreamsInThePlaceOfStringsWhereAsked) {
  const Machine zen5{.l1 = 48 << 10, .l2 = 1 << 20, .l3 = 16 << 20, .core = Core::zen5};
  const Layout copied{1, {1 << 21}, {1}, {1}};
  Plan plan;
  ASSERT_EQ(make_plan(copied, {.engine = &engines().back(), .threads = 1, .stream_from = 1, .machine = &zen5}, plan),
            Status::ok);
  EXPECT_TRUE(plan.streaming || engines().size() == 1);
  EXPECT_FALSE(plan.by_string);
}

}  // namespace
}  // namespace dlspec::optimized
