#include <dlspec/conformance/worker/native/native_case.h>

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <functional>
#include <numeric>
#include <utility>

#include <dlspec/vocabulary/dtype.h>

namespace dlspec::conformance {
namespace {

// A compact array of other extents, whose elements are those of the order, again and again.
NativeCase with_shape(const NativeCase& asked, std::vector<std::int64_t> shape) {
  NativeCase other = asked;
  other.layout.strides.reset();
  other.layout.byte_offset = 0;
  other.offset = 0;
  std::size_t count = 1;
  for (const std::int64_t extent : shape) count *= static_cast<std::size_t>(extent);
  const std::size_t bits = std::size_t{asked.layout.dtype.bits} * asked.layout.dtype.lanes;
  other.bytes.assign((count * bits + 7) / 8, 0);
  for (std::size_t i = 0; i < other.bytes.size() && !asked.bytes.empty(); ++i) {
    other.bytes[i] = asked.bytes[i % asked.bytes.size()];
  }
  other.layout.shape = std::move(shape);
  return other;
}

// Every extent is larger by one, or the first alone: of ten axes all together would be a thousand times as many
// elements.
std::vector<std::int64_t> grown(const std::vector<std::int64_t>& shape) {
  constexpr std::int64_t many = 1024;
  std::vector<std::int64_t> every = shape;
  std::int64_t count = 1;
  for (std::int64_t& extent : every) count *= ++extent;
  if (count <= many) return every;
  every = shape;
  ++every.front();
  return every;
}

// As many elements on one axis, or two.
std::vector<std::int64_t> on_other_axes(const std::vector<std::int64_t>& shape) {
  if (shape.empty()) return {1};
  if (shape.size() == 1) return {shape[0], 1};
  return {std::accumulate(shape.begin(), shape.end(), std::int64_t{1}, std::multiplies<>())};
}

constexpr std::size_t small = 1 << 16;  // bytes

}  // namespace

std::vector<NativeCase> neighbours_of(const NativeCase& asked) {
  std::vector<std::int64_t> shape = grown(asked.layout.shape);
  if (asked.bytes.size() > small) shape = {4, 5};
  NativeCase other_dtype = asked;
  const bool is_float64 = asked.layout.dtype.code == kDLFloat && asked.layout.dtype.bits == 64;
  other_dtype.layout.dtype = is_float64 ? abi::DataType{kDLInt, 32, 1} : abi::DataType{kDLFloat, 64, 1};
  std::vector<NativeCase> found{with_shape(other_dtype, shape), with_shape(asked, shape), with_shape(asked, shape)};
  found[0].read_only = found[1].read_only = !asked.read_only;
  return found;
}

std::vector<NativeCase> crowd_of(const NativeCase& asked) {
  const abi::DataType own = asked.layout.dtype;
  const auto scalar = [](std::uint8_t code, std::uint8_t bits) { return abi::DataType{code, bits, 1}; };
  const std::uint8_t other_code = own.code == kDLInt ? kDLUInt : kDLInt;
  const std::uint16_t other_lanes = own.lanes == 1 ? 2 : 1;
  const auto like = [&](abi::DataType dtype, std::vector<std::int64_t> shape) {
    NativeCase other = asked;
    other.layout.dtype = dtype;
    return with_shape(other, std::move(shape));
  };
  std::vector<NativeCase> found{
      like({other_code, own.bits, own.lanes}, {3, 4}), like({own.code, own.bits, other_lanes}, {3, 4}),
      like(own == scalar(kDLComplex, 128) ? scalar(kDLInt, 8) : scalar(kDLComplex, 128), {3, 4}), like(own, {3, 0}),
      like(own, {})};
  found.back().bytes.front() ^= 1;  // not the value that a scalar of the order has
  return found;
}

std::vector<Lookalike> lookalikes_of(const NativeCase& asked) {
  const std::vector<std::int64_t>& shape = asked.layout.shape;
  return {{with_shape(asked, {shape.rbegin(), shape.rend()}), "with the extents in reversed order"},
          {with_shape(asked, on_other_axes(shape)), "with the same elements on other axes"}};
}

NativeCase vector_of_rank(const NativeCase& asked, int rank, std::int64_t extent) {
  std::vector<std::int64_t> shape(static_cast<std::size_t>(rank), 1);
  if (!shape.empty()) shape.back() = extent;
  return with_shape(asked, std::move(shape));
}

NativeCase large_of(const NativeCase& asked) {
  constexpr std::int64_t large = 1 << 20, rows = 11;  // bytes; times as many rows
  constexpr std::size_t pool = 4093;                  // elements that repeat: a prime, so that no two rows are alike
  std::vector<std::int64_t> shape = asked.layout.shape, growth(shape.size(), 1);
  const std::int64_t bits = std::int64_t{asked.layout.dtype.bits} * asked.layout.dtype.lanes;
  if (growth.size() > 1) growth.front() = rows;
  std::int64_t count = growth.front();
  for (const std::int64_t extent : shape) count *= extent;
  growth.back() *= large * 8 / (bits * count) + 2;
  for (std::size_t axis = 0; axis < shape.size(); ++axis) shape[axis] *= growth[axis];
  NativeCase other = with_shape(asked, shape);
  const std::size_t period = pool * static_cast<std::size_t>(bits) / 8;
  for (std::size_t i = 0; i < other.bytes.size(); ++i) other.bytes[i] = asked.bytes[i % period % asked.bytes.size()];
  other.layout.strides = asked.layout.strides;
  if (!other.layout.strides) return other;
  std::vector<std::int64_t>& strides = *other.layout.strides;
  for (std::size_t axis = 0; axis < strides.size(); ++axis) {
    const std::int64_t own = (*asked.layout.strides)[axis];
    for (std::size_t inner = 0; inner < strides.size(); ++inner) {
      if (std::abs((*asked.layout.strides)[inner]) < std::abs(own)) strides[axis] *= growth[inner];
    }
    other.offset += own < 0 ? -strides[axis] * (shape[axis] - 1) : 0;
  }
  if (other.offset == 0) other.offset = asked.offset;
  other.layout.byte_offset = static_cast<std::uint64_t>(other.offset * bits / 8);
  return other;
}

NativeCase::NativeCase(const Case& work)
    : variant(work.variant),
      offset(work.order.offset),
      read_only(work.order.read_only),
      device(work.order.device),
      rules(work.rules),
      drawn(work.drawn),
      alone(work.alone),
      sequences(work.sequences),
      journal(work.journal) {
  layout.dtype = parse_dtype(work.order.dtype).value_or(abi::DataType{});
  layout.shape = work.order.shape;
  layout.strides = work.order.strides;
  layout.byte_offset = static_cast<std::uint64_t>(offset) * item_size(layout.dtype);
  bytes.assign(work.order.bytes.begin(), work.order.bytes.end());
}

DlspecSpec spec_of(const NativeCase& asked, abi::Device device) {
  DlspecSpec spec{};
  spec.code = asked.layout.dtype.code;
  spec.bits = asked.layout.dtype.bits;
  spec.lanes = asked.layout.dtype.lanes;
  spec.ndim = static_cast<std::int32_t>(asked.layout.shape.size());
  spec.shape = asked.layout.shape.data();
  spec.strides = asked.layout.strides ? asked.layout.strides->data() : nullptr;
  spec.offset = asked.offset;
  spec.read_only = asked.read_only ? 1 : 0;
  spec.device_type = device.device_type;
  spec.device_id = device.device_id;
  spec.bytes = asked.bytes.data();
  spec.byte_count = asked.bytes.size();
  return spec;
}

bool NativeAnswer::asks(RuleId rule) const {
  return std::find(asked_.rules.begin(), asked_.rules.end(), rule) != asked_.rules.end();
}

std::string difference(const std::vector<std::uint8_t>& got, const std::vector<std::uint8_t>& wanted) {
  if (got.size() != wanted.size()) return fmt::format("{} bytes of contents instead of {}", got.size(), wanted.size());
  const auto [first, other] = std::mismatch(got.begin(), got.end(), wanted.begin());
  if (first == got.end()) return {};
  return fmt::format("byte {} of the contents is 0x{:02x} instead of 0x{:02x}", first - got.begin(), *first, *other);
}

}  // namespace dlspec::conformance
