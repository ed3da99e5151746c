// The benchmark's cases on the emulated GPU: what each is and how it is copied, and what that costs in 32-byte sectors
// and in cycles of the banks of shared memory. cases.def has the figures; more is a failure, and so is less, until the
// table says so.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <map>
#include <random>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <dlspec/optimized/cuda/schedule/schedule.h>
#include <dlspec/optimized/cuda/testing/emulated_rearranger.h>
#include <dlspec/optimized/cuda/testing/virtual_memory.h>

namespace dlspec::optimized::cuda::testing {
namespace {

constexpr std::int64_t max_copied = 6 << 20;  // bytes; of larger cases only some blocks run
constexpr std::size_t sampled = 24;           // blocks

struct Row {
  const char* name;
  const char* layout_class;
  const char* kernel;
  int width, bits, threads, shared;
  double read, write, banks_load, banks_store;
};
constexpr Row table[] = {
#define DLSPEC_GPU_CASE(name, layout_class, kernel, width, bits, threads, shared, read, write, load, store) \
  {#name, #layout_class, #kernel, width, bits, threads, shared, read, write, load, store},
#include <dlspec/optimized/cuda/testing/cases.def>
#undef DLSPEC_GPU_CASE
};

struct Case {
  std::string name;
  Pair pair;
  std::int64_t to_offset = 0, from_offset = 0;  // bytes
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all = [] {
    std::vector<Case> read;
    std::ifstream file(DLSPEC_BENCH_CASES);
    const nlohmann::json document = nlohmann::json::parse(file);
    for (const auto& row : document.at("cases")) {
      Case made;
      made.name = row.at("name");
      const std::uint16_t size = row.at("item");
      made.pair = {{1, 8, size}, row.at("shape"), row.at("to"), row.at("from")};
      made.to_offset = row.value("to_offset", std::int64_t{0}) * size;
      made.from_offset = row.value("from_offset", std::int64_t{0}) * size;
      read.push_back(made);
    }
    return read;
  }();
  return all;
}

Rearrangement planned(const Case& each, Preference preference = Preference::cheaper) {
  Rearrangement copy;
  const Pair& pair = each.pair;
  EXPECT_EQ(make_plan({pair.dtype, pair.shape, pair.to.data()}, {pair.dtype, pair.shape, pair.from.data()}, copy),
            Status::ok);
  // Buffers are aligned to 256 bytes, as allocations of CUDA are.
  const auto address = [](std::int64_t offset, std::int64_t start) {
    return static_cast<std::uint64_t>(offset + start);
  };
  EXPECT_EQ(schedule(copy.geometry,
                     {alignment_of(address(each.to_offset, copy.geometry.to_start)),
                      alignment_of(address(each.from_offset, copy.geometry.from_start))},
                     copy.plan, preference),
            Status::ok);
  return copy;
}

std::vector<std::int64_t> some_blocks(const CudaPlan& plan) {
  std::vector<std::int64_t> blocks;
  if (plan.blocks <= static_cast<std::int64_t>(sampled)) {
    for (std::int64_t block = 0; block < plan.blocks; ++block) blocks.push_back(block);
    return blocks;
  }
  std::mt19937_64 random(20);
  blocks = {0, 1, plan.blocks - 2, plan.blocks - 1};
  while (blocks.size() < sampled) {
    blocks.push_back(static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(plan.blocks)));
    std::sort(blocks.begin(), blocks.end());
    blocks.erase(std::unique(blocks.begin(), blocks.end()), blocks.end());
  }
  return blocks;
}

Tracer traced(const Case& each, const Rearrangement& copy) {
  const auto residue = [](std::int64_t offset) { return static_cast<std::uint32_t>((offset % 128 + 128) % 128); };
  VirtualMemory memory(copy.geometry, residue(each.to_offset + copy.geometry.to_start),
                       residue(each.from_offset + copy.geometry.from_start));
  Emulator emulator;
  Tracer tracer;
  const std::vector<std::int64_t> blocks = some_blocks(copy.plan);
  EXPECT_TRUE(emulator.run(copy.plan, memory, 7, &tracer, blocks)) << each.name;
  EXPECT_EQ(emulator.faults().all(), 0) << each.name << ": " << emulator.faults().first;
  return tracer;
}

// Hundredths, rounded up.
double rounded(double figure) { return std::ceil(figure * 100 - 1e-6) / 100; }

std::string line_of(const Case& each, const CudaPlan& plan, const Tracer& tracer) {
  char text[300];
  static_cast<void>(std::snprintf(
      text, sizeof text, "DLSPEC_GPU_CASE(%s, %s, %s, %d, %d, %d, %d, %.2f, %.2f, %.2f, %.2f)", each.name.c_str(),
      name_of(plan.layout_class), name_of(plan.kernel), plan.width, plan.wide != 0 ? 64 : 32, plan.threads,
      static_cast<int>(plan.shared_bytes), rounded(tracer.loads().per_ideal()), rounded(tracer.stores().per_ideal()),
      rounded(tracer.shared_stores().per_ideal()), rounded(tracer.shared_loads().per_ideal())));
  return text;
}

std::string line_of(const Row& row) {
  char text[300];
  static_cast<void>(std::snprintf(text, sizeof text,
                                  "DLSPEC_GPU_CASE(%s, %s, %s, %d, %d, %d, %d, %.2f, %.2f, %.2f, %.2f)", row.name,
                                  row.layout_class, row.kernel, row.width, row.bits, row.threads, row.shared, row.read,
                                  row.write, row.banks_load, row.banks_store));
  return text;
}

TEST(EmulatorCases, AreClassifiedAndWithinTheirBudgets) {
  ASSERT_EQ(cases().size(), 71u);
  EXPECT_EQ(std::size(table), cases().size());
  std::string measured;
  for (std::size_t i = 0; i < cases().size(); ++i) {
    const Case& each = cases()[i];
    const Rearrangement copy = planned(each);
    EXPECT_TRUE(is_launchable(copy.plan)) << each.name;
    const std::string line = line_of(each, copy.plan, traced(each, copy));
    measured += line + "\n";
    if (i < std::size(table)) {
      EXPECT_EQ(line, line_of(table[i]));
    }
  }
  if (HasFailure()) std::puts(measured.c_str());
}

// Bounds that hold whatever the table says.
TEST(EmulatorCases, TheTableKeepsItsPromises) {
  std::map<std::string, int> classes;
  for (const Row& row : table) {
    ++classes[row.layout_class];
    const std::string kernel = row.kernel;
    const bool is_ideal = kernel == "contig" || kernel == "register_tile";
    const bool is_tile = kernel == "shared_tile";
    EXPECT_EQ(std::max(row.banks_load, row.banks_store), 1.0) << row.name;
    // The direct kernel is chosen where sectors that are read again cost less than a second phase.
    const double most = is_ideal ? 1.0 : is_tile ? 1.25 : 32.0 / row.width;
    EXPECT_LE(row.read, most) << row.name;
    EXPECT_LE(row.write, most) << row.name;
    EXPECT_LE(row.shared, max_shared_bytes) << row.name;
  }
  const std::map<std::string, int> expected{{"tile2d", 28}, {"tile_small", 15}, {"rows", 14},
                                            {"generic", 7}, {"contig", 5},      {"fill", 2}};
  EXPECT_EQ(classes, expected);
}

// Rows that begin anywhere, on both sides, in whole matrices and in parts of larger ones.
TEST(EmulatorCases, TransposesWithOddPitches) {
  for (const std::uint16_t size : {std::uint16_t{1}, std::uint16_t{2}, std::uint16_t{4}, std::uint16_t{8}}) {
    const std::vector<Pair> pairs{{{1, 8, size}, {2039, 1021}, {1021, 1}, {1, 2039}},
                                  {{1, 8, size}, {2048, 1024}, {1031, 1}, {1, 2053}},
                                  {{1, 8, size}, {2039, 1021}, {1021, 1}, {-1, 2039}},
                                  {{1, 8, size}, {3, 601, 403}, {245809, 409, 1}, {242204, 1, 601}},
                                  {{1, 8, size}, {31, 1763, 37}, {65231, 37, 1}, {65231, 1, 1763}}};
    for (const Pair& pair : pairs) {
      const Case each{pair.text(), pair, size, std::int64_t{3} * size};
      const Rearrangement copy = planned(each, Preference::shared_tile);
      const Tracer tracer = traced(each, copy);
      EXPECT_EQ(copy.plan.kernel, Kernel::shared_tile) << each.name;
      EXPECT_LE(tracer.loads().per_ideal(), 1.25) << each.name;
      EXPECT_LE(tracer.stores().per_ideal(), 1.25) << each.name;
      EXPECT_EQ(tracer.shared_loads().per_ideal(), 1.0) << each.name;
      EXPECT_EQ(tracer.shared_stores().per_ideal(), 1.0) << each.name;
    }
  }
}

// Axes of two and four elements: rows of banks that are left out keep the threads of a warp apart.
TEST(EmulatorCases, ShortAxesThroughSharedMemory) {
  std::uint32_t padded_plans = 0;
  for (const Pair& pair :
       {Pair{{1, 8, 4}, {4, 65'536}, {65'536, 1}, {1, 4}}, Pair{{1, 8, 4}, {65'536, 4}, {4, 1}, {1, 65'536}},
        Pair{{1, 8, 8}, {65'536, 2}, {2, 1}, {1, 65'536}}}) {
    const Case each{pair.text(), pair, 0, 0};
    const Rearrangement copy = planned(each, Preference::shared_tile);
    const Tracer tracer = traced(each, copy);
    padded_plans += copy.plan.shared_pad != 0 ? 1 : 0;
    EXPECT_EQ(copy.plan.kernel, Kernel::shared_tile) << each.name;
    EXPECT_EQ(tracer.shared_loads().per_ideal(), 1.0) << each.name;
    EXPECT_EQ(tracer.shared_stores().per_ideal(), 1.0) << each.name;
  }
  EXPECT_EQ(padded_plans, 3u);
}

// Every byte of the cases that are not too large, between buffers that are compared whole.
TEST(EmulatorCases, AgreeWithTheReference) {
  EmulatedRearranger rearranger;
  for (const Case& each : cases()) {
    if (planned(each).geometry.bytes > max_copied) continue;
    const Shift shift{static_cast<std::size_t>(each.to_offset % 128), static_cast<std::size_t>(each.from_offset % 128)};
    EXPECT_EQ(rearranger.difference(each.pair, shift), "") << each.name;
  }
  EXPECT_GE(rearranger.compared(), 40);
}

}  // namespace
}  // namespace dlspec::optimized::cuda::testing
