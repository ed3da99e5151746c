// Shape, strides and place of a random conforming tensor.
#include <dlspec/reference/testing/clean_tensor.h>

#include <algorithm>
#include <limits>

#include <dlspec/reference/testing/value_tables.h>
#include <dlspec/vocabulary/limits.h>

namespace dlspec::testing {
namespace {

__extension__ typedef __int128 Wide;

constexpr std::int64_t int64_max = std::numeric_limits<std::int64_t>::max();
constexpr std::uint64_t uint64_max = std::numeric_limits<std::uint64_t>::max();
constexpr Wide address_space = Wide{uint64_max} + 1;

std::int32_t choose_rank(Random& random) {
  const std::uint64_t kind = random.below(64);
  if (kind < 40) return static_cast<std::int32_t>(random.below(4));
  if (kind < 56) return static_cast<std::int32_t>(4 + random.below(3));
  if (kind < 62) return static_cast<std::int32_t>(7 + random.below(6));
  return static_cast<std::int32_t>(random.below(CleanTensor::most_axes + 1));
}

std::int64_t any_number(Random& random) {
  return random.one_in(2) ? random.element(extreme_numbers) : static_cast<std::int64_t>(random.next());
}

// 0 to limit, often small, sometimes the limit itself.
std::int64_t up_to(Random& random, std::int64_t limit) {
  const std::uint64_t kind = random.below(8);
  if (kind == 0) return limit;
  const std::int64_t small = kind < 4 ? 8 : kind < 6 ? 4096 : int64_max;
  return static_cast<std::int64_t>(random.below(static_cast<std::uint64_t>(std::min(limit, small - 1)) + 1));
}

Wide wide_below(Random& random, Wide limit) {
  if (limit <= Wide{uint64_max}) return Wide{random.below(static_cast<std::uint64_t>(limit))};
  return Wide{random.next()};
}

}  // namespace

// The byte span of the elements, from the first byte of element (0, ..., 0).
struct CleanTensor::Bytes {
  Wide low = 0;   // not above 0
  Wide high = 0;  // excluded
};

void CleanTensor::choose_shape(Random& random) {
  managed_.dl_tensor.ndim = choose_rank(random);
  managed_.dl_tensor.shape = shape_.data();
  const std::uint64_t kind = random.below(16);
  std::int64_t left = kind < 10 ? std::min<std::int64_t>(300, most_elements()) : most_elements();
  const bool many_axes = rank() > 6;
  for (std::size_t axis = 0; axis < rank(); ++axis) {
    const bool stays_one = kind == 15 || (many_axes && !random.one_in(3));
    const std::int64_t wanted = up_to(random, std::min<std::int64_t>(left, kind < 10 ? 7 : int64_max));
    shape_[axis] = stays_one ? 1 : std::max<std::int64_t>(wanted, 1);
    left /= shape_[axis];
  }
  empty_ = rank() > 0 && random.one_in(8);
  if (empty_) {
    const bool huge = random.one_in(4);
    for (std::size_t axis = 0; huge && axis < rank(); ++axis) shape_[axis] = int64_max;
    shape_[random.below(rank())] = 0;
    reach(huge && rank() > 2 ? Corner::empty_but_huge : Corner::empty);
  } else if (rank() > 0 &&
             std::all_of(shape().begin(), shape().end(), [](std::int64_t extent) { return extent == 1; })) {
    reach(Corner::all_ones);
  }
}

void CleanTensor::choose_strides(Random& random) {
  abi::Tensor& tensor = managed_.dl_tensor;
  tensor.strides = strides_.data();
  if (rank() == 0) {
    const std::uint64_t kind = random.below(3);
    if (kind == 0) return;
    const std::uintptr_t nowhere = kind == 1 ? 0 : 3;
    tensor.shape = tensor.strides = reinterpret_cast<std::int64_t*>(nowhere);
    return reach(kind == 1 ? Corner::scalar_without_shape : Corner::scalar_with_stray_pointers);
  }
  // Compact in row-major or column-major order; compact with gaps, in any order and direction; spread as
  // far as 2^63-1 bytes allow; or repeating.
  const std::uint64_t kind = random.below(8);
  if (empty_) {
    for (std::size_t axis = 0; axis < rank(); ++axis) strides_[axis] = any_number(random);
  } else if (kind < 4) {
    choose_compact(kind < 3);
  } else {
    choose_spread(random, kind == 4 ? Spread::gaps : kind == 5 ? Spread::repeating : Spread::anything);
  }
  if (kind == 0 && (!versioned() || managed_.version.minor < 2)) {
    tensor.strides = nullptr;
    reach(Corner::null_strides);
  }
}

void CleanTensor::choose_compact(bool row_major) {
  std::int64_t stride = 1;
  for (std::size_t i = 0; i < rank(); ++i) {
    const std::size_t axis = row_major ? rank() - 1 - i : i;
    strides_[axis] = stride;
    stride *= shape_[axis];
  }
}

void CleanTensor::choose_spread(Random& random, Spread spread) {
  std::array<std::uint8_t, most_axes> order;
  for (std::size_t i = 0; i < rank(); ++i) order[i] = static_cast<std::uint8_t>(i);
  for (std::size_t i = rank(); i > 1; --i) std::swap(order[i - 1], order[random.below(i)]);
  Wide left = std::max<Wide>(Wide{int64_max} * 8 / bits_per_element() - 1, 0), compact = 1;
  for (std::size_t i = 0; i < rank(); ++i) {
    const std::int64_t extent = shape_[order[i]];
    std::int64_t& stride = strides_[order[i]];
    if (extent == 1) {
      stride = any_number(random);
      reach(Corner::stray_stride);
      continue;
    }
    const auto limit = static_cast<std::int64_t>(std::min<Wide>(left / (extent - 1), int64_max));
    switch (spread) {
      case Spread::gaps: stride = static_cast<std::int64_t>(std::min<Wide>(compact, limit)); break;
      case Spread::repeating: stride = up_to(random, std::min<std::int64_t>(limit, 3)); break;
      case Spread::anything: stride = up_to(random, limit); break;
    }
    left -= Wide{stride} * (extent - 1);
    compact = std::min<Wide>(Wide{stride} * extent + random.below(2), int64_max);
    if (stride == 0) reach(Corner::zero_stride);
    if (stride == 0 || random.one_in(2)) continue;
    stride = -stride;
    reach(Corner::negative_stride);
  }
}

void CleanTensor::place(Random& random) {
  abi::Tensor& tensor = managed_.dl_tensor;
  lowest_ = end_ = 0;
  if (empty_) {
    tensor.data = nullptr;
    tensor.byte_offset = random.one_in(2) ? 0 : random.element(byte_offsets);
    return;
  }
  Wide low = 0, high = 0, count = 1;
  for (std::size_t axis = 0; axis < rank(); ++axis) {
    count *= shape_[axis];
    // NULL strides mean those of kind 0, which are in strides_.
    const Wide farthest = Wide{shape_[axis] - 1} * strides_[axis];
    (farthest < 0 ? low : high) += farthest;
  }
  const std::uint32_t bits = bits_per_element();
  const auto rounded_up = [](Wide value) { return value / 8 + (value % 8 > 0 ? 1 : 0); };
  const Bytes bytes{.low = -rounded_up(-low * bits), .high = rounded_up((high + 1) * bits)};
  if (count > high - low + 1) reach(Corner::overlapping);
  if (rounded_up(count * bits) > Wide{int64_max} - bits / 8) reach(Corner::most_bytes);
  if (rounded_up((high - low + 1) * bits) > Wide{int64_max} - bits / 8) reach(Corner::widest_span);
  const DeviceRow* const row = find_device(tensor.device.device_type);
  if (row == nullptr || row->data == DeviceData::unknown) {
    tensor.data = reinterpret_cast<void*>(static_cast<std::uintptr_t>(random.next()));
    tensor.byte_offset = random.next();
  } else if (row->address()) {
    place_at_address(random, bytes);
  } else {
    place_in_buffer(random, bytes);
  }
  if (tensor.byte_offset >> 63 != 0) reach(Corner::huge_offset);
}

void CleanTensor::place_at_address(Random& random, const Bytes& bytes) {
  abi::Tensor& tensor = managed_.dl_tensor;
  const Wide first = tensor.device.device_type == kDLCPU ? lowest_host_address : 1;
  const Wide last = address_space - (bytes.high - bytes.low);
  const std::uint64_t kind = random.below(16);
  const Wide lowest = kind == 0 ? first : kind == 1 ? last : first + wide_below(random, last - first + 1);
  if (kind == 0) reach(Corner::first_page);
  if (kind == 1) reach(Corner::last_byte);
  const auto start = static_cast<std::uint64_t>(lowest - bytes.low);
  std::uint64_t data = start;
  if (random.one_in(8)) {
    data = 1 + random.below(start);
  } else if (!random.one_in(8) && start >= data_alignment) {
    data = random.one_in(4) ? data_alignment : start / data_alignment * data_alignment;
  }
  tensor.data = reinterpret_cast<void*>(data);
  tensor.byte_offset = start - data;
  lowest_ = static_cast<std::uintptr_t>(lowest);
  end_ = static_cast<std::uintptr_t>(lowest + (bytes.high - bytes.low));
  if (data % data_alignment == 0) return;
  note(RuleId::tensor_data_256_aligned);
  reach(Corner::unaligned);
}

void CleanTensor::place_in_buffer(Random& random, const Bytes& bytes) {
  abi::Tensor& tensor = managed_.dl_tensor;
  const bool zero = random.one_in(4);
  tensor.data = zero ? nullptr : reinterpret_cast<void*>(static_cast<std::uintptr_t>(random.next() | 1));
  const Wide last = Wide{uint64_max} - bytes.high;
  const Wide offset = random.one_in(2) ? -bytes.low : -bytes.low + wide_below(random, last + bytes.low + 1);
  tensor.byte_offset = static_cast<std::uint64_t>(offset);
  reach(zero ? Corner::zero_handle : Corner::handle);
}

}  // namespace dlspec::testing
