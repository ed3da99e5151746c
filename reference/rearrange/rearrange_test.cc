#include <dlspec/reference/rearrange/rearrange.h>

#include <vector>

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <dlspec/reference/testing/generators.h>
#include <dlspec/reference/testing/specimen.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::reference {
namespace {

using testing::Numbers;
using testing::Specimen;
using Bytes = std::vector<std::uint8_t>;

Descriptor bare(const Layout& layout) {
  Descriptor descriptor;
  descriptor.layout = layout;
  descriptor.generation = Generation::bare;
  return descriptor;
}

void fill(Specimen& specimen) {
  if (!specimen.has_memory()) return;
  for (std::uint8_t& byte : specimen.memory()) byte = *rc::gen::arbitrary<std::uint8_t>();
}

Source source_of(Specimen& specimen, bool padded = false) {
  const abi::Tensor& tensor = specimen.tensor();
  return {tensor.dtype, Axes(tensor), tensor.data, tensor.byte_offset, padded};
}
Destination destination_of(Specimen& specimen, bool padded = false) {
  const abi::Tensor& tensor = specimen.tensor();
  return {tensor.dtype, Axes(tensor), tensor.data, tensor.byte_offset, padded};
}

// A buffer as single bits, from the least significant of the first byte on: the definition, without arithmetic on
// bytes.
std::vector<bool> bits_of(std::span<const std::uint8_t> bytes) {
  std::vector<bool> bits;
  for (const std::uint8_t byte : bytes) {
    for (int i = 0; i < 8; ++i) bits.push_back((byte >> i & 1) != 0);
  }
  return bits;
}

// The bits of one tensor's memory, by index and lane.
struct Model {
  std::vector<bool> bits;
  std::int64_t first;  // the bit at which element (0, ..., 0) begins
  Layout layout;
  bool padded;

  Model(Specimen& specimen, const Layout& same_layout, bool one_lane_per_byte)
      : bits(bits_of(specimen.memory())),
        first((static_cast<std::uint8_t*>(specimen.tensor().data) - specimen.memory().data() +
               static_cast<std::int64_t>(specimen.tensor().byte_offset)) *
              8),
        layout(same_layout),
        padded(one_lane_per_byte && is_subbyte(same_layout.dtype)) {}

  [[nodiscard]] std::size_t lane_at(const Numbers& index, std::int64_t lane) const {
    const std::int64_t pitch = padded ? 8 : layout.dtype.bits;
    std::int64_t position = 0;
    for (std::size_t axis = 0; axis < index.size(); ++axis) {
      if (index[axis] != 0) position += index[axis] * *stride_of(layout, axis).to_int64();
    }
    return static_cast<std::size_t>(first + (position * layout.dtype.lanes + lane) * pitch);
  }

  void copy_lane(const Model& from, const Numbers& index, std::int64_t lane) {
    const std::size_t to = lane_at(index, lane), origin = from.lane_at(index, lane);
    for (std::size_t i = 0; i < (padded ? 8 : layout.dtype.bits); ++i) {
      bits[to + i] = i < layout.dtype.bits && from.bits[origin + i];
    }
  }

  void copy(const Model& from) {
    Numbers index(layout.shape.size(), 0);
    for (std::int64_t left = *element_count(layout.shape).to_int64(); left > 0; --left) {
      for (std::int64_t lane = 0; lane < layout.dtype.lanes; ++lane) copy_lane(from, index, lane);
      for (std::size_t axis = index.size(); axis-- > 0;) {
        if (++index[axis] < layout.shape[axis]) break;
        index[axis] = 0;
      }
    }
  }
};

// Same dtype and shape, injective, in memory.
Layout injective_like(const Layout& layout, bool padded) {
  Layout result = layout;
  result.strides = *testing::injective_strides(layout.shape);
  result.byte_offset = *testing::offset_inside(result, padded);
  return result;
}

RC_GTEST_PROP(Rearrange, WritesTheElementsAndNothingElse, (bool source_padded, bool destination_padded)) {
  const Layout from = *testing::small_layout();
  const Layout to = injective_like(from, destination_padded);
  Specimen source(bare(from), source_padded), destination(bare(to), destination_padded);
  fill(source);
  fill(destination);
  Model expected(destination, to, destination_padded);
  expected.copy(Model(source, from, source_padded));
  RC_ASSERT(rearrange(destination_of(destination, destination_padded), source_of(source, source_padded)) == Status::ok);
  RC_ASSERT(bits_of(destination.memory()) == expected.bits);
}

// The same memory with its axes in another order.
Layout permuted(const Layout& layout, const std::vector<std::size_t>& order) {
  Layout result = layout;
  for (std::size_t i = 0; i < order.size(); ++i) {
    result.shape[i] = layout.shape[order[i]];
    (*result.strides)[i] = (*layout.strides)[order[i]];
  }
  return result;
}

RC_GTEST_PROP(Rearrange, APermutationFollowedByItsInverseIsTheIdentity, ()) {
  Layout compact = *testing::small_layout();
  compact.strides = row_major_strides(compact.shape);
  const auto order = *testing::permutation(compact.shape.size());
  std::vector<std::size_t> inverse(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) inverse[order[i]] = i;

  const Layout transposed = permuted(compact, order);
  Layout between = transposed;
  between.strides = row_major_strides(between.shape);
  const Layout back = permuted(between, inverse);
  Specimen first(bare(compact)), second(bare(between)), third(bare(compact));
  fill(first);
  const auto at = [](Specimen& specimen, const Layout& layout) { return Destination(layout, specimen.tensor().data); };
  const auto of = [](Specimen& specimen, const Layout& layout) { return Source(layout, specimen.tensor().data); };
  RC_ASSERT(rearrange(at(second, between), of(first, transposed)) == Status::ok);
  RC_ASSERT(rearrange(at(third, compact), of(second, back)) == Status::ok);
  Model expected(third, compact, false);
  expected.copy(Model(first, compact, false));
  RC_ASSERT(bits_of(third.memory()) == expected.bits);
}

TEST(Rearrange, NeighboursInASharedByteKeepTheirValue) {
  const Bytes from{0x21, 0x43};
  Bytes to{0xFF, 0xFF, 0xFF, 0xFF};
  const Layout compact{{kDLInt, 4, 1}, {4}, std::nullopt, 0}, spaced{{kDLInt, 4, 1}, {4}, {{2}}, 0};
  ASSERT_EQ(rearrange({spaced, to.data()}, {compact, from.data()}), Status::ok);
  EXPECT_EQ(to, (Bytes{0xF1, 0xF2, 0xF3, 0xF4}));
}

TEST(Rearrange, NegativeStridesOfPackedElementsCrossBytes) {
  const Bytes from{0x21, 0x43, 0x65};
  Bytes to(3);
  const Layout backwards{{kDLUInt, 4, 1}, {5}, {{-1}}, 0}, compact{{kDLUInt, 4, 1}, {5}, std::nullopt, 0};
  ASSERT_EQ(rearrange({compact, to.data()}, {backwards, from.data() + 2}),
            Status::ok);  // from the element with value 5
  EXPECT_EQ(to, (Bytes{0x45, 0x23, 0x01}));
}

TEST(Rearrange, PaddingMovesEachLaneIntoAByteAndBack) {
  const Layout pairs{{kDLFloat4_e2m1fn, 4, 2}, {2}, std::nullopt, 0};
  const Bytes packed{0x21, 0x43};
  Bytes padded(4, 0xFF), again(2);
  ASSERT_EQ(rearrange({pairs, padded.data(), true}, {pairs, packed.data()}), Status::ok);
  EXPECT_EQ(padded, (Bytes{1, 2, 3, 4}));
  padded[0] = 0xF1;  // high bits of a padded lane have no meaning
  ASSERT_EQ(rearrange({pairs, again.data()}, {pairs, padded.data(), true}), Status::ok);
  EXPECT_EQ(again, packed);
}

TEST(Rearrange, ACopyOntoItselfDoesNothing) {
  Bytes bytes{1, 2, 3, 4};
  const Layout layout{{kDLInt, 8, 1}, {4}, {{1}}, 0};
  EXPECT_EQ(rearrange({layout, bytes.data()}, {layout, bytes.data()}), Status::ok);
  EXPECT_EQ(bytes, (Bytes{1, 2, 3, 4}));
}

}  // namespace
}  // namespace dlspec::reference
