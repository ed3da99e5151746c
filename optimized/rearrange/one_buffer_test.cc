// Copies within one buffer, from one view to another: carried out exactly where no byte is shared.
#include <cstdint>
#include <numeric>
#include <vector>

#include <gtest/gtest.h>

#include <dlspec/optimized/rearrange/rearrange.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::optimized {
namespace {

using Numbers = std::vector<std::int64_t>;

constexpr abi::DataType float32{kDLFloat, 32, 1};
constexpr abi::DataType byte{kDLUInt, 8, 1};

template <class Element>
struct Buffer {
  explicit Buffer(std::size_t count) : elements(count) { std::iota(elements.begin(), elements.end(), Element{}); }

  // to and from: the first element of the two views.
  Status copy(abi::DataType dtype, const Numbers& shape, const Numbers& strides, std::size_t to, std::size_t from) {
    const View view{dtype, shape, strides.data()};
    return rearrange(view, &elements[to], view, &elements[from]);
  }

  std::vector<Element> elements;
};

// x[..., :64] = x[..., 64:] of queries and keys: many rows, whose halves are apart.
TEST(OneBuffer, HalvesOfTheLastAxisOfAttention) {
  const Numbers shape{2, 12, 1024, 64}, strides{1'572'864, 131'072, 128, 1};
  Buffer<float> x(std::size_t{2} * 12 * 1024 * 128);
  ASSERT_EQ(x.copy(float32, shape, strides, 0, 64), Status::ok);
  EXPECT_EQ(x.elements[128 * 999 + 3], x.elements[128 * 999 + 67]);
  EXPECT_EQ(x.copy(float32, shape, strides, 0, 63), Status::operands_overlap);
  EXPECT_EQ(x.copy(float32, shape, strides, 0, 65), Status::operands_overlap) << "the next row begins before the end";
}

TEST(OneBuffer, ChannelsOfAnImage) {
  const Numbers shape{480, 640}, strides{2560, 4};
  Buffer<std::uint8_t> image(std::size_t{480} * 640 * 4);
  for (std::size_t from = 1; from < 4; ++from) EXPECT_EQ(image.copy(byte, shape, strides, 0, from), Status::ok);
  EXPECT_EQ(image.elements[640 * 4 * 100 + 8], image.elements[640 * 4 * 100 + 11]);
}

// One column of blocks to the next: the strides of the axes are not multiples of each other.
TEST(OneBuffer, ShiftedWindows) {
  const Numbers shape{100, 300, 7}, strides{5100, 17, 1};
  Buffer<float> x(std::size_t{100} * 300 * 17);
  EXPECT_EQ(x.copy(float32, shape, strides, 0, 7), Status::ok);
  EXPECT_EQ(x.copy(float32, shape, strides, 0, 10), Status::ok);
  EXPECT_EQ(x.copy(float32, shape, strides, 0, 11), Status::operands_overlap);
}

TEST(OneBuffer, EvenElementsFromOddOnesBackwards) {
  Buffer<float> x(200'000);
  const Numbers shape{100'000}, forwards{2}, backwards{-2};
  EXPECT_EQ(rearrange({float32, shape, forwards.data()}, &x.elements[0], {float32, shape, backwards.data()},
                      &x.elements[199'999]),
            Status::ok);
  EXPECT_EQ(x.elements[0], 199'999.0F);
  EXPECT_EQ(rearrange({float32, shape, forwards.data()}, &x.elements[0], {float32, shape, backwards.data()},
                      &x.elements[199'998]),
            Status::operands_overlap);
}

}  // namespace
}  // namespace dlspec::optimized
