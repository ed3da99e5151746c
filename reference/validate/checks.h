// One function per rule, named like the rule. Each decides its rule alone; where another rule must hold first, it calls
// that one's function.
#pragma once

#include <dlspec/reference/validate/subject.h>
#include <dlspec/vocabulary/exported.h>

namespace dlspec::reference::checks {

// Stage 1: the pointer to the struct, of which nothing has been read.
[[nodiscard]] Answer abi_sizes_offsets(const Exported& exported);

// Stage 2: the prefix that all versions share.
[[nodiscard]] Answer version_filled(const Prefix& prefix);
[[nodiscard]] Answer version_major_published(const Prefix& prefix);
[[nodiscard]] Answer managed_deleter_null_meaning(const Prefix& prefix);

// Stages 3 to 7: a struct of major version 1, or without a version.
[[nodiscard]] Answer version_truthful_minor(const Subject& subject);

[[nodiscard]] Answer abi_device_type_32bit(const Subject& subject);
[[nodiscard]] Answer abi_shape_int64(const Subject& subject);

[[nodiscard]] Answer device_type_known(const Subject& subject);
[[nodiscard]] Answer device_id_zero_host(const Subject& subject);
[[nodiscard]] Answer device_id_nonnegative(const Subject& subject);
[[nodiscard]] Answer device_cpu_dereferenceable(const Subject& subject);

[[nodiscard]] Answer dtype_code_known(const Subject& subject);
[[nodiscard]] Answer dtype_bits_nonzero(const Subject& subject);
[[nodiscard]] Answer dtype_lanes_positive(const Subject& subject);
[[nodiscard]] Answer dtype_lanes_not_folded(const Subject& subject);
[[nodiscard]] Answer dtype_float_is_ieee(const Subject& subject);
[[nodiscard]] Answer dtype_bfloat_width(const Subject& subject);
[[nodiscard]] Answer dtype_complex_total_bits(const Subject& subject);
[[nodiscard]] Answer dtype_bits_overflow_refused(const Subject& subject);
[[nodiscard]] Answer dtype_bool_bits_8(const Subject& subject);
[[nodiscard]] Answer dtype_fp8_bits_8(const Subject& subject);
[[nodiscard]] Answer dtype_fp6_bits_6(const Subject& subject);
[[nodiscard]] Answer dtype_fp4_bits_4(const Subject& subject);
[[nodiscard]] Answer dtype_odd_width_refused(const Subject& subject);
[[nodiscard]] Answer dtype_opaque_refused(const Subject& subject);
[[nodiscard]] Answer dtype_truthful(const Subject& subject);
// The source counts single fp4 numbers and the struct pairs of them. Both are in use, so that neither dtype nor shape
// can be compared. Precondition: there is a source layout.
[[nodiscard]] bool is_fp4_pair(const Subject& subject);

[[nodiscard]] Answer tensor_ndim_nonnegative(const Subject& subject);
[[nodiscard]] Answer tensor_ndim_cap_refused(const Subject& subject);
[[nodiscard]] Answer tensor_ndim0_is_scalar(const Subject& subject);
[[nodiscard]] Answer tensor_shape_nonnull(const Subject& subject);
[[nodiscard]] Answer tensor_shape_truthful(const Subject& subject);
[[nodiscard]] Answer tensor_extent_nonnegative(const Subject& subject);
[[nodiscard]] Answer tensor_numel_no_overflow(const Subject& subject);
[[nodiscard]] Answer tensor_strides_no_overflow(const Subject& subject);
[[nodiscard]] Answer tensor_strides_not_null(const Subject& subject);
[[nodiscard]] Answer tensor_strides_unit(const Subject& subject);
[[nodiscard]] Answer tensor_data_256_aligned(const Subject& subject);
[[nodiscard]] Answer tensor_data_null_when_empty(const Subject& subject);
[[nodiscard]] Answer tensor_data_nonnull_nonempty(const Subject& subject);
[[nodiscard]] Answer tensor_in_allocation(const Subject& subject);

[[nodiscard]] Answer flags_undefined_bits_zero(const Subject& subject);
[[nodiscard]] Answer flags_read_only_set(const Subject& subject);
[[nodiscard]] Answer flags_read_only_truthful(const Subject& subject);
[[nodiscard]] Answer flags_is_copied_set(const Subject& subject);
[[nodiscard]] Answer flags_is_copied_honest(const Subject& subject);
[[nodiscard]] Answer flags_padded_only_subbyte(const Subject& subject);
[[nodiscard]] Answer flags_padded_set_when_padded(const Subject& subject);

}  // namespace dlspec::reference::checks
