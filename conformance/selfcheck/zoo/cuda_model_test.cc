// The model of stream order: what is ordered is done in order, and what is not ordered is not done.
#include <string>
#include <thread>

#include <gtest/gtest.h>

#include "cuda_model/memory.h"
#include "cuda_model/streams.h"

namespace dlspec::conformance::cuda_model {
namespace {

// Work that appends a letter, so that the order shows.
class CudaModel : public ::testing::Test {
 protected:
  void write(Handle stream, char letter) {
    ASSERT_TRUE(streams.add(stream, [this, letter] { done += letter; }));
  }
  bool is_idle(Handle stream) {
    bool answer = false;
    EXPECT_TRUE(streams.is_idle(stream, answer));
    return answer;
  }

  Streams streams;
  std::string done;
};

TEST_F(CudaModel, NothingIsDoneBeforeSomebodyWaits) {
  const Handle stream = streams.create(false);
  write(stream, 'a');
  EXPECT_FALSE(is_idle(stream));
  EXPECT_EQ(done, "");
  EXPECT_TRUE(streams.synchronise(stream));
  EXPECT_EQ(done, "a");
  EXPECT_TRUE(is_idle(stream));
}

TEST_F(CudaModel, AStreamKeepsItsOrder) {
  const Handle stream = streams.create(false);
  for (const char letter : {'a', 'b', 'c'}) write(stream, letter);
  EXPECT_TRUE(streams.synchronise(stream));
  EXPECT_EQ(done, "abc");
}

TEST_F(CudaModel, ANonBlockingStreamWaitsForNoOther) {
  const Handle one = streams.create(false), other = streams.create(false);
  write(one, 'a');
  write(legacy_stream, 'b');
  write(other, 'c');
  EXPECT_TRUE(streams.synchronise(other));
  EXPECT_EQ(done, "c");
}

TEST_F(CudaModel, AnEventOrdersWhatWasRecorded) {
  const Handle one = streams.create(false), other = streams.create(false), event = streams.create_event();
  write(one, 'a');
  EXPECT_TRUE(streams.record(event, one));
  write(one, 'b');  // after the record
  EXPECT_TRUE(streams.wait(other, event));
  write(other, 'c');
  EXPECT_TRUE(streams.synchronise(other));
  EXPECT_EQ(done, "ac");
}

TEST_F(CudaModel, AWaitTakesTheEventAsItWasThen) {
  const Handle one = streams.create(false), other = streams.create(false), event = streams.create_event();
  EXPECT_TRUE(streams.wait(other, event));  // never recorded: nothing to wait for
  write(one, 'a');
  EXPECT_TRUE(streams.record(event, one));
  write(other, 'b');
  EXPECT_TRUE(streams.synchronise(other));
  EXPECT_EQ(done, "b");
  EXPECT_TRUE(streams.synchronise_event(event));
  EXPECT_EQ(done, "ba");
}

TEST_F(CudaModel, TheLegacyDefaultStreamIsOrderedAgainstBlockingStreams) {
  const Handle blocking = streams.create(true);
  write(blocking, 'a');
  write(legacy_stream, 'b');
  write(blocking, 'c');
  write(per_thread_stream, 'd');
  EXPECT_TRUE(streams.synchronise(per_thread_stream));
  EXPECT_EQ(done, "abd");
  EXPECT_TRUE(streams.synchronise(null_stream));  // the same stream
  EXPECT_EQ(done, "abdc");
}

TEST_F(CudaModel, EveryThreadHasADefaultStreamOfItsOwn) {
  write(per_thread_stream, 'a');
  std::thread([this] {
    EXPECT_TRUE(is_idle(per_thread_stream));
    EXPECT_TRUE(streams.synchronise(per_thread_stream));
  }).join();
  EXPECT_EQ(done, "");
  streams.synchronise_all();
  EXPECT_EQ(done, "a");
}

TEST_F(CudaModel, AMarkOnAnIdleStreamIsNoWork) {
  const Handle stream = streams.create(false), event = streams.create_event();
  EXPECT_TRUE(streams.record(event, stream));
  EXPECT_TRUE(streams.wait(legacy_stream, event));
  EXPECT_TRUE(is_idle(stream));
  EXPECT_TRUE(is_idle(legacy_stream));
}

TEST_F(CudaModel, AWaitForWorkIsWork) {
  const Handle stream = streams.create(false), event = streams.create_event();
  write(stream, 'a');
  EXPECT_TRUE(streams.record(event, stream));
  EXPECT_TRUE(streams.wait(legacy_stream, event));
  EXPECT_FALSE(is_idle(legacy_stream));
}

TEST_F(CudaModel, ADestroyedStreamIsRefusedAndItsWorkIsDone) {
  const Handle stream = streams.create(false);
  write(stream, 'a');
  EXPECT_TRUE(streams.destroy(stream));
  EXPECT_FALSE(streams.is_alive(stream));
  EXPECT_TRUE(streams.is_known(stream));
  EXPECT_EQ(streams.uses_after_destruction(), 0U);
  EXPECT_FALSE(streams.synchronise(stream));
  EXPECT_EQ(streams.uses_after_destruction(), 1U);
  streams.synchronise_all();
  EXPECT_EQ(done, "a");
}

TEST_F(CudaModel, ANumberThatIsNoHandleIsRefused) {
  EXPECT_FALSE(streams.is_known(0x5EED5EED));
  EXPECT_FALSE(streams.add(0x5EED5EED, [] {}));
  EXPECT_FALSE(streams.destroy(legacy_stream));
  EXPECT_FALSE(streams.wait(legacy_stream, 0x5EED5EED));
  EXPECT_EQ(streams.uses_after_destruction(), 0U);
}

TEST(CudaModelMemory, KnowsWhatItGaveAndNothingBeside) {
  Memory memory;
  const std::uintptr_t place = memory.allocate(Kind::managed, 1, 100);
  ASSERT_NE(place, 0U);
  EXPECT_EQ(place % 256, 0U);
  ASSERT_TRUE(memory.find(place + 60, 40));
  EXPECT_EQ(memory.find(place, 1)->kind, Kind::managed);
  EXPECT_EQ(memory.find(place, 1)->device, 1);
  EXPECT_FALSE(memory.find(place + 60, 41));
  EXPECT_FALSE(memory.find(place - 1, 1));
  EXPECT_FALSE(memory.release(place + 1));
  EXPECT_TRUE(memory.release(place));
  EXPECT_FALSE(memory.release(place));
  EXPECT_FALSE(memory.find(place, 1));
}

}  // namespace
}  // namespace dlspec::conformance::cuda_model
