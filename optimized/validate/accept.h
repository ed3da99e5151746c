// The fast path: does this struct satisfy every rule? Accepts what libraries export every day; everything else, invalid
// or merely unusual (empty, rank above 64, memory behind a handle, more than 2^60 bytes), goes to examine().
#pragma once

#include <cstdint>

#include <dlspec/optimized/validate/tables.h>
#include <dlspec/vocabulary/dtype.h>
#include <dlspec/vocabulary/exported.h>
#include <dlspec/vocabulary/flags.h>
#include <dlspec/vocabulary/limits.h>

namespace dlspec::optimized {

// The version assumed for a struct without one: every release.
inline constexpr std::uint32_t every_minor = 0xFFFFFFFF;

[[nodiscard]] inline bool accept_prefix(const abi::v1::ManagedTensor& managed) {
  if (managed.version.major != 1 || managed.deleter == nullptr) return false;
  if (managed.flags & ~flags::defined) return false;
  const bool padded = managed.flags & flags::subbyte_padded;
  return !padded || (managed.version.minor > 0 && is_subbyte(managed.dl_tensor.dtype));
}

[[nodiscard]] inline bool accept_dtype(abi::DataType dtype, std::uint32_t minor) {
  if (dtype.code >= dtype_slots || dtype.lanes == 0) return false;
  const DtypeTraits& traits = dtype_traits[dtype.code];
  return traits.since_minor <= minor && (traits.clean_widths[dtype.bits / 64] >> dtype.bits % 64 & 1) != 0;
}

[[nodiscard]] inline bool accept_device(abi::Device device, std::uint32_t minor) {
  const DeviceTraits& traits = traits_of(device.device_type);
  if (!traits.released || traits.data != DeviceData::address || traits.since_minor > minor) return false;
  return device.device_id == 0 || (device.device_id > 0 && !traits.host);
}

[[nodiscard]] inline bool is_int64_array(const std::int64_t* array) {
  return array != nullptr && reinterpret_cast<std::uintptr_t>(array) % natural_alignment == 0;
}

// Number of elements and reach, in elements. False if an extent is below 1 or an intermediate result overflows int64.
[[nodiscard]] inline bool accept_shape(const abi::Tensor& tensor, bool strides_required, std::int64_t& count,
                                       std::int64_t& low, std::int64_t& high) {
  count = 1;
  low = 0;
  high = 0;
  if (tensor.ndim == 0) return true;
  if (tensor.ndim < 0 || tensor.ndim > max_rank || !is_int64_array(tensor.shape)) return false;
  if (tensor.strides == nullptr) {
    if (strides_required) return false;
    for (std::int32_t axis = 0; axis < tensor.ndim; ++axis) {
      if (tensor.shape[axis] <= 0 || __builtin_mul_overflow(count, tensor.shape[axis], &count)) return false;
    }
    high = count - 1;
    return true;
  }
  if (!is_int64_array(tensor.strides)) return false;
  for (std::int32_t axis = 0; axis < tensor.ndim; ++axis) {
    const std::int64_t extent = tensor.shape[axis];
    std::int64_t last;
    if (extent <= 0 || __builtin_mul_overflow(count, extent, &count)) return false;
    if (__builtin_mul_overflow(extent - 1, tensor.strides[axis], &last)) return false;
    std::int64_t& side = last < 0 ? low : high;
    if (__builtin_add_overflow(side, last, &side)) return false;
  }
  return true;
}

// True if all elements, of `bits` bits each, are at addresses from 4096 on and sizes in bits fit int64. Sufficient for
// every rule about sizes, but not necessary.
[[nodiscard]] inline bool accept_memory(const abi::Tensor& tensor, std::int64_t bits, std::int64_t count,
                                        std::int64_t low, std::int64_t high) {
  std::int64_t count_bits, low_bits, high_bits, span_bits;
  if (__builtin_mul_overflow(count, bits, &count_bits) || __builtin_mul_overflow(low, bits, &low_bits) ||
      __builtin_add_overflow(high, 1, &high_bits) || __builtin_mul_overflow(high_bits, bits, &high_bits) ||
      __builtin_sub_overflow(high_bits, low_bits, &span_bits)) {
    return false;
  }
  const auto data = reinterpret_cast<std::uintptr_t>(tensor.data);
  std::uint64_t origin, first, end;
  return data != 0 && !__builtin_add_overflow(data, tensor.byte_offset, &origin) &&
         !__builtin_add_overflow(origin, low_bits >> 3, &first) && first >= lowest_host_address &&
         !__builtin_add_overflow(origin, (high_bits >> 3) + 1, &end);  // rounded up, sometimes by one byte too many
}

// True: the struct violates no rule, except perhaps tensor.data-256-aligned.
[[nodiscard]] inline bool accept(const Exported& exported) {
  const auto object = reinterpret_cast<std::uintptr_t>(exported.object());
  if (object == 0 || object % natural_alignment != 0) return false;
  std::uint32_t minor = every_minor;
  bool strides_required = false;
  bool padded = false;
  if (exported.generation() == Generation::versioned) {
    if (!accept_prefix(exported.versioned())) return false;
    minor = exported.versioned().version.minor;
    strides_required = minor >= 2;
    padded = (exported.versioned().flags & flags::subbyte_padded) != 0;
  } else if (exported.generation() == Generation::legacy && exported.legacy().deleter == nullptr) {
    return false;
  }
  const abi::Tensor& tensor = exported.tensor();
  const std::int64_t bits = padded ? 8 * std::int64_t{tensor.dtype.lanes} : element_bits(tensor.dtype);
  std::int64_t count, low, high;
  return accept_dtype(tensor.dtype, minor) && accept_device(tensor.device, minor) &&
         accept_shape(tensor, strides_required, count, low, high) && accept_memory(tensor, bits, count, low, high);
}

}  // namespace dlspec::optimized
