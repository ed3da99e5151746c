#include <dlspec/reference/validate/validate.h>

#include <dlspec/reference/validate/checks.h>
#include <dlspec/reference/validate/subject.h>

namespace dlspec::reference {
namespace {

// Applies every rule of a stage, whatever the others find.
template <class Rules, class Seen>
void ask(const Rules& rules, const Seen& seen, Findings& findings) {
  for (const auto& rule : rules) {
    if (const Answer answer = rule(seen)) findings.add(*answer);
  }
}

constexpr Answer (*pointer_rules[])(const Exported&) = {
    checks::abi_sizes_offsets,
};

constexpr Answer (*prefix_rules[])(const Prefix&) = {
    checks::version_filled,
    checks::version_major_published,
    checks::managed_deleter_null_meaning,
};

constexpr Answer (*tensor_rules[])(const Subject&) = {
    checks::version_truthful_minor,
    checks::abi_device_type_32bit,
    checks::abi_shape_int64,
    checks::device_type_known,
    checks::device_id_zero_host,
    checks::device_id_nonnegative,
    checks::device_cpu_dereferenceable,
    checks::dtype_code_known,
    checks::dtype_bits_nonzero,
    checks::dtype_lanes_positive,
    checks::dtype_lanes_not_folded,
    checks::dtype_float_is_ieee,
    checks::dtype_bfloat_width,
    checks::dtype_complex_total_bits,
    checks::dtype_bits_overflow_refused,
    checks::dtype_bool_bits_8,
    checks::dtype_fp8_bits_8,
    checks::dtype_fp6_bits_6,
    checks::dtype_fp4_bits_4,
    checks::dtype_odd_width_refused,
    checks::dtype_opaque_refused,
    checks::dtype_truthful,
    checks::tensor_ndim_nonnegative,
    checks::tensor_ndim_cap_refused,
    checks::tensor_ndim0_is_scalar,
    checks::tensor_shape_nonnull,
    checks::tensor_shape_truthful,
    checks::tensor_extent_nonnegative,
    checks::tensor_numel_no_overflow,
    checks::tensor_strides_no_overflow,
    checks::tensor_strides_not_null,
    checks::tensor_strides_unit,
    checks::tensor_data_256_aligned,
    checks::tensor_data_null_when_empty,
    checks::tensor_data_nonnull_nonempty,
    checks::tensor_in_allocation,
    checks::flags_undefined_bits_zero,
    checks::flags_read_only_set,
    checks::flags_read_only_truthful,
    checks::flags_is_copied_set,
    checks::flags_is_copied_honest,
    checks::flags_padded_only_subbyte,
    checks::flags_padded_set_when_padded,
};

}  // namespace

Findings validate(const Exported& exported, const Origin* origin) noexcept {
  Findings findings;
  ask(pointer_rules, exported, findings);
  if (!findings.empty()) return findings;  // there is no struct to read

  const Prefix prefix = read_prefix(exported);
  ask(prefix_rules, prefix, findings);
  // Another major version may have a different layout after the prefix.
  if (prefix.version && prefix.version->major != abi::newest_version.major) return findings;

  ask(tensor_rules, Subject(prefix, exported, origin), findings);
  return findings;
}

}  // namespace dlspec::reference
