// RapidCheck generators of layouts and descriptors. Header only, so that the library itself needs no
// RapidCheck: tests that include this link it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <iterator>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <vector>

#include <rapidcheck.h>

#include <dlspec/reference/descriptor/extent.h>
#include <dlspec/reference/testing/value_tables.h>
#include <dlspec/vocabulary/device.h>
#include <dlspec/vocabulary/dtype.h>
#include <dlspec/vocabulary/flags.h>
#include <dlspec/vocabulary/layout.h>

namespace dlspec::testing {

using Numbers = std::vector<std::int64_t>;

// Any row of a table.
template <class Table>
[[nodiscard]] auto any_of(const Table& table) {
  const auto rows = std::span(table);
  using Row = std::remove_cv_t<typename decltype(rows)::element_type>;
  return rc::gen::elementOf(std::vector<Row>(rows.begin(), rows.end()));
}

// Small numbers, extreme ones, and everything between.
[[nodiscard]] inline rc::Gen<std::int64_t> any_number() {
  return rc::gen::oneOf(rc::gen::inRange<std::int64_t>(-8, 9), any_of(extreme_numbers),
                        rc::gen::arbitrary<std::int64_t>());
}

// Mostly 0 to 4, sometimes up to 64.
[[nodiscard]] inline rc::Gen<std::size_t> any_rank() {
  return rc::gen::weightedOneOf<std::size_t>({{8, rc::gen::inRange<std::size_t>(0, 5)},
                                              {1, rc::gen::inRange<std::size_t>(5, 65)},
                                              {1, rc::gen::just<std::size_t>(64)}});
}

// Extents of a tensor with at most `most_elements` elements; with many axes most extents are 1. An
// extent is 0 once in a while.
[[nodiscard]] inline rc::Gen<Numbers> small_shape(std::int64_t most_elements = 300) {
  return rc::gen::exec([most_elements] {
    Numbers shape(*any_rank(), 1);
    std::int64_t left = most_elements;
    for (std::size_t filled = 0; filled < std::min<std::size_t>(shape.size(), 6) && left > 0; ++filled) {
      std::int64_t& extent = shape[*rc::gen::inRange<std::size_t>(0, shape.size())];
      if (extent != 1) continue;
      extent = std::min(left, *rc::gen::inRange<std::int64_t>(0, 8));
      left /= std::max<std::int64_t>(extent, 1);
    }
    return shape;
  });
}

// Extents from a table, of a tensor with at most `most_elements` elements.
template <class Table>
[[nodiscard]] Numbers shape_of(const Table& choices, std::size_t rank, std::int64_t most_elements) {
  Numbers shape;
  for (std::int64_t left = most_elements; shape.size() < rank; left /= shape.back()) {
    shape.push_back(std::min<std::int64_t>(left, *any_of(choices)));
  }
  return shape;
}

[[nodiscard]] inline rc::Gen<std::vector<std::size_t>> permutation(std::size_t size) {
  return rc::gen::exec([size] {
    std::vector<std::size_t> order(size);
    std::iota(order.begin(), order.end(), std::size_t{0});
    for (std::size_t i = size; i > 1; --i) std::swap(order[i - 1], order[*rc::gen::inRange<std::size_t>(0, i)]);
    return order;
  });
}

// Injective strides: axes in any order, with gaps, some reversed; axes of extent 1 have any stride, also extreme ones.
[[nodiscard]] inline rc::Gen<Numbers> injective_strides(Numbers shape) {
  return rc::gen::exec([shape = std::move(shape)] {
    Numbers result(shape.size());
    std::int64_t next = *rc::gen::inRange<std::int64_t>(1, 4);
    for (const std::size_t axis : *permutation(shape.size())) {
      if (shape[axis] == 1) {
        result[axis] = *any_number();
        continue;
      }
      result[axis] = *rc::gen::arbitrary<bool>() ? next : -next;
      next = next * std::max<std::int64_t>(shape[axis], 1) +
             *rc::gen::weightedElement<std::int64_t>({{3, 0}, {1, 1}, {1, 5}});
    }
    return result;
  });
}

// Any strides with a small reach, broadcast and overlapping ones included.
[[nodiscard]] inline rc::Gen<Numbers> readable_strides(Numbers shape) {
  return rc::gen::exec([shape = std::move(shape)] {
    Numbers result(shape.size());
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      result[axis] = shape[axis] == 1
                         ? *any_number()
                         : *rc::gen::weightedOneOf<std::int64_t>(
                               {{1, rc::gen::just<std::int64_t>(0)}, {4, rc::gen::inRange<std::int64_t>(-12, 13)}});
    }
    return result;
  });
}

// NULL, compact in either order, injective, or merely readable.
[[nodiscard]] inline rc::Gen<std::optional<Numbers>> any_strides(Numbers shape) {
  return rc::gen::exec([shape = std::move(shape)]() -> std::optional<Numbers> {
    switch (*rc::gen::inRange(0, 6)) {
      case 0: return std::nullopt;
      case 1: return reference::row_major_strides(shape);
      case 2: return reference::column_major_strides(shape);
      case 3: return *injective_strides(shape);
      default: return *readable_strides(shape);
    }
  });
}

// The minimum byte offset with which no element is before the start of the memory, plus a little.
[[nodiscard]] inline rc::Gen<std::uint64_t> offset_inside(Layout layout, bool padded) {
  return rc::gen::exec([layout = std::move(layout), padded] {
    const auto reach = reference::reach(layout, reference::storage_bits(layout.dtype, padded));
    const std::uint64_t least = reach ? *(-reach->low_bytes).to_uint64() : 0;
    const std::uint32_t size = std::max<std::uint32_t>(item_size(layout.dtype), 1);
    const std::uint64_t aligned = (least + size - 1) / size * size;
    return aligned + size * *rc::gen::weightedOneOf<std::uint64_t>(
                                {{2, rc::gen::just<std::uint64_t>(0)}, {1, rc::gen::inRange<std::uint64_t>(0, 40)}});
  });
}

// A dtype without any finding, sometimes a vector.
[[nodiscard]] inline rc::Gen<abi::DataType> conforming_dtype() {
  return rc::gen::exec([] {
    abi::DataType dtype = *any_of(conforming_dtypes());
    dtype.lanes = *rc::gen::weightedElement<std::uint16_t>({{8, 1}, {1, 2}, {1, 3}, {1, 4}, {1, 16}});
    return dtype;
  });
}

// Each lane of this descriptor has a byte of its own.
[[nodiscard]] inline bool is_padded(const Descriptor& descriptor) {
  return descriptor.generation == Generation::versioned && is_subbyte(descriptor.layout.dtype) &&
         (descriptor.flags & flags::subbyte_padded) != 0;
}

// A layout that fits in a few kilobytes of memory, with no element before the start.
[[nodiscard]] inline rc::Gen<Layout> small_layout() {
  return rc::gen::exec([] {
    Layout layout;
    layout.dtype = *conforming_dtype();
    layout.shape = *small_shape();
    layout.strides = *any_strides(layout.shape);
    layout.byte_offset = *offset_inside(layout, true);
    return layout;
  });
}

// A small conforming tensor in memory: every generation
// and version from 1.0 to 1.3, newer minors, every released dtype but the opaque handle, rank 0 to
// 64, every kind of strides, data NULL exactly where there are no elements.
[[nodiscard]] inline rc::Gen<Descriptor> conforming_descriptor() {
  return rc::gen::exec([] {
    Descriptor descriptor;
    Layout& layout = descriptor.layout;
    descriptor.generation = *rc::gen::weightedElement<Generation>(
        {{6, Generation::versioned}, {1, Generation::legacy}, {1, Generation::bare}});
    const bool versioned = descriptor.generation == Generation::versioned;
    if (versioned) descriptor.version = {1, *rc::gen::element<std::uint32_t>(0, 1, 2, 3, 4, 255, 0xFFFFFFFF)};
    layout.dtype = *rc::gen::suchThat(conforming_dtype(), [&](abi::DataType dtype) {
      return !versioned || find_dtype_code(dtype.code)->since <= descriptor.version;
    });
    if (versioned) descriptor.flags = *rc::gen::inRange<std::uint64_t>(0, 4);
    if (versioned && descriptor.version.minor >= 1 && is_subbyte(layout.dtype) && *rc::gen::arbitrary<bool>()) {
      descriptor.flags |= flags::subbyte_padded;
    }
    layout.shape = *small_shape();
    layout.strides = *any_strides(layout.shape);
    const bool needs_strides = versioned && descriptor.version.minor >= 2 && !layout.shape.empty();
    if (needs_strides && !layout.strides) layout.strides = reference::row_major_strides(layout.shape);
    layout.byte_offset = *offset_inside(layout, is_padded(descriptor));
    descriptor.null_data = reference::is_empty(layout.shape);
    return descriptor;
  });
}

// Any descriptor, valid or not; strides, where given, are one per extent. Fields that a generation does not have keep
// their default.
[[nodiscard]] inline rc::Gen<Descriptor> any_descriptor() {
  return rc::gen::exec([] {
    Descriptor descriptor;
    Layout& layout = descriptor.layout;
    layout.dtype = *rc::gen::oneOf(conforming_dtype(), any_of(all_dtypes()));
    layout.shape = *rc::gen::container<Numbers>(*any_rank(), any_number());
    if (*rc::gen::arbitrary<bool>()) layout.strides = *rc::gen::container<Numbers>(layout.shape.size(), any_number());
    layout.byte_offset = *rc::gen::oneOf(any_of(byte_offsets), rc::gen::arbitrary<std::uint64_t>());
    descriptor.device = *rc::gen::oneOf(rc::gen::just(abi::Device{kDLCPU, 0}), any_of(all_devices()));
    descriptor.generation = *rc::gen::element(Generation::versioned, Generation::legacy, Generation::bare);
    if (descriptor.generation == Generation::versioned) {
      descriptor.version = *any_of(versions);
      descriptor.flags = *rc::gen::oneOf(any_of(flag_values), rc::gen::arbitrary<std::uint64_t>());
    }
    descriptor.null_data = *rc::gen::arbitrary<bool>();
    return descriptor;
  });
}

}  // namespace dlspec::testing
