// Any bytes as the arguments of descriptors and of view operations: numbers, axes and lists, of which extremes, and
// what fits the view, are one byte away.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <dlspec/optimized/testing/extremes.h>
#include <dlspec/reference/testing/field_reader.h>
#include <dlspec/vocabulary/infini.h>

namespace dlspec::optimized::testing {

class ViewReader : public dlspec::testing::FieldReader {
 public:
  using FieldReader::FieldReader;
  using Numbers = std::vector<std::int64_t>;
  enum class Field : std::uint8_t { head, dtype, extent, stride, origin, operation, axis, number, length };

  std::uint8_t next(Field kind) {
    field(kind);
    return byte();
  }

  // Mostly small, sometimes 64 or 65.
  std::size_t rank(std::uint8_t byte) { return (byte & 0x70) == 0x70 ? 60 + byte % 6U : byte % 6U; }

  // A dtype of InfiniOP, or a number that none has.
  int dtype() {
    const std::uint8_t byte = next(Field::dtype);
    return byte < 224 ? 1 + byte % (infini_dtype_count - 1) : byte - 240;
  }

  std::int64_t extent() {
    const std::uint8_t byte = next(Field::extent);
    return byte < 192 ? byte % 7 : extreme_extents[byte % std::size(extreme_extents)];
  }

  std::int64_t number(Field kind) {
    const std::uint8_t byte = next(kind);
    return byte < 192 ? byte % 48 - 12 : extreme_strides[byte % std::size(extreme_strides)];
  }

  // Mostly one that exists.
  std::size_t axis(std::size_t rank) {
    const std::uint8_t byte = next(Field::axis);
    return byte < 224 ? byte % (rank + 1) : rank + byte % 4U;
  }

  // Of a view with this shape: its own extents beside any others.
  Numbers extents(std::span<const std::int64_t> shape) {
    Numbers list;
    for (std::size_t left = rank(next(Field::length)); left > 0; --left) {
      const std::uint8_t byte = next(Field::extent);
      if (byte >= 192) {
        list.push_back(extreme_extents[byte % std::size(extreme_extents)]);
      } else {
        list.push_back(byte < 96 || shape.empty() ? byte % 13 : shape[byte % shape.size()]);
      }
    }
    return list;
  }

  Numbers numbers(std::size_t count, Field kind) {
    Numbers list(count);
    for (std::int64_t& each : list) each = number(kind);
    return list;
  }
};

}  // namespace dlspec::optimized::testing
