#include <dlspec/optimized/rearrange/engines/cost.h>

#include <gtest/gtest.h>

#include <initializer_list>

namespace dlspec::optimized {
namespace {

constexpr Machine machine{.l1 = 48 << 10, .l2 = 1 << 20, .l3 = 32 << 20};

struct Loops {
  std::int64_t count, to, from;
};

Fetches count(std::int64_t run, std::initializer_list<Loops> loops, bool streaming = false) {
  LoopCounter counter(run);
  for (const Loops& loop : loops) counter.add(loop.count, loop.to, loop.from);
  return counter.count(machine, streaming);
}

TEST(Cost, WhatFitsACacheIsNotFetchedAgain) {
  const Fetches small = count(4, {{4096, 4, 4}});  // 16 KiB twice
  EXPECT_EQ(small.read[0] + small.written[0] + small.pages[0], 0);
  const Fetches large = count(4, {{65536, 4, 4}});  // 256 KiB twice: beyond L1, within L2
  EXPECT_NEAR(large.read[0], 4096, 1);
  EXPECT_NEAR(large.written[0], 4096, 1);
  EXPECT_EQ(large.read[1] + large.written[1], 0);
}

// A column of a table: a line for each element, again for every column if the lines of one do not stay in L1.
TEST(Cost, ColumnsFetchALineForEachElement) {
  const Fetches kept = count(4, {{512, 4, 192}, {48, 2048, 4}});
  EXPECT_NEAR(kept.read[0], 3 * 512, 1) << "each line is read once for 16 columns";
  const Fetches lost = count(4, {{4096, 4, 64}, {16, 16384, 4}});
  EXPECT_NEAR(lost.read[0], 16 * 4096, 1);
}

// Rows a page apart share a small part of L1: 12 of them fit.
TEST(Cost, RowsAPageApartCompete) {
  const Fetches apart = count(4, {{64, 4, 4096 + 64}, {16, 256, 4}});
  EXPECT_EQ(apart.read[0], 0);
  const Fetches same = count(4, {{64, 4, 4096}, {16, 256, 4}});
  EXPECT_NEAR(same.read[0], 16 * 64, 1);
}

// The inner loop touches 1 % more than L1 holds, of which almost all stays; the outer loop goes far beyond.
TEST(Cost, WhatAnInnerLoopKeepsIsLostToTheOuterOne) {
  constexpr double inner_lines = 776;
  const Fetches fetches = count(64, {{776 / 2, 64, 64}, {64, 1 << 16, 1 << 16}});
  EXPECT_NEAR(fetches.read[0] + fetches.written[0], 64 * inner_lines, 1);
  EXPECT_NEAR(fetches.read[1] + fetches.written[1], 64 * inner_lines, 1);
}

// Rows a page apart, nine of the destination and nine of the source's lines for each place: more than twelve ways.
TEST(Cost, OperandsCompeteForPlaces) {
  const Fetches alone = count(64, {{9, 4096, 0}, {16, 0, 0}, {64, 64, 0}});
  EXPECT_EQ(alone.written[0], 0);
  const Fetches both = count(64, {{9, 4096, 4096 + 64}, {64, 64, 576}});
  EXPECT_GT(both.written[0], 500);
}

// 16,384 chunks at the same place of a page each: many more than L2 has ways, and nothing to a hashed L3.
TEST(Cost, PlacesInL3AreHashed) {
  const Fetches fetches = count(4, {{16384, 4, 16384}, {16, 65536, 4}});
  EXPECT_NEAR(fetches.read[1], 16 * 16384, 1);
  EXPECT_EQ(fetches.read[2], 0);
}

// A diagonal: its second loop goes over the pages of the first again.
TEST(Cost, PagesAreNoMoreThanTheReach) {
  const Fetches fetches = count(2, {{125, 2, 10002}, {800, 250, 250}});
  EXPECT_GT(fetches.translations[0], 0);
  EXPECT_EQ(fetches.translations[1], 0);
}

// A core that finds its lines far apart in its instructions waits for fewer at a time.
TEST(Cost, FewLinesAtATimeTakeLonger) {
  const auto scattered = [](double instructions, Core core) {
    LoopCounter counter(64);
    counter.add(512, 64, 1 << 16);
    counter.add(1024, 32768, 64);
    counter.set_instructions(instructions);
    Machine other = machine;
    other.core = core;
    return counter.count(other, false).scattered[2];
  };
  for (const Core core : {Core::sapphire_rapids, Core::zen4, Core::zen5, Core::granite_rapids}) {
    EXPECT_EQ(scattered(3, core), scattered(0, core));
    EXPECT_GT(scattered(100, core), 2 * scattered(0, core));
  }
  EXPECT_GT(scattered(100, Core::zen4), scattered(100, Core::sapphire_rapids)) << "whose window is longer";
}

// 40 rows at the same place of a page, of which L1 keeps 12, are read again for each of eight elements of a line. Of 16
// lines that a core fetches at a time, each waits for 15 others of its set, or for seven if there are two sets. Rows at
// all places stay in L1.
TEST(Cost, LinesReadAgainWaitForOthersOfTheirSet) {
  const auto gather = [](std::int64_t pitch) { return count(4, {{40, 4, pitch}, {8, 160, 8}, {64, 1280, 64}}); };
  const double lines = 40 * 64;
  EXPECT_NEAR(gather(1 << 16).crowded[0], 7 * lines * 15, 1);
  EXPECT_NEAR(gather((1 << 16) + 2048).crowded[0], 7 * lines * 7, 1);
  EXPECT_EQ(gather((1 << 16) + 64).crowded[0], 0);
  EXPECT_GT(cycles_of(gather(1 << 16), Core::zen4), 4 * cycles_of(gather((1 << 16) + 64), Core::zen4));
}

// Rows four bytes from a page apart: 16 of them are in one line's place.
TEST(Cost, RowsAlmostAPageApartCrowd) {
  const Fetches fetches = count(1, {{1024, 1, 8 * 4096 - 4}, {4096, 1024, 2}});
  EXPECT_GT(fetches.crowded[0], 1e7);
}

// 40 rows a byte from three pages apart are at two places, which do not hold them.
TEST(Cost, RowsAlmostAPageApartCompete) {
  const Fetches fetches = count(1, {{40, 3 * 4096 - 1, 1}, {3072, 4, 672}});
  EXPECT_GT(fetches.written[0], 40 * 3072 / 2);
}

// Each once: a prefetcher that follows the rows brings them in time.
TEST(Cost, LinesReadOnceWaitForNoOthers) {
  const Fetches fetches = count(64, {{16, 64, 4096}, {64, 1024, 64}});
  EXPECT_EQ(fetches.crowded[0] + fetches.crowded[1], 0);
}

TEST(Cost, LinesWrittenAgainWaitForOthersOfTheirSet) {
  const Fetches fetches = count(8, {{64, 2048, 8}, {8, 8, 512}, {64, 64, 4096}});
  EXPECT_GT(fetches.crowded[1], 7 * 64 * 64 * 6);
}

TEST(Cost, BroadcastsReadNothingAgain) {
  const Fetches fetches = count(4, {{1024, 4, 4}, {1024, 4096, 0}});
  EXPECT_LE(fetches.read[0], 65);
  EXPECT_NEAR(fetches.written[0], 65536, 1);
}

TEST(Cost, StreamedLinesOccupyNoCache) {
  const Fetches fetches = count(4, {{8192, 4, 4}, {64, 32768, 0}}, true);
  EXPECT_EQ(fetches.written[0] + fetches.written[1] + fetches.written[2], 0);
  EXPECT_EQ(fetches.read[0], 0);
  EXPECT_NEAR(fetches.streamed, 64 * 512, 1);
}

// Non-temporal stores of single lines with gaps take longer than of pairs.
TEST(Cost, StreamedLinesWithoutANeighbour) {
  const Fetches lone = count(64, {{8192, 192, 64}}, true), pairs = count(128, {{4096, 384, 128}}, true),
                dense = count(64, {{8192, 64, 192}}, true);
  EXPECT_NEAR(lone.lone, 8192, 1);
  EXPECT_EQ(pairs.lone + dense.lone, 0);
  EXPECT_GT(cycles_of(lone, Core::zen4), 1.5 * cycles_of(pairs, Core::zen4));
}

// The prefetcher follows 16 rows at a time, not 512.
TEST(Cost, ManyRowsAtATimeAreScattered) {
  const Fetches few = count(64, {{16, 64, 1 << 16}, {1024, 1024, 64}});
  EXPECT_EQ(few.scattered[0], 0);
  const Fetches many = count(64, {{512, 64, 1 << 16}, {1024, 32768, 64}});
  EXPECT_NEAR(many.scattered[0], many.read[0], 1);
  EXPECT_GT(many.read[0], 0);
  EXPECT_GT(many.translations[0], 512 * 1023);
}

TEST(Cost, GrowsWithWhatIsFetched) {
  const Fetches less = count(4, {{1 << 16, 4, 4}}), more = count(4, {{1 << 24, 4, 4}});
  for (const Core core : {Core::sapphire_rapids, Core::zen4, Core::zen5, Core::granite_rapids}) {
    EXPECT_GT(cycles_of(less, core), 0);
    EXPECT_GT(cycles_of(more, core), 200 * cycles_of(less, core));
  }
}

TEST(Machine, IsReadFromText) {
  Machine read = machine;
  EXPECT_TRUE(read_machine("l2=2M,l3=480M", read));
  EXPECT_EQ(read.l1, machine.l1);
  EXPECT_EQ(read.l2, 2 << 20);
  EXPECT_EQ(read.l3, 480 << 20);
  EXPECT_TRUE(read_machine("l1=65536", read));
  EXPECT_EQ(read.l1, 65536);
  EXPECT_TRUE(read_machine("core=zen4,l2=1M", read));
  EXPECT_EQ(read.core, Core::zen4);
  EXPECT_EQ(read.l2, 1 << 20);
  EXPECT_TRUE(read_machine("core=zen5", read));
  EXPECT_EQ(read.core, Core::zen5);
  EXPECT_TRUE(read_machine("core=sapphire-rapids", read));
  EXPECT_EQ(read.core, Core::sapphire_rapids);
  EXPECT_TRUE(read_machine("core=granite-rapids", read));
  EXPECT_EQ(read.core, Core::granite_rapids);
}

TEST(Machine, IntelIsToldByItsL3) {
  constexpr std::int64_t mib = 1 << 20;
  EXPECT_EQ(intel_core(480 * mib), Core::granite_rapids);
  EXPECT_EQ(intel_core(320 * mib), Core::sapphire_rapids) << "Emerald Rapids";
}

TEST(Machine, AmdIsToldByItsFamily) {
  EXPECT_EQ(amd_core(0x17), Core::zen4) << "Zen 2: the nearest that was measured";
  EXPECT_EQ(amd_core(0x19), Core::zen4);
  EXPECT_EQ(amd_core(0x1a), Core::zen5);
}

TEST(Machine, WrongTextChangesNothing) {
  for (const char* const wrong : {"",
                                  "l1",
                                  "l1=",
                                  "l1=0",
                                  "l1=-4K",
                                  "l1=4",
                                  "l4=1M",
                                  "l1=48K,",
                                  "l1=48K;l2=1M",
                                  "l1=48K l2=1M",
                                  "l2=2m",
                                  "core=",
                                  "core=zen",
                                  "core=zen4K",
                                  "core=zen4,",
                                  "core=zen4,l2=0",
                                  "l1=64K,l2=0",
                                  "l1=99999999999999999999",
                                  "l3=9000000G",
                                  "l1=48KB"}) {
    Machine read = machine;
    EXPECT_FALSE(read_machine(wrong, read)) << wrong;
    EXPECT_EQ(read.l1, machine.l1) << wrong;
    EXPECT_EQ(read.l2, machine.l2) << wrong;
    EXPECT_EQ(read.core, machine.core) << wrong;
  }
}

}  // namespace
}  // namespace dlspec::optimized
