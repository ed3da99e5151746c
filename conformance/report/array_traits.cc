#include <dlspec/conformance/report/array_traits.h>

#include <algorithm>

#include <dlspec/vocabulary/dtype.h>

namespace dlspec::conformance {
namespace {

// --- layouts

bool is_empty(const Order& order) { return std::find(order.shape.begin(), order.shape.end(), 0) != order.shape.end(); }

// Whether some axis on which a step is taken has such a stride.
bool has_stride(const Order& order, bool (*wanted)(std::int64_t stride)) {
  if (!order.strides || is_empty(order)) return false;
  for (std::size_t i = 0; i < order.shape.size(); ++i) {
    if (order.shape[i] > 1 && wanted((*order.strides)[i])) return true;
  }
  return false;
}

bool has_zero_stride(const Circumstances& one) {
  return has_stride(one.order, [](std::int64_t stride) { return stride == 0; });
}
bool has_negative_stride(const Circumstances& one) {
  return has_stride(one.order, [](std::int64_t stride) { return stride < 0; });
}

bool is_row_major(const Circumstances& one) {
  if (!one.order.strides || is_empty(one.order)) return true;
  std::int64_t expected = 1;
  for (std::size_t i = one.order.shape.size(); i-- > 0;) {
    if (one.order.shape[i] > 1 && (*one.order.strides)[i] != expected) return false;
    expected *= one.order.shape[i];
  }
  return true;
}
bool is_not_row_major(const Circumstances& one) { return !is_row_major(one); }

bool has_offset(const Circumstances& one) { return one.order.offset != 0 || one.has("place", "byte_offset"); }
bool is_read_only(const Circumstances& one) { return one.order.read_only || one.has("flags", "read-only"); }
bool is_scalar(const Circumstances& one) { return one.order.shape.empty(); }
bool is_without_elements(const Circumstances& one) { return is_empty(one.order); }
bool has_one_axis(const Circumstances& one) { return one.order.shape.size() == 1; }
bool has_several_axes(const Circumstances& one) { return one.order.shape.size() > 1; }
bool has_many_axes(const Circumstances& one) { return one.order.shape.size() > 3; }

// --- dtypes

constexpr std::uint8_t no_code = 255;

std::uint8_t code_of(const Circumstances& one) {
  const std::optional<abi::DataType> dtype = parse_dtype(one.dtype);
  return dtype ? dtype->code : no_code;
}

// The floating-point codes of fewer than 16 bits stand in one row of numbers.
bool is_narrow_float(const Circumstances& one) {
  const std::uint8_t code = code_of(one);
  return code >= kDLFloat8_e3m4 && code <= kDLFloat4_e2m1fn;
}
bool is_float(const Circumstances& one) {
  const std::uint8_t code = code_of(one);
  return code == kDLFloat || code == kDLBfloat || is_narrow_float(one);
}
bool is_integer(const Circumstances& one) { return code_of(one) == kDLInt || code_of(one) == kDLUInt; }
bool is_signed_integer(const Circumstances& one) { return code_of(one) == kDLInt; }
bool is_unsigned_integer(const Circumstances& one) { return code_of(one) == kDLUInt; }
bool is_complex(const Circumstances& one) { return code_of(one) == kDLComplex || code_of(one) == kDLBcomplex; }
bool is_packed(const Circumstances& one) {
  const std::optional<abi::DataType> dtype = parse_dtype(one.dtype);
  return dtype && is_subbyte(*dtype);
}
bool is_vector(const Circumstances& one) {
  const std::optional<abi::DataType> dtype = parse_dtype(one.dtype);
  return dtype && dtype->lanes > 1;
}
bool is_wide(const Circumstances& one) {
  const std::optional<abi::DataType> dtype = parse_dtype(one.dtype);
  return dtype && element_bits(*dtype) > 8;
}

constexpr ArrayTrait traits[] = {
    {"byte_offset != 0", has_offset},
    {"negative strides", has_negative_stride},
    {"zero strides", has_zero_stride},
    {"arrays without elements", is_without_elements},
    {"rank 0", is_scalar},
    {"rank 1", has_one_axis},
    {"rank above 3", has_many_axes},
    {"rank above 1", has_several_axes},
    {"read-only arrays", is_read_only},
    {"strides that are not row-major", is_not_row_major},
    {"row-major arrays", is_row_major},
    {"packed dtypes", is_packed},
    {"dtypes of several lanes", is_vector},
    {"complex dtypes", is_complex},
    {"floats narrower than 16 bits", is_narrow_float},
    {"floats", is_float},
    {"signed integers", is_signed_integer},
    {"unsigned integers", is_unsigned_integer},
    {"integers", is_integer},
    {"dtypes wider than a byte", is_wide},
};

}  // namespace

std::span<const ArrayTrait> array_traits() { return traits; }

}  // namespace dlspec::conformance
