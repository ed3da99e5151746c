// Descriptors of InfiniOP by both sides: whether the arguments make one, where its elements lie, and up to eight view
// operations in a row, of which each must give the same view or the same status.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "field_mutator.h"

#include <dlspec/optimized/descriptor/contiguity.h>
#include <dlspec/optimized/descriptor/extent.h>
#include <dlspec/optimized/descriptor/overlap.h>
#include <dlspec/optimized/descriptor/views.h>
#include <dlspec/optimized/testing/decode_view.h>
#include <dlspec/optimized/testing/fast_of.h>
#include <dlspec/reference/descriptor/broadcast.h>
#include <dlspec/reference/descriptor/overlap.h>
#include <dlspec/reference/descriptor/views.h>

namespace {

using namespace dlspec;
using optimized::Strided;
using optimized::testing::fast_of;
using Slow = reference::Strided;
using Reader = optimized::testing::ViewReader;
using Field = Reader::Field;
using Numbers = Reader::Numbers;

constexpr int most_operations = 8;
constexpr std::int64_t few = 512;  // elements that are visited one by one
constexpr abi::DataType byte_dtype{kDLUInt, 8, 1};

std::string text_of(const Slow& view) {
  std::string text;
  for (const auto* numbers : {&view.shape, &view.strides}) {
    text += " (";
    for (const std::int64_t number : *numbers) text += std::to_string(number) + ",";
    text += ')';
  }
  return text + " origin " + std::to_string(view.origin);
}

void expect(bool agree, std::string_view what, const Slow& view) {
  if (agree) return;
  std::fprintf(stderr, "%.*s of%s\n", static_cast<int>(what.size()), what.data(), text_of(view).c_str());
  std::abort();
}

bool same(const Strided& fast, const Slow& slow) {
  return std::ranges::equal(fast.extents(), slow.shape) && std::ranges::equal(fast.steps(), slow.strides) &&
         fast.origin == slow.origin;
}

InfiniStatus status_of(const auto& result) {
  const auto* const status = std::get_if<InfiniStatus>(&result);
  return status != nullptr ? *status : InfiniStatus::success;
}

void compare_offset(Reader& reader, const Slow& view, const std::int64_t* strides) {
  const std::uint8_t length = reader.next(Field::length);
  Numbers index = reader.numbers(length < 224 ? view.rank() : length % 8U, Field::number);
  for (std::size_t axis = 0; axis < std::min(index.size(), view.rank()); ++axis) {
    if (length < 160 && view.shape[axis] > 0) index[axis] = (index[axis] & INT64_MAX) % view.shape[axis];
  }
  const auto expected = reference::offset_of(view, index);
  std::int64_t offset = 0;
  const optimized::View fast{byte_dtype, view.shape, strides};
  expect(optimized::offset_of(fast, index, offset) == status_of(expected), "whether an index exists", view);
  if (const auto* const wanted = std::get_if<std::int64_t>(&expected)) expect(offset == *wanted, "the offset", view);
}

// The descriptor that the arguments make, if there is one.
bool create(Reader& reader, Slow& view, bool& compact) {
  const std::uint8_t head = reader.next(Field::head);
  const std::size_t rank = reader.rank(head);
  const int dtype = reader.dtype();
  for (std::size_t axis = 0; axis < rank; ++axis) view.shape.push_back(reader.extent());
  compact = head >= 192;
  if (!compact) view.strides = reader.numbers(rank, Field::stride);
  const auto* const shape = head == 255 ? nullptr : reinterpret_cast<const std::size_t*>(view.shape.data());
  const std::ptrdiff_t* const strides = compact ? nullptr : view.strides.data();
  const auto made = reference::make_tensor(rank, shape, strides, dtype);
  expect(status_of(made) == optimized::judge_arguments(rank, shape, strides, dtype), "the descriptor", view);
  if (status_of(made) == InfiniStatus::bad_tensor_strides) compare_offset(reader, view, view.strides.data());
  if (status_of(made) != InfiniStatus::success) return false;
  view = std::get<reference::InfiniTensor>(made).layout;
  if (!compact) return true;
  Numbers written(rank);
  optimized::write_compact_strides(view.shape, written.data());
  expect(written == view.strides, "compact strides", view);
  const auto fitting = reference::row_major_strides(view.shape);
  expect(!fitting || *fitting == written, "row-major strides", view);
  return true;
}

// Without gaps and overlap: as many places as elements, and none of them twice.
void compare_density(const Slow& view, const optimized::View& fast) {
  const auto range = reference::reach(view.axes(), 8);
  const reference::Overlap overlap = reference::self_overlap(view.axes(), few);
  if (overlap == reference::Overlap::unknown) return;
  const bool filled = !range || range->high - range->low + 1 == reference::element_count(view.shape);
  const bool dense = filled && (!range || overlap == reference::Overlap::no);
  expect(optimized::is_dense(fast) == dense, "the density", view);
  const std::vector<bool> repeated = reference::repeated_axes(view.axes());
  if (std::ranges::count(repeated, true) != 0)
    expect(overlap == reference::Overlap::yes, "the overlap with a broadcast axis", view);
  if (range && reference::element_count(view.shape) <= few)
    expect(range == reference::reach_by_enumeration(view.axes(), 8), "the reach", view);
}

// Both at two addresses that lie `shift` bytes apart, with elements of one byte.
void compare_ranges(const Slow& view, const optimized::View& fast, std::uint64_t shift) {
  const auto span = reference::byte_span(view.axes(), 0, fast.dtype);
  optimized::ByteRange range;
  const Status status = optimized::byte_range(fast, range);
  expect((status == Status::ok) == span.has_value(), "the size of the byte range", view);
  if (!span) return;
  expect(range.begin == span->begin && range.end == span->end, "the byte range", view);
  const reference::Wide begin = reference::Wide(range.begin) + shift, end = reference::Wide(range.end) + shift;
  const bool meet = span->size() != 0 && begin < range.end && reference::Wide(range.begin) < end;
  expect(optimized::ranges_meet(0, range, shift, range) == meet, "where the byte ranges meet", view);
  expect(!optimized::ranges_meet(0, range, shift, {}), "whether nothing meets the byte range", view);
  const auto moved = reference::byte_span(view.axes(), shift, byte_dtype);
  const bool fits = span->size() == 0 || (begin.to_int64() && end.to_int64());
  expect(moved.has_value() == fits, "the size of the byte range behind an offset", view);
  const reference::Placed here{view.axes(), 0, 8}, there{view.axes(), reference::Wide(shift) * 8, 8};
  expect(reference::same_view(here, there) == (shift == 0 || span->size() == 0), "the same view", view);
}

// Few elements, whose places fit int64 in bits.
bool can_be_visited(const Slow& view) {
  const auto range = reference::reach(view.axes(), 8);
  constexpr std::int64_t near = INT64_MAX / 64;
  return range && reference::element_count(view.shape) <= few && range->high < near && range->low > -near &&
         view.origin < near && view.origin > -near;
}

// What operations made of a view lies within its memory. Where a proof decides whether they share elements, visiting
// them agrees.
void compare_memory(const reference::Axes& whole, const Slow& first, const Slow& last) {
  const reference::Placed a{whole, reference::Wide(first.origin) * 8, 8},
      b{last.axes(), reference::Wide(last.origin) * 8, 8};
  const bool same_reach = reference::reach(whole, 8) == reference::reach(last.axes(), 8);
  expect(!reference::same_view(a, b) || same_reach, "the same view", last);
  const reference::Overlap proven = reference::mutual_overlap_by_proof(a, b);
  if (proven == reference::Overlap::unknown || !can_be_visited(first) || !can_be_visited(last)) return;
  const bool visited = reference::mutual_overlap_by_enumeration(a, b);
  expect((proven == reference::Overlap::yes) == visited, "the shared elements", last);
}

// The same operation by both. A refusal changes nothing.
template <class SlowOperation, class FastOperation>
void step(Slow& view, const char* name, const SlowOperation& slowly, const FastOperation& fast) {
  const reference::ViewResult expected = slowly(view);
  Strided changed = fast_of(view);
  const InfiniStatus status = fast(changed);
  expect(status == status_of(expected), name, view);
  const auto* const made = std::get_if<Slow>(&expected);
  expect(same(changed, made != nullptr ? *made : view), name, view);
  if (made == nullptr) return;
  expect(optimized::judge(changed) == InfiniStatus::success, name, *made);
  view = Slow(*made);
}

#define DLSPEC_STEP(name, ...)                                                  \
  step(                                                                         \
      view, #name, [&](const Slow& v) { return reference::name(__VA_ARGS__); }, \
      [&](Strided& v) { return optimized::name(__VA_ARGS__); })

// Each axis once, except for negative numbers, which stand for any.
std::vector<std::size_t> order_of(const Numbers& drawn, std::size_t rank) {
  std::vector<std::size_t> order, left(rank);
  for (std::size_t axis = 0; axis < rank; ++axis) left[axis] = axis;
  for (const std::int64_t number : drawn) {
    if (number < 0 || left.empty()) {
      order.push_back(static_cast<std::size_t>(number < 0 ? ~number : number));
      continue;
    }
    const std::size_t at = static_cast<std::size_t>(number) % left.size();
    order.push_back(left[at]);
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(at));
  }
  return order;
}

void operate_on_axis(int operation, Reader& reader, Slow& view) {
  const std::size_t axis = reader.axis(view.rank());
  switch (operation) {
    case 0: return DLSPEC_STEP(squeeze, v, axis);
    case 1: return DLSPEC_STEP(unsqueeze, v, axis);
    case 2: return DLSPEC_STEP(reverse, v, axis);
    case 3: {
      const std::size_t last = reader.axis(view.rank());
      return DLSPEC_STEP(merge, v, axis, last);
    }
    case 4: {
      const Numbers extents = reader.extents(view.shape);
      return DLSPEC_STEP(split, v, axis, extents);
    }
    default: {
      const Numbers range = reader.numbers(3, Field::number);
      return DLSPEC_STEP(narrow, v, axis, range[0], range[1], range[2]);
    }
  }
}

void operate_on_view(int operation, Reader& reader, Slow& view) {
  if (operation == 0) {
    const auto order = order_of(reader.numbers(reader.axis(view.rank()), Field::axis), view.rank());
    return DLSPEC_STEP(permute, v, order);
  }
  const Numbers shape = reader.extents(view.shape);
  if (operation == 1) return DLSPEC_STEP(broadcast_to, v, shape);
  if (operation == 2) return DLSPEC_STEP(view_as, v, shape);
  const bool one_more = reader.next(Field::length) >= 240;
  const Numbers strides = reader.numbers(shape.size() + (one_more ? 1 : 0), Field::stride);
  const std::int64_t offset = reader.number(Field::number);
  DLSPEC_STEP(as_strided, v, shape, strides, offset);
}

void operate(Reader& reader, Slow& view) {
  const int operation = reader.next(Field::operation) % 10;
  if (operation < 6) return operate_on_axis(operation, reader, view);
  operate_on_view(operation - 6, reader, view);
}

#undef DLSPEC_STEP

void run(Reader& reader) {
  Slow view;
  bool compact = false;
  if (!create(reader, view, compact)) return;
  view.origin = reader.number(Field::origin);
  const InfiniStatus status = reference::judge(view);
  const Strided changed = fast_of(view);
  expect(optimized::judge(changed) == status, "the verdict", view);
  const optimized::View fast{byte_dtype, view.shape, view.strides.data()};
  compare_density(view, fast);
  compare_ranges(view, fast, static_cast<std::uint64_t>(reader.number(Field::number)));
  compare_offset(reader, view, compact ? nullptr : view.strides.data());
  if (status != InfiniStatus::success) return;
  const Slow first = view;
  for (int i = 0; i < most_operations; ++i) operate(reader, view);
  compare_memory({first.shape, compact ? nullptr : first.strides.data()}, first, view);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Reader reader({data, size});
  run(reader);
  return 0;
}

DLSPEC_MUTATE_FIELDS([](std::span<const std::uint8_t> bytes, dlspec::testing::FieldListener& listener) {
  Reader reader(bytes, &listener);
  run(reader);
})
