#include <dlspec/reference/testing/guarded_buffer.h>

#include <algorithm>
#include <limits>

#include <gtest/gtest.h>
#include <unistd.h>

namespace dlspec::testing {
namespace {

using Edge = GuardedBuffer::Edge;

// Lets the kernel access the memory: write(2) returns EFAULT instead of faulting.
class Prober {
 public:
  Prober() { opened_ = pipe(ends_) == 0; }
  ~Prober() {
    close(ends_[0]);
    close(ends_[1]);
  }
  Prober(const Prober&) = delete;
  Prober& operator=(const Prober&) = delete;

  bool readable(const std::uint8_t* byte) {
    std::uint8_t back = 0;
    return opened_ && write(ends_[1], byte, 1) == 1 && read(ends_[0], &back, 1) == 1;
  }
  bool writable(std::uint8_t* byte) {
    const std::uint8_t value = 0;
    std::uint8_t back = 0;
    if (!opened_ || write(ends_[1], &value, 1) != 1) return false;
    if (read(ends_[0], byte, 1) == 1) return true;
    return read(ends_[0], &back, 1) != 1;  // empties the pipe
  }

 private:
  int ends_[2] = {-1, -1};
  bool opened_ = false;
};

TEST(GuardedBuffer, ThePagesAroundItCannotBeTouched) {
  Prober prober;
  for (const std::size_t size : {1u, 64u, 4096u, 4097u, 10000u}) {
    const auto front = GuardedBuffer::make(size, Edge::front);
    ASSERT_TRUE(front);
    EXPECT_TRUE(prober.readable(front->bytes().data()));
    EXPECT_FALSE(prober.readable(front->bytes().data() - 1));
    const auto back = GuardedBuffer::make(size, Edge::back);
    ASSERT_TRUE(back);
    EXPECT_EQ(back->bytes().size(), size);
    EXPECT_TRUE(prober.readable(back->bytes().data() + size - 1));
    EXPECT_FALSE(prober.readable(back->bytes().data() + size));
  }
}

TEST(GuardedBuffer, AFullBodyIsGuardedOnBothSides) {
  Prober prober;
  const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const auto buffer = GuardedBuffer::make(page, Edge::back, 256);
  ASSERT_TRUE(buffer);
  EXPECT_FALSE(prober.readable(buffer->bytes().data() - 1));
  EXPECT_FALSE(prober.readable(buffer->bytes().data() + page));
}

TEST(GuardedBuffer, AlignmentIsKeptAndCostsAtMostOneLessThanItself) {
  for (const std::size_t alignment : {1u, 8u, 64u, 256u, 4096u}) {
    const auto buffer = GuardedBuffer::make(100, Edge::back, alignment);
    ASSERT_TRUE(buffer);
    const auto end = reinterpret_cast<std::uintptr_t>(buffer->bytes().data()) + 100;
    EXPECT_EQ((end - 100) % alignment, 0u);
    EXPECT_LT((4096 - end % 4096) % 4096, std::max<std::size_t>(alignment, 1));
  }
}

TEST(GuardedBuffer, WritesIntoTheSlackAreFound) {
  const auto buffer = GuardedBuffer::make(100, Edge::back, 64);
  ASSERT_TRUE(buffer);
  std::fill(buffer->bytes().begin(), buffer->bytes().end(), std::uint8_t{0xFF});
  EXPECT_EQ(buffer->damage(), std::nullopt);
  buffer->bytes().data()[100] ^= 1;
  EXPECT_EQ(buffer->damage(), 100);
  buffer->bytes().data()[-1] ^= 1;
  EXPECT_EQ(buffer->damage(), -1);
}

TEST(GuardedBuffer, CanBeMadeReadOnlyAndForbidden) {
  Prober prober;
  auto buffer = GuardedBuffer::make(64, Edge::back, 64);
  ASSERT_TRUE(buffer);
  std::uint8_t* const first = buffer->bytes().data();
  EXPECT_TRUE(prober.writable(first));
  ASSERT_TRUE(buffer->allow_reading_only());
  EXPECT_TRUE(prober.readable(first));
  EXPECT_FALSE(prober.writable(first));
  ASSERT_TRUE(buffer->forbid());
  EXPECT_FALSE(prober.readable(first));
  ASSERT_TRUE(buffer->allow_reading_and_writing());
  EXPECT_TRUE(prober.writable(first));
}

TEST(GuardedBuffer, AddressesInItsGuardsAreItsOwn) {
  const auto buffer = GuardedBuffer::make(64, Edge::back, 64);
  ASSERT_TRUE(buffer);
  const auto first = reinterpret_cast<std::uintptr_t>(buffer->bytes().data());
  EXPECT_TRUE(buffer->covers(first));
  EXPECT_TRUE(buffer->covers(first + 64 + 4095));
  EXPECT_FALSE(buffer->covers(first + 64 + 4096));
  EXPECT_TRUE(buffer->covers(first + 64 - 8192));
  EXPECT_FALSE(buffer->covers(first + 64 - 8192 - 1));
}

TEST(GuardedBuffer, MayHoldNothing) {
  Prober prober;
  const auto buffer = GuardedBuffer::make(0, Edge::back);
  ASSERT_TRUE(buffer);
  EXPECT_TRUE(buffer->bytes().empty());
  EXPECT_FALSE(prober.readable(buffer->bytes().data()));
}

TEST(GuardedBuffer, RefusesWhatCannotBe) {
  EXPECT_FALSE(GuardedBuffer::make(64, Edge::back, 0));
  EXPECT_FALSE(GuardedBuffer::make(64, Edge::back, 48));
  EXPECT_FALSE(GuardedBuffer::make(64, Edge::back, std::size_t{1} << 30));
  EXPECT_FALSE(GuardedBuffer::make(std::numeric_limits<std::size_t>::max(), Edge::back));
  EXPECT_FALSE(GuardedBuffer::make(std::numeric_limits<std::size_t>::max() / 2, Edge::back));
}

TEST(GuardedBuffer, StaysWhereItIsWhenMoved) {
  auto first = GuardedBuffer::make(64, Edge::back);
  ASSERT_TRUE(first);
  std::uint8_t* const data = first->bytes().data();
  const GuardedBuffer second = std::move(*first);
  EXPECT_EQ(second.bytes().data(), data);
  data[0] = 1;
}

}  // namespace
}  // namespace dlspec::testing
