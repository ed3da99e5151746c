// dtype.*: what one element is.
#include <algorithm>
#include <span>

#include <dlspec/reference/validate/checks.h>

namespace dlspec::reference::checks {
namespace {

bool one_of(std::uint8_t value, std::span<const std::uint8_t> values) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

// The finding of a width that is none of `widths`. A width of 0 violates another rule.
Answer wrong_width(RuleId rule, const Subject& subject, std::span<const std::uint8_t> widths) {
  const std::uint8_t bits = subject.tensor.dtype.bits;
  if (bits == 0 || one_of(bits, widths)) return std::nullopt;
  return Finding{.rule = rule, .value = bits};
}

// The same for codes first..last, each of which has one width: `bits` of its row in dtype.def.
Answer not_its_width(RuleId rule, const Subject& subject, std::uint8_t first, std::uint8_t last) {
  const std::uint8_t code = subject.tensor.dtype.code;
  if (code < first || code > last) return std::nullopt;
  return wrong_width(rule, subject, {&subject.dtype_code()->bits, 1});
}

// The same with the code as `other`, for a rule about several codes.
Answer not_its_width_of_several(RuleId rule, const Subject& subject, std::uint8_t first, std::uint8_t last) {
  Answer answer = not_its_width(rule, subject, first, last);
  if (answer) answer->other = subject.tensor.dtype.code;
  return answer;
}

// The rules about the dtype alone.
constexpr Answer (*dtype_rules[])(const Subject&) = {
    dtype_code_known,
    dtype_bits_nonzero,
    dtype_lanes_positive,
    dtype_float_is_ieee,
    dtype_bfloat_width,
    dtype_complex_total_bits,
    dtype_bits_overflow_refused,
    dtype_bool_bits_8,
    dtype_fp8_bits_8,
    dtype_fp6_bits_6,
    dtype_fp4_bits_4,
    dtype_odd_width_refused,
    dtype_opaque_refused,
};

// The source is complex, and the struct is complex with the bits of one part, with the parts as lanes or without them.
bool counts_one_part(const Subject& subject) {
  const Layout* const source = subject.source_layout();
  const abi::DataType dtype = subject.tensor.dtype;
  if (source == nullptr || source->dtype.code != kDLComplex || source->dtype.lanes != 1) return false;
  if (source->dtype.bits != 64 && source->dtype.bits != 128) return false;
  return dtype.bits == source->dtype.bits / 2 && (dtype.lanes == 1 || dtype.lanes == 2);
}

bool breaks_dtype_rules(const Subject& subject) {
  return std::any_of(std::begin(dtype_rules), std::end(dtype_rules),
                     [&](auto rule) { return rule(subject).has_value(); });
}

using Extents = std::span<const std::int64_t>;

// The source's shape with every lane counted: in its last extent, or along one more axis.
bool lanes_in_last_extent(Extents shape, Extents source, std::uint16_t lanes) {
  if (source.empty() || shape.size() != source.size() || source.back() == 0) return false;
  const std::size_t last = source.size() - 1;
  return std::equal(source.begin(), source.end() - 1, shape.begin()) && Wide(shape[last]) == Wide(source[last]) * lanes;
}

bool lanes_in_extra_axis(Extents shape, Extents source, std::uint16_t lanes) {
  return shape.size() == source.size() + 1 && std::equal(source.begin(), source.end(), shape.begin()) &&
         shape.back() == lanes;
}

}  // namespace

// The code is an enumerator of DLDataTypeCode. A version newer than newest_version may have more of them, and one is in
// the header's main branch but in no release.
// Source: dlpack.h v1.2, DLDataTypeCode.
Answer dtype_code_known(const Subject& subject) {
  Finding finding{.rule = RuleId::dtype_code_known, .value = subject.tensor.dtype.code};
  if (subject.dtype_code() != nullptr) {
    if (subject.dtype_code()->released()) return std::nullopt;
    finding.variant = 2;
    return finding;
  }
  return subject.undefined(finding);
}

// An element has bits. (kDLComplex without bits: dtype_bits_overflow_refused.)
// Source: dlpack.h v1.2, DLDataType.bits and the size formula of DLTensor.data.
Answer dtype_bits_nonzero(const Subject& subject) {
  const abi::DataType dtype = subject.tensor.dtype;
  if (dtype.bits != 0 || dtype.code == kDLComplex) return std::nullopt;
  return Finding{.rule = RuleId::dtype_bits_nonzero, .value = dtype.code};
}

// An element has at least one lane; scalars have one.
// Source: dlpack.h v1.2, DLDataType.lanes.
Answer dtype_lanes_positive(const Subject& subject) {
  if (subject.tensor.dtype.lanes != 0) return std::nullopt;
  return Finding{.rule = RuleId::dtype_lanes_positive};
}

// Shape and strides count vector elements: the lanes do not appear in the shape a second time.
// Source: dlpack.h v1.2, DLDataType, example of float4.
Answer dtype_lanes_not_folded(const Subject& subject) {
  const Layout* const source = subject.source_layout();
  const abi::DataType dtype = subject.tensor.dtype;
  if (source == nullptr || dtype != source->dtype || dtype.lanes <= 1 || !subject.extents_known()) return std::nullopt;
  const bool folded = lanes_in_last_extent(subject.shape(), source->shape, dtype.lanes) ||
                      lanes_in_extra_axis(subject.shape(), source->shape, dtype.lanes);
  if (!folded) return std::nullopt;
  return Finding{.rule = RuleId::dtype_lanes_not_folded, .value = dtype.lanes};
}

// kDLFloat is an interchange format of IEEE 754: 16, 32, 64, 128 bits or a larger multiple of 32.
// Source: dlpack.h v1.2, kDLFloat; IEEE 754-2019, section 3.6.
Answer dtype_float_is_ieee(const Subject& subject) {
  if (subject.tensor.dtype.code != kDLFloat) return std::nullopt;
  return wrong_width(RuleId::dtype_float_is_ieee, subject, float_widths);
}

// bfloat16 is the only bfloat.
// Source: dlpack.h v1.2, kDLBfloat.
Answer dtype_bfloat_width(const Subject& subject) {
  return not_its_width(RuleId::dtype_bfloat_width, subject, kDLBfloat, kDLBfloat);
}

// The bits of a complex number are those of both parts together.
// Source: dlpack.h v1.2, DLDataType, example of std::complex<float>.
Answer dtype_complex_total_bits(const Subject& subject) {
  if (subject.tensor.dtype.code != kDLComplex) return std::nullopt;
  if (counts_one_part(subject)) {
    return Finding{.rule = RuleId::dtype_complex_total_bits,
                   .variant = 1,
                   .value = subject.tensor.dtype.bits,
                   .other = subject.source_layout()->dtype.bits};
  }
  return wrong_width(RuleId::dtype_complex_total_bits, subject, complex_widths);
}

// A width that does not fit in 8 bits is not exported: a complex number of 256 bits would have `bits` 0.
// Source: dlpack.h v1.2, DLDataType.bits.
Answer dtype_bits_overflow_refused(const Subject& subject) {
  if (subject.tensor.dtype.code != kDLComplex || subject.tensor.dtype.bits != 0) return std::nullopt;
  return Finding{.rule = RuleId::dtype_bits_overflow_refused};
}

// A boolean has a byte.
// Source: dlpack.h v1.2, DLDataType, example of bool.
Answer dtype_bool_bits_8(const Subject& subject) {
  return not_its_width(RuleId::dtype_bool_bits_8, subject, kDLBool, kDLBool);
}

// A float8 has 8 bits.
// Source: dlpack.h v1.2, kDLFloat8_e3m4 to kDLFloat8_e8m0fnu.
Answer dtype_fp8_bits_8(const Subject& subject) {
  return not_its_width_of_several(RuleId::dtype_fp8_bits_8, subject, kDLFloat8_e3m4, kDLFloat8_e8m0fnu);
}

// A float6 has 6 bits.
// Source: dlpack.h v1.2, kDLFloat6_e2m3fn and kDLFloat6_e3m2fn.
Answer dtype_fp6_bits_6(const Subject& subject) {
  return not_its_width_of_several(RuleId::dtype_fp6_bits_6, subject, kDLFloat6_e2m3fn, kDLFloat6_e3m2fn);
}

// A float4 has 4 bits.
// Source: dlpack.h v1.2, kDLFloat4_e2m1fn.
Answer dtype_fp4_bits_4(const Subject& subject) {
  return not_its_width(RuleId::dtype_fp4_bits_4, subject, kDLFloat4_e2m1fn, kDLFloat4_e2m1fn);
}

// No text defines the storage of elements above a byte that do not fill whole bytes. (The other codes have rules about
// their widths.)
// Source: dlpack.h v1.2, DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED, which covers sub-byte types only.
Answer dtype_odd_width_refused(const Subject& subject) {
  const abi::DataType dtype = subject.tensor.dtype;
  constexpr std::uint8_t of_any_width[] = {kDLInt, kDLUInt, kDLOpaqueHandle, kDLBcomplex};
  if (!one_of(dtype.code, of_any_width) || is_subbyte(dtype) || dtype.bits % 8 == 0) return std::nullopt;
  return Finding{.rule = RuleId::dtype_odd_width_refused, .value = dtype.bits};
}

// Opaque handles are only for parties that have an agreement.
// Source: dlpack.h v1.2, kDLOpaqueHandle.
Answer dtype_opaque_refused(const Subject& subject) {
  if (subject.tensor.dtype.code != kDLOpaqueHandle) return std::nullopt;
  return Finding{.rule = RuleId::dtype_opaque_refused};
}

bool is_fp4_pair(const Subject& subject) {
  return subject.source_layout()->dtype == abi::DataType{kDLFloat4_e2m1fn, 4, 1} &&
         subject.tensor.dtype == abi::DataType{kDLFloat4_e2m1fn, 4, 2};
}

// The dtype is that of the source. Booleans as bytes are common, and only a warning.
// Source: dlpack.h v1.2, DLDataType.code.
Answer dtype_truthful(const Subject& subject) {
  const Layout* const source = subject.source_layout();
  const abi::DataType dtype = subject.tensor.dtype;
  if (source == nullptr || dtype == source->dtype || is_fp4_pair(subject)) return std::nullopt;
  if (breaks_dtype_rules(subject)) return std::nullopt;
  const bool bool_as_byte = source->dtype == abi::DataType{kDLBool, 8, 1} && dtype == abi::DataType{kDLUInt, 8, 1};
  const std::uint8_t variant = bool_as_byte ? 1 : 0;
  return Finding{.rule = RuleId::dtype_truthful,
                 .variant = variant,
                 .value = pack_dtype(dtype),
                 .other = pack_dtype(source->dtype)};
}

}  // namespace dlspec::reference::checks
