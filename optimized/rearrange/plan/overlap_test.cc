// Do two operands share bytes? Compared with the sets of their bytes.
#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <vector>

#include <dlspec/optimized/rearrange/plan/geometry.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::optimized {
namespace {

using Numbers = std::vector<std::int64_t>;
using ByteOffsets = std::set<std::int64_t>;

constexpr std::int64_t base = 1 << 20;  // an address that is never accessed

ByteOffsets bytes_of(const Numbers& shape, const Numbers& strides, std::int64_t element_size, std::int64_t start) {
  ByteOffsets bytes;
  for (std::int64_t i = 0; i < shape[0]; ++i) {
    for (std::int64_t j = 0; j < shape[1]; ++j) {
      for (std::int64_t k = 0; k < element_size; ++k)
        bytes.insert(start + (i * strides[0] + j * strides[1]) * element_size + k);
    }
  }
  return bytes;
}

bool intersect(const ByteOffsets& some, const ByteOffsets& others) {
  for (const std::int64_t offset : some) {
    if (others.contains(offset)) return true;
  }
  return false;
}

struct OverlapCounts {
  int apart = 0, meeting = 0;  // of those whose ranges intersect
};

void expect_right(const Numbers& shape, const Numbers& to, const Numbers& from, std::uint16_t element_size,
                  OverlapCounts& count) {
  const abi::DataType dtype{kDLUInt, 8, element_size};
  const View destination(dtype, shape, to.data()), source(dtype, shape, from.data());
  Geometry geometry;
  ASSERT_EQ(normalise(destination, source, geometry), Status::ok);
  if (check_destination(destination, geometry) != Status::ok) return;
  const ByteOffsets written = bytes_of(shape, to, element_size, base);
  for (std::int64_t shift = -24; shift <= 24; ++shift) {
    const ByteOffsets read = bytes_of(shape, from, element_size, base + shift);
    const bool shared = intersect(written, read);
    if (*written.begin() <= *read.rbegin() && *read.begin() <= *written.rbegin())
      ++(shared ? count.meeting : count.apart);
    const bool same_view = shift == 0 && to == from;
    EXPECT_EQ(check_operands(geometry, base, static_cast<std::uintptr_t>(base + shift)),
              shared && !same_view ? Status::operands_overlap : Status::ok)
        << element_size << " bytes, (" << shape[0] << "," << shape[1] << ") to (" << to[0] << "," << to[1] << ") from ("
        << from[0] << "," << from[1] << ") shifted by " << shift;
  }
}

TEST(OperandsOverlap, WhenTheyShareAByte) {
  OverlapCounts count;
  for (const Numbers& shape : {Numbers{2, 3}, {3, 3}, {3, 2}}) {
    for (const Numbers& to : {Numbers{2, 5}, {-4, 1}, {6, -2}, {2, 3}, {7, 2}, {1, 4}}) {
      for (std::int64_t i = -6; i <= 6; i += 2) {
        for (std::int64_t j = -5; j <= 5; ++j) {
          for (const std::uint16_t element_size : {std::uint16_t{1}, std::uint16_t{2}})
            expect_right(shape, to, {i, j}, element_size, count);
        }
      }
    }
  }
  EXPECT_GT(count.apart, 5'000);
  EXPECT_GT(count.meeting, 10'000);
}

}  // namespace
}  // namespace dlspec::optimized
