// Layouts that others found worth a test or a benchmark: those of InfiniOP's own tests, and those by which permutations
// on GPUs are compared. Small ones whole, against the reference; large ones by some of their blocks.
#include <gtest/gtest.h>

#include <array>
#include <cstdint>
#include <numeric>
#include <vector>

#include <dlspec/optimized/cuda/testing/emulated_rearranger.h>
#include <dlspec/optimized/cuda/testing/sampled_blocks.h>
#include <dlspec/optimized/testing/border_sizes.h>

namespace dlspec::optimized::cuda::testing {
namespace {

using optimized::testing::bytes;
using optimized::testing::Numbers;

constexpr std::int64_t max_copied = 4 << 20;  // bytes; of larger ones only some blocks run
constexpr std::size_t sampled = 12;

Numbers row_major(const Numbers& shape) {
  Numbers strides(shape.size(), 1);
  for (std::size_t i = shape.size(); i-- > 1;) strides[i - 1] = strides[i] * shape[i];
  return strides;
}

// The copy of a compact tensor of this shape into one whose axes have the order `order`, outermost first.
Pair permuted(std::uint16_t size, const Numbers& shape, const std::vector<std::size_t>& order) {
  Numbers to(shape.size(), 1);
  std::int64_t next = 1;
  for (std::size_t i = order.size(); i-- > 0; next *= shape[order[i]]) to[order[i]] = next;
  return {bytes(size), shape, to, row_major(shape)};
}

std::vector<std::size_t> reversed(std::size_t rank) {
  std::vector<std::size_t> order(rank);
  std::iota(order.rbegin(), order.rend(), std::size_t{0});
  return order;
}

// Whole where that is not too long, else the sampled blocks; at addresses that are aligned, and that are not.
class Seeds : public ::testing::Test {
 protected:
  void check(const Pair& pair) {
    std::int64_t size = item_size(pair.dtype);
    for (const std::int64_t extent : pair.shape) size *= extent;
    if (size <= max_copied) {
      EXPECT_EQ(rearranger.difference(pair), "");
      EXPECT_EQ(rearranger.difference(pair, {1, 2}, 77), "");
      return;
    }
    ++large;
    EXPECT_EQ(sampled_fault(pair, 1, {}, sampled), "") << pair.text();
    EXPECT_EQ(sampled_fault(pair, 2, {1, 2}, sampled), "") << pair.text();
  }
  EmulatedRearranger rearranger;
  int large = 0;
};

TEST_F(Seeds, OfInfiniOP) {
  for (const std::uint16_t size : {std::uint16_t{2}, std::uint16_t{4}, std::uint16_t{8}}) {
    for (const std::int64_t side : {4, 100, 2000, 2001}) check({bytes(size), {side, side}, {1, side}, {side, 1}});
    check({bytes(size), {4, 6, 64}, {64, 256, 1}, {384, 64, 1}});
    check({bytes(size), {2, 2, 2, 4}, {16, 8, 1, 2}, {16, 8, 4, 1}});
    check(permuted(size, {3, 4, 7, 53, 9}, reversed(5)));
    check(permuted(size, {3, 4, 50, 50, 5, 7}, reversed(6)));
    check({bytes(size), {15, 10752}, {10752, 1}, {0, 1}});
    check({bytes(size), {2, 2, 2, 2, 2, 2}, {2, 6, 16, 32, 96, 200}, {200, 96, 32, 16, 6, 2}});
    check({bytes(size), {8, 4, 20, 64}, {5120, 1280, 64, 1}, {5120, 64, 256, 1}});
    check({bytes(size), {8, 4, 20, 64}, {1048576, 262144, 64, 1}, {5120, 64, 256, 1}});
    // Where InfiniOP had faults once.
    check({bytes(size), {4, 5}, {1, 4}, {5, 1}});
    check({bytes(size), {4, 3}, {2, 8}, {2, 8}});
    check({bytes(size), {2, 3, 8}, {32, 9, 1}, {32, 9, 1}});
    check(permuted(size, {2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2}, reversed(14)));
  }
  EXPECT_EQ(rearranger.refused(), 0);
  EXPECT_GT(large, 0);
}

TEST_F(Seeds, OfPermutations) {
  for (const std::uint16_t size : {std::uint16_t{1}, std::uint16_t{2}, std::uint16_t{4}, std::uint16_t{8}}) {
    check(permuted(size, {32768, 32768}, {1, 0}));
    check(permuted(size, {32767, 32769}, {1, 0}));
    check(permuted(size, {1024, 1024, 1024}, {2, 1, 0}));
    check(permuted(size, {1023, 1025, 1024}, {2, 1, 0}));
    check(permuted(size, {55, 13, 55, 55}, {3, 1, 2, 0}));
    for (const std::vector<std::size_t>& order :
         {std::vector<std::size_t>{1, 2, 3, 0}, std::vector<std::size_t>{0, 3, 2, 1},
          std::vector<std::size_t>{3, 0, 1, 2}}) {
      check(permuted(size, {101, 101, 101, 101}, order));
    }
    for (const std::int64_t few : {7, 33}) {
      for (const std::vector<std::size_t>& order :
           {std::vector<std::size_t>{2, 1, 0}, std::vector<std::size_t>{1, 0, 2}, std::vector<std::size_t>{0, 2, 1},
            std::vector<std::size_t>{1, 2, 0}}) {
        check(permuted(size, {few, 100019, few}, order));
      }
    }
    for (const std::int64_t few : {15, 16, 17}) check(permuted(size, {32, 4000, few}, {2, 1, 0}));
    check(permuted(size, Numbers(20, 2), reversed(20)));
    std::vector<std::size_t> mixed(23);
    for (std::size_t i = 0; i < mixed.size(); ++i) mixed[i] = i * 7 % 23;
    check(permuted(size, Numbers(23, 2), mixed));
  }
  EXPECT_EQ(rearranger.refused(), 0);
}

TEST_F(Seeds, OfSlicesAndReversals) {
  for (const std::uint16_t size : {std::uint16_t{1}, std::uint16_t{4}, std::uint16_t{64}, std::uint16_t{128}}) {
    check({bytes(size), {355, 255, 4, 3}, {3060, 12, 3, 1}, {4096, 16, 4, 1}});
    check({bytes(size), {3, 4, 255, 355}, {362100, 90525, 355, 1}, {1, 4, 16, 4096}});
    check({bytes(size), {300, 1001}, {1001, 1}, {1001, -1}});
    check({bytes(size), {300, 1001}, {1001, -1}, {1001, -1}});
    check({bytes(size), {300, 1001}, {-1, 300}, {1001, -1}});
    check({bytes(size), {1001, 16}, {24, 1}, {1, 1001}});
    check({bytes(size), {1001, 8}, {1, 1008}, {9, 1}});
  }
  EXPECT_EQ(rearranger.refused(), 0);
}

}  // namespace
}  // namespace dlspec::optimized::cuda::testing
