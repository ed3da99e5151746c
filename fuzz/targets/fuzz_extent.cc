// Layouts of any numbers: count, byte range, contiguity and overlap by both sides, and whether the layout shares bytes
// with itself at another address. The reference counts without limits; where it decides, the optimized side must agree.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "effort.h"
#include "field_mutator.h"

#include <dlspec/optimized/descriptor/contiguity.h>
#include <dlspec/optimized/descriptor/extent.h>
#include <dlspec/optimized/descriptor/overlap.h>
#include <dlspec/optimized/rearrange/plan/geometry.h>
#include <dlspec/optimized/testing/decode_layout.h>
#include <dlspec/reference/descriptor/contiguity.h>
#include <dlspec/reference/descriptor/extent.h>
#include <dlspec/reference/descriptor/overlap.h>

namespace {

using namespace dlspec;
using optimized::View;
using optimized::testing::DecodedLayout;

// Layouts of so many elements are enumerated where nothing else decides.
constexpr std::size_t few = dlspec::fuzz::replaying ? 4096 : 512;

void expect(bool agree, const char* what, const DecodedLayout& layout) {
  if (agree) return;
  std::fprintf(stderr, "%s of bits %u, lanes %u", what, layout.dtype.bits, layout.dtype.lanes);
  for (std::size_t i = 0; i < layout.shape.size(); ++i)
    std::fprintf(stderr, ", %lld by %lld", static_cast<long long>(layout.shape[i]),
                 layout.has_strides ? static_cast<long long>(layout.strides[i]) : 0LL);
  std::fprintf(stderr, layout.has_strides ? "\n" : " without strides\n");
  std::abort();
}

// True if the sides agree that the elements can be counted.
bool compare_count(const DecodedLayout& layout, std::int64_t& count) {
  const Status status = optimized::count_elements(layout.shape, count);
  const bool valid = reference::extents_valid(layout.shape);
  expect((status == Status::bad_extent) == !valid, "negative extents", layout);
  if (!valid) return false;
  const auto expected = reference::element_count(layout.shape).to_int64();
  expect((status == Status::ok) == expected.has_value(), "the size of the count", layout);
  if (!expected) return false;
  expect(count == *expected, "the count", layout);
  return true;
}

void compare_range(const DecodedLayout& layout, const View& view, const reference::Axes& axes) {
  optimized::ByteRange range;
  const Status status = optimized::byte_range(view, range);
  if (status == Status::bad_dtype)
    return expect(layout.dtype.bits == 0 || layout.dtype.lanes == 0, "the dtype", layout);
  const std::uint32_t bits = reference::storage_bits(layout.dtype, false);
  const auto reach = reference::reach(axes, bits);
  if (!reach) return expect(status == Status::ok && range.begin == 0 && range.end == 0, "the empty range", layout);
  const bool fits = (reach->high_bytes - reach->low_bytes).to_int64() && reach->low_bytes.to_int64() &&
                    reach->high_bytes.to_int64() &&
                    reference::byte_size(reference::element_count(layout.shape), bits).to_int64();
  expect((status == Status::ok) == fits, "the size of the byte range", layout);
  if (fits)
    expect(range.begin == *reach->low_bytes.to_int64() && range.end == *reach->high_bytes.to_int64(), "the byte range",
           layout);
}

void compare_overlap(const DecodedLayout& layout, const View& view, const reference::Axes& axes) {
  const optimized::Answer answer = optimized::self_overlap(view);
  const reference::Overlap expected = reference::self_overlap(axes, few);
  if (answer == optimized::Answer::maybe || expected == reference::Overlap::unknown) return;
  expect((answer == optimized::Answer::yes) == (expected == reference::Overlap::yes), "the overlap", layout);
}

// The layout as destination and as source, the source `shift` bytes further.
void compare_operands(const DecodedLayout& layout, const View& view, const reference::Axes& axes, std::int64_t shift) {
  constexpr std::int64_t base = std::int64_t{1} << 40;
  optimized::Geometry geometry;
  if (optimized::normalise(view, view, geometry) != Status::ok || geometry.bytes == 0) return;
  if (geometry.to_range.begin < -base / 2 || geometry.to_range.end > base / 2 || shift == 0) return;
  const auto width = static_cast<std::uint32_t>(layout.dtype.bits) * layout.dtype.lanes;
  const reference::Placed to{axes, reference::Wide(base) * 8, width};
  const reference::Placed from{axes, reference::Wide(base + shift) * 8, width};
  const reference::Overlap expected = reference::mutual_overlap(to, from, few / 16);
  if (expected == reference::Overlap::unknown) return;
  const Status status = optimized::check_operands(geometry, base, static_cast<std::uintptr_t>(base + shift));
  expect((status == Status::operands_overlap) == (expected == reference::Overlap::yes), "the shared bytes", layout);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const DecodedLayout layout = optimized::testing::decode_layout({data, size});
  const std::int64_t* const strides = layout.has_strides ? layout.strides.data() : nullptr;
  const View view(layout.dtype, layout.shape, strides);
  const reference::Axes axes(layout.shape, strides);
  std::int64_t count = 0;
  const bool counted = compare_count(layout, count);
  if (!reference::extents_valid(layout.shape)) return 0;
  expect(optimized::is_row_major(view) == reference::is_row_major(axes), "row-major order", layout);
  expect(optimized::is_column_major(view) == reference::is_column_major(axes), "column-major order", layout);
  if (!counted) return 0;
  compare_range(layout, view, axes);
  compare_overlap(layout, view, axes);
  compare_operands(layout, view, axes, layout.shift);
  return 0;
}

DLSPEC_MUTATE_FIELDS([](std::span<const std::uint8_t> bytes, dlspec::testing::FieldListener& listener) {
  static thread_local DecodedLayout layout;
  optimized::testing::decode_layout(bytes, &listener, layout);
})
