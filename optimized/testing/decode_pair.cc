#include <dlspec/optimized/testing/decode_pair.h>

#include <algorithm>

#include <dlspec/vocabulary/dtype.h>

namespace dlspec::optimized::testing {
namespace {

constexpr std::uint16_t element_sizes[] = {4, 1, 2, 8, 16, 3, 12, 6, 5, 24, 32, 7, 20, 48, 64, 128};
// Around the sizes of vectors and tiles.
constexpr std::int64_t extents[] = {1,  2,  3,  4,  5,  0,  6,  7,  8,  9,  15, 16, 17,  20,  21,  22,
                                    24, 25, 31, 32, 33, 43, 47, 48, 63, 64, 65, 66, 100, 127, 128, 1000};
constexpr std::int64_t most_bytes = std::int64_t{1} << 14;

enum class Kind : std::uint8_t { element_size, rank, extent, axis_to, axis_from, place, way };

using Reader = dlspec::testing::FieldReader;

Numbers decode_shape(Reader& reader, std::int64_t element_size) {
  reader.field(Kind::rank);
  Numbers shape(reader.byte() % 9);
  std::int64_t left = most_bytes / element_size;
  for (std::int64_t& extent : shape) {
    reader.field(Kind::extent);
    extent = std::min(reader.any_of(extents), left);
    left /= std::max<std::int64_t>(extent, 1);
  }
  return shape;
}

// Axis by axis, innermost first: the axis, then its layout. Bits of the second byte: 0 and 1 a gap, 2 reversed, 3 and 4
// together an arbitrary stride, which may broadcast or overlap.
Numbers decode_strides(Reader& reader, const Numbers& shape, Kind kind) {
  Numbers strides(shape.size(), 0);
  std::vector<std::size_t> left(shape.size());
  for (std::size_t i = 0; i < left.size(); ++i) left[i] = left.size() - 1 - i;
  std::int64_t next = 1;
  while (!left.empty()) {
    reader.field(kind);
    const std::size_t chosen = reader.byte() % left.size();
    const std::size_t axis = left[chosen];
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(chosen));
    const std::uint8_t how = reader.byte();
    if ((how & 24) == 24) {
      strides[axis] = how >> 5;
    } else {
      next += how & 3;
      strides[axis] = next;
      next *= std::max<std::int64_t>(shape[axis], 1);
    }
    if ((how & 4) != 0) strides[axis] = -strides[axis];
  }
  return strides;
}

}  // namespace

DecodedPair::DecodedPair(std::span<const std::uint8_t> bytes, dlspec::testing::FieldListener* listener) {
  Reader reader(bytes, listener);
  reader.field(Kind::element_size);
  pair.dtype = {kDLUInt, 8, reader.any_of(element_sizes)};
  pair.shape = decode_shape(reader, pair.dtype.lanes);
  pair.to = decode_strides(reader, pair.shape, Kind::axis_to);
  pair.from = decode_strides(reader, pair.shape, Kind::axis_from);
  reader.field(Kind::place);
  const std::uint8_t where = reader.byte();
  places = {{(where & 1) == 0, static_cast<std::size_t>(where >> 1 & 7), static_cast<std::size_t>(where >> 4 & 7)}};
  reader.field(Kind::way);
  way = reader.byte();
}

}  // namespace dlspec::optimized::testing
