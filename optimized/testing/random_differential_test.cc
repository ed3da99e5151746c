// Beyond the tables: random structs and sources, shrunk by RapidCheck if the validators differ.
#include <gtest/gtest.h>
#include <rapidcheck.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <vector>

#include <dlspec/optimized/testing/agreement.h>
#include <dlspec/optimized/testing/extremes.h>
#include <dlspec/optimized/testing/raw_struct.h>

namespace dlspec::optimized::testing {
namespace {

// With equal probability a small number, any number, or one from a table.
template <class T, class Table>
T number(const Table& table) {
  return *rc::gen::oneOf(rc::gen::map(rc::gen::inRange(0, 9), [](int value) { return static_cast<T>(value); }),
                         rc::gen::arbitrary<T>(),
                         rc::gen::map(rc::gen::elementOf(std::vector(std::begin(table), std::end(table))),
                                      [](auto value) { return static_cast<T>(value); }));
}

abi::DataType dtype() {
  static constexpr std::uint8_t widths[] = {1, 2, 4, 6, 8, 16, 32, 64, 128};
  return {static_cast<std::uint8_t>(*rc::gen::inRange(0, 21)), number<std::uint8_t>(widths),
          number<std::uint16_t>(extreme_lanes)};
}

void fill(RawStruct& raw) {
  raw.generation = *rc::gen::element(Generation::versioned, Generation::legacy, Generation::bare);
  raw.managed.version = {*rc::gen::weightedElement<std::uint32_t>({{20, 1}, {1, 0}, {1, 2}}),
                         number<std::uint32_t>(extreme_versions)};
  raw.managed.flags = number<std::uint64_t>(extreme_offsets);
  abi::Tensor& tensor = raw.tensor();
  raw.set_data(number<std::uint64_t>(extreme_addresses));
  tensor.device = {*rc::gen::inRange(-1, 24), number<std::int32_t>(extreme_device_ids)};
  tensor.ndim = *rc::gen::inRange(-1, 67);
  if (*rc::gen::arbitrary<bool>()) tensor.ndim %= 7;
  tensor.dtype = dtype();
  tensor.byte_offset = number<std::uint64_t>(extreme_offsets);
  for (std::size_t axis = 0; axis < raw.shape.size(); ++axis) {
    const bool plain = static_cast<std::int32_t>(axis) >= tensor.ndim || tensor.ndim > 8;
    raw.shape[axis] = plain ? 1 : number<std::int64_t>(extreme_extents);
    raw.strides[axis] = plain ? 1 : number<std::int64_t>(extreme_strides);
  }
  if (*rc::gen::weightedElement<bool>({{1, true}, {9, false}})) tensor.strides = nullptr;
}

// The struct's own layout, sometimes with one change.
Layout source_of(RawStruct& raw) {
  Layout layout;
  const auto rank = static_cast<std::size_t>(std::clamp(raw.tensor().ndim, 0, 64));
  layout.dtype = *rc::gen::arbitrary<bool>() ? raw.tensor().dtype : dtype();
  layout.shape.assign(raw.shape.begin(), raw.shape.begin() + static_cast<std::ptrdiff_t>(rank));
  if (!layout.shape.empty() && *rc::gen::arbitrary<bool>()) layout.shape.back() = number<std::int64_t>(extreme_extents);
  if (*rc::gen::weightedElement<bool>({{1, true}, {5, false}})) layout.shape.push_back(2);
  if (*rc::gen::arbitrary<bool>()) {
    layout.strides.emplace(raw.strides.begin(), raw.strides.begin() + static_cast<std::ptrdiff_t>(layout.shape.size()));
    for (std::int64_t& stride : *layout.strides) stride /= 4;
  }
  return layout;
}

void expect_agreement(const Exported& exported, const Origin* origin) {
  const std::string difference = disagreement(exported, origin);
  if (!difference.empty()) RC_FAIL(difference);
}

RC_GTEST_PROP(ValidateRandom, AgreesOnTheStructAlone, ()) {
  RawStruct raw;
  fill(raw);
  expect_agreement(raw.exported(), nullptr);
}

RC_GTEST_PROP(ValidateRandom, AgreesOnStructAndSource, ()) {
  RawStruct raw;
  fill(raw);
  const Layout layout = source_of(raw);
  const auto known = [] { return *rc::gen::element(Known::unknown, Known::no, Known::yes); };
  Origin origin;
  if (*rc::gen::arbitrary<bool>()) origin.layout = &layout;
  origin.read_only = known();
  origin.copied = known();
  origin.padded = *rc::gen::arbitrary<bool>();
  origin.allocation_begin = number<std::uint64_t>(extreme_addresses);
  origin.allocation_end = number<std::uint64_t>(extreme_addresses);
  expect_agreement(raw.exported(), &origin);
}

}  // namespace
}  // namespace dlspec::optimized::testing
