// Transposes with every engine and option, compared with the reference: sizes around the boundaries of vectors, tiles,
// packing buffers and pages, in unaligned memory, too.
#include <gtest/gtest.h>

#include <cstdint>
#include <vector>

#include <dlspec/optimized/testing/border_sizes.h>
#include <dlspec/optimized/testing/rearranger.h>

namespace dlspec::optimized::testing {
namespace {

TEST(RearrangeTransposes, OfBorderSizes) {
  Rearranger rearranger(1 << 20);
  for (const std::uint16_t size : transposed_sizes) {
    for (const std::int64_t rows : borders) {
      for (const std::int64_t columns : borders) {
        ASSERT_EQ(rearranger.difference({bytes(size), {rows, columns}, {columns, 1}, {1, rows}}), "");
        ASSERT_EQ(rearranger.difference({bytes(size), {rows, columns}, {columns + 3, 1}, {-1, rows + 1}}), "");
        ASSERT_EQ(rearranger.difference({bytes(size), {rows, columns}, {-columns, 1}, {1, -rows - 5}}), "");
      }
    }
  }
  EXPECT_EQ(rearranger.refused(), 0);
}

// Pitches that are multiples of a cache line, for non-temporal stores; several blocks and a tail.
TEST(RearrangeTransposes, OfAlignedRows) {
  Rearranger rearranger(1 << 22);
  const std::vector<BufferPlacement> placements{
      {false, 0, 0}, {false, 16, 0}, {false, 48, 5}, {false, 64, 0}, {false, 3, 0}};
  for (const std::uint16_t size : transposed_sizes) {
    for (const std::int64_t rows : {60, 64, 70, 130, 300}) {
      for (const std::int64_t columns : {30, 64, 100, 130}) {
        ASSERT_EQ(rearranger.difference({bytes(size), {rows, columns}, {192, 1}, {1, 320}}, placements), "");
        ASSERT_EQ(rearranger.difference({bytes(size), {rows, columns}, {192, 1}, {-1, 301}}, placements), "");
      }
    }
  }
}

// A transpose of compact operands, and one of operands with gaps, backwards.
void expect_transposes(Rearranger& rearranger, std::uint16_t size, std::int64_t rows, std::int64_t columns,
                       const std::vector<BufferPlacement>& placements) {
  ASSERT_EQ(rearranger.difference({bytes(size), {rows, columns}, {columns, 1}, {1, rows}}, placements), "");
  ASSERT_EQ(rearranger.difference({bytes(size), {rows, columns}, {columns + 3, 1}, {-1, rows + 1}}, placements), "");
}

// Unaligned rows beyond L1: rows of tiles go through a buffer, in parts, and the last tiles of both directions overlap
// the previous ones.
TEST(RearrangeTransposes, OfUnalignedRows) {
  Rearranger rearranger(1 << 20);
  const std::vector<BufferPlacement> placements{{true, 0, 0}, {false, 0, 0}, {false, 16, 3}, {true, 1, 0}};
  for (const std::uint16_t size : transposed_sizes) {
    for (const std::int64_t rows : {15, 16, 17, 33, 47, 65, 131}) {
      for (const std::int64_t columns : {127, 144, 145, 153, 289, 305, 310}) {
        expect_transposes(rearranger, size, rows, columns, placements);
      }
    }
  }
  EXPECT_EQ(rearranger.refused(), 0);
}

// Long rows of any alignment, with non-temporal stores by way of a packing buffer. The last panels have a row or two.
TEST(RearrangeTransposes, Packed) {
  Rearranger rearranger(1 << 20);
  const std::vector<BufferPlacement> placements{{true, 0, 0}, {false, 0, 0}, {false, 16, 3}, {false, 1, 0}};
  for (const std::uint16_t size : transposed_sizes) {
    const std::int64_t kilobyte = 1024 / size, narrow = 64 / size;
    for (const std::int64_t rows :
         {narrow, narrow + 1, std::int64_t{63}, std::int64_t{64}, std::int64_t{65}, std::int64_t{131}}) {
      for (const std::int64_t columns :
           {kilobyte, kilobyte + 1, kilobyte + narrow - 1, kilobyte + 256 / size + 1, kilobyte + 128 / size + 2}) {
        expect_transposes(rearranger, size, rows, columns, placements);
      }
    }
  }
  EXPECT_EQ(rearranger.refused(), 0);
}

// The same with aligned rows, unless the memory is unaligned; with more rows than are packed at a time, and with rows
// of several blocks.
TEST(RearrangeTransposes, PackedWithManyRows) {
  Rearranger rearranger(1 << 22);
  const std::vector<BufferPlacement> placements{{false, 0, 0}, {false, 16, 3}, {false, 1, 0}};
  for (const std::uint16_t size : {std::uint16_t{1}, std::uint16_t{2}, std::uint16_t{4}}) {
    const std::int64_t line = 64 / size, block = 16384 / size;
    for (const std::int64_t columns : {2 * line, 2 * line + 1, 7 * line + 3, 16 * line + 5}) {
      const std::int64_t pitch = (columns + line - 1) / line * line;
      ASSERT_EQ(rearranger.difference({bytes(size), {515, columns}, {pitch, 1}, {1, 520}}, placements), "");
      ASSERT_EQ(rearranger.difference({bytes(size), {1027, columns}, {pitch, 1}, {-1, 1027}}, placements), "");
      ASSERT_EQ(rearranger.difference({bytes(size), {520, columns}, {pitch + 1, 1}, {1, -521}}, placements), "");
    }
    ASSERT_EQ(rearranger.difference({bytes(size), {70, block + line + 1}, {block + 2 * line, 1}, {1, 75}}, placements),
              "");
    ASSERT_EQ(rearranger.difference({bytes(size), {70, block + line + 1}, {block + line + 4, 1}, {-1, 70}}, placements),
              "");
    ASSERT_EQ(rearranger.difference({bytes(size), {70, block + 1}, {block + 3, 1}, {1, 70}}, placements), "");
  }
  EXPECT_EQ(rearranger.refused(), 0);
}

// Rows whose pitch is a multiple of 1024 bytes, which map to few sets of L1: tiles of 1 and 2 bytes read whole lines.
TEST(RearrangeTransposes, OfCrowdedRows) {
  Rearranger rearranger(1 << 20);
  const std::vector<BufferPlacement> placements{{false, 0, 0}, {false, 16, 3}, {true, 1, 0}};
  for (const std::uint16_t size : {std::uint16_t{1}, std::uint16_t{2}, std::uint16_t{4}}) {
    for (const std::int64_t rows : {64, 67, 130}) {
      for (const std::int64_t columns : {64, 100, 192}) {
        const std::int64_t pitch = 1024 / size;
        ASSERT_EQ(rearranger.difference({bytes(size), {rows, columns}, {columns, 1}, {1, pitch}}, placements), "");
        ASSERT_EQ(rearranger.difference({bytes(size), {rows, columns}, {columns, 1}, {-1, 2 * pitch}}, placements), "");
      }
    }
  }
  EXPECT_EQ(rearranger.refused(), 0);
}

// Enough pages on either side for the loops to be blocked for the TLB.
TEST(RearrangeTransposes, BlockedForTheTlb) {
  Rearranger rearranger(1 << 23);
  const std::int64_t page = 4096;
  for (const std::int64_t inner : {4, 6, 7}) {
    const Pair pair{bytes(1), {256, 6, inner, 256}, {7 * page, 256, page, 1}, {1, page, 256, 7 * page}};
    ASSERT_EQ(rearranger.difference(pair, {{false, 0, 0}}), "");
    // Inside another loop.
    const Pair more{
        bytes(1), {2, 128, 4, inner, 256}, {1024 * page, 8 * page, 256, page, 1}, {2048, 1, page, 256, 7 * page}};
    ASSERT_EQ(rearranger.difference(more, {{false, 0, 0}}), "");
  }
  EXPECT_EQ(rearranger.refused(), 0);
}

}  // namespace
}  // namespace dlspec::optimized::testing
