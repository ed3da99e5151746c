// Does the emulated memory notice? Each fault that a GPU would let pass, and beside it what is none; and what the
// tracer counts for patterns whose sectors and cycles are known.
#include <gtest/gtest.h>

#include <array>

#include <dlspec/optimized/cuda/testing/emulated_memory.h>

namespace dlspec::optimized::cuda::testing {
namespace {

class EmulatorNotices : public ::testing::Test {
 protected:
  EmulatorNotices() {
    plan.to_end = plan.from_end = 64;
    memory.begin(plan);
    begin_block();
  }
  void begin_block() {
    shared.begin_block(64);
    shared.begin_phase();
  }
  void put(std::uint32_t thread, std::uint32_t offset) {
    memory.running.thread = thread;
    memory.shared_store<4>(0, 0, offset, {});
  }
  void get(std::uint32_t thread, std::uint32_t offset) {
    memory.running.thread = thread;
    memory.shared_load<4>(0, 0, offset);
  }

  alignas(128) std::array<std::uint8_t, 64> to{}, from{};
  CudaPlan plan{};
  BufferMemory global{to.data(), from.data()};
  SharedMemory shared;
  Faults faults;
  Tracer tracer;
  EmulatedMemory<BufferMemory> memory{global, shared, faults, &tracer};
};

TEST_F(EmulatorNotices, RacesOfAPhase) {
  put(0, 0);
  put(0, 0);
  get(0, 0);
  EXPECT_EQ(faults.all(), 0) << "one thread with itself";
  put(1, 4);
  EXPECT_EQ(faults.all(), 0) << "another place";
  put(1, 0);
  EXPECT_EQ(faults.races, 8) << "a write of what was written, and read, for each byte";
}

TEST_F(EmulatorNotices, ReadsThatRaceWithWrites) {
  put(0, 0);
  get(1, 0);
  EXPECT_EQ(faults.races, 4);
  faults = {};
  shared.begin_phase();
  get(1, 0);
  get(2, 0);
  EXPECT_EQ(faults.all(), 0) << "behind a barrier, and two that read";
  put(2, 0);
  EXPECT_EQ(faults.races, 4) << "one of the readers writes";
}

TEST_F(EmulatorNotices, ReadsOfWhatNobodyWrote) {
  get(0, 0);
  EXPECT_EQ(faults.uninitialised, 4);
  put(0, 0);
  begin_block();
  faults = {};
  get(0, 0);
  EXPECT_EQ(faults.uninitialised, 4) << "what another block left there";
  EXPECT_EQ(faults.all(), 4);
}

TEST_F(EmulatorNotices, BoundsAndAlignmentOfSharedMemory) {
  put(0, 60);
  EXPECT_EQ(faults.all(), 0);
  put(0, 61);
  put(0, 0xFFFFFFFC);
  EXPECT_EQ(faults.out_of_range, 2);
  put(0, 2);
  EXPECT_EQ(faults.misaligned, 1);
}

TEST_F(EmulatorNotices, BoundsAndAlignmentOfGlobalMemory) {
  memory.load<4>(0, 0, 60);
  memory.store<4>(0, 0, 0, {});
  EXPECT_EQ(faults.all(), 0);
  memory.load<4>(0, 0, 61);
  memory.load<4>(0, 0, -1);
  memory.store<4>(0, 0, 64, {});
  memory.store<4>(0, 0, -4, {});
  EXPECT_EQ(faults.out_of_range, 4);
  memory.load<4>(0, 0, 2);
  memory.store<8>(0, 0, 12, {});
  EXPECT_EQ(faults.misaligned, 2);
}

TEST_F(EmulatorNotices, BytesThatAreWrittenTwice) {
  memory.store<4>(0, 0, 0, {});
  memory.store<4>(0, 0, 4, {});
  EXPECT_EQ(faults.all(), 0);
  memory.store<2>(0, 0, 6, {});
  EXPECT_EQ(faults.written_twice, 2);
  EXPECT_EQ(global.bytes_written(), 8);
}

// What one request of a warp costs, of which thread i accesses the offset i * stride.
class TracerCounts : public ::testing::Test {
 protected:
  static Traffic request(Tracer::Kind kind, std::int64_t stride, std::uint32_t width, std::int64_t first = 0) {
    Tracer tracer;
    for (std::uint32_t i = 0; i < 32; ++i) tracer.record(kind, 0, 0, i, first + i * stride, width);
    tracer.count();
    return kind == Tracer::Kind::load ? tracer.loads() : tracer.shared_loads();
  }
  static std::int64_t sectors(std::int64_t stride, std::uint32_t width, std::int64_t first = 0) {
    return request(Tracer::Kind::load, stride, width, first).units;
  }
  static std::int64_t cycles(std::int64_t stride, std::uint32_t width) {
    return request(Tracer::Kind::shared_load, stride, width).units;
  }
};

TEST_F(TracerCounts, Sectors) {
  EXPECT_EQ(sectors(4, 4), 4);
  EXPECT_EQ(sectors(4, 4, 4), 5) << "a row that begins inside a sector";
  EXPECT_EQ(sectors(16, 16), 16);
  EXPECT_EQ(sectors(8, 4), 8) << "every second word";
  EXPECT_EQ(sectors(128, 4), 32);
  EXPECT_EQ(sectors(0, 4), 1) << "one word for all";
  EXPECT_EQ(request(Tracer::Kind::load, 8, 4).per_ideal(), 2);
  EXPECT_EQ(request(Tracer::Kind::load, 4, 4).per_ideal(), 1);
}

TEST_F(TracerCounts, CyclesOfBanks) {
  EXPECT_EQ(cycles(4, 4), 1);
  EXPECT_EQ(cycles(1, 1), 1) << "four threads in each word";
  EXPECT_EQ(cycles(0, 4), 1) << "one word for all";
  EXPECT_EQ(cycles(8, 4), 2);
  EXPECT_EQ(cycles(128, 4), 32);
  EXPECT_EQ(cycles(132, 4), 1) << "a bank left out after each row";
  EXPECT_EQ(cycles(8, 8), 2) << "half a warp at a time";
  EXPECT_EQ(cycles(16, 16), 4) << "a quarter of a warp at a time";
  EXPECT_EQ(request(Tracer::Kind::shared_load, 16, 16).per_ideal(), 1);
  EXPECT_EQ(request(Tracer::Kind::shared_load, 32, 16).per_ideal(), 2);
}

}  // namespace
}  // namespace dlspec::optimized::cuda::testing
