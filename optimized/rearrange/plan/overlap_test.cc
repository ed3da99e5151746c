// Do two operands share bytes? Held against the plain answer, in which the bytes of both are written down.
#include <gtest/gtest.h>

#include <cstdint>
#include <set>
#include <vector>

#include <dlspec/optimized/rearrange/plan/geometry.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::optimized {
namespace {

using Numbers = std::vector<std::int64_t>;
using Places = std::set<std::int64_t>;

constexpr std::int64_t base = 1 << 20;  // nothing is read or written there

Places bytes_of(const Numbers& shape, const Numbers& strides, std::int64_t item, std::int64_t start) {
  Places bytes;
  for (std::int64_t i = 0; i < shape[0]; ++i) {
    for (std::int64_t j = 0; j < shape[1]; ++j) {
      for (std::int64_t k = 0; k < item; ++k) bytes.insert(start + (i * strides[0] + j * strides[1]) * item + k);
    }
  }
  return bytes;
}

bool meet(const Places& some, const Places& others) {
  for (const std::int64_t place : some) {
    if (others.contains(place)) return true;
  }
  return false;
}

struct Count {
  int apart = 0, meeting = 0;  // of those whose ranges meet
};

void expect_right(const Numbers& shape, const Numbers& to, const Numbers& from, std::uint16_t item, Count& count) {
  const abi::DataType dtype{kDLUInt, 8, item};
  const View destination(dtype, shape, to.data()), source(dtype, shape, from.data());
  Geometry geometry;
  ASSERT_EQ(normalise(destination, source, geometry), Status::ok);
  if (check_destination(destination, geometry) != Status::ok) return;
  const Places written = bytes_of(shape, to, item, base);
  for (std::int64_t shift = -24; shift <= 24; ++shift) {
    const Places read = bytes_of(shape, from, item, base + shift);
    const bool shared = meet(written, read);
    if (*written.begin() <= *read.rbegin() && *read.begin() <= *written.rbegin())
      ++(shared ? count.meeting : count.apart);
    const bool same_view = shift == 0 && to == from;
    EXPECT_EQ(check_operands(geometry, base, static_cast<std::uintptr_t>(base + shift)),
              shared && !same_view ? Status::operands_overlap : Status::ok)
        << item << " bytes, (" << shape[0] << "," << shape[1] << ") to (" << to[0] << "," << to[1] << ") from ("
        << from[0] << "," << from[1] << ") shifted by " << shift;
  }
}

TEST(OperandsOverlap, WhenTheyShareAByte) {
  Count count;
  for (const Numbers& shape : {Numbers{2, 3}, {3, 3}, {3, 2}}) {
    for (const Numbers& to : {Numbers{2, 5}, {-4, 1}, {6, -2}, {2, 3}, {7, 2}, {1, 4}}) {
      for (std::int64_t i = -6; i <= 6; i += 2) {
        for (std::int64_t j = -5; j <= 5; ++j) {
          for (const std::uint16_t item : {std::uint16_t{1}, std::uint16_t{2}})
            expect_right(shape, to, {i, j}, item, count);
        }
      }
    }
  }
  EXPECT_GT(count.apart, 5'000);
  EXPECT_GT(count.meeting, 10'000);
}

}  // namespace
}  // namespace dlspec::optimized
