#include <cstdint>
#include <limits>

#include <dlspec/reference/testing/faulty.h>

namespace dlspec::testing {
namespace {

using R = RuleId;
using F = Field;

constexpr std::int64_t int32_min = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t int64_min = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t int64_max = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t two_to_60 = std::int64_t{1} << 60;
constexpr std::int64_t two_to_61 = std::int64_t{1} << 61;
constexpr std::int64_t two_to_62 = std::int64_t{1} << 62;
constexpr std::int64_t uint32_max = std::numeric_limits<std::uint32_t>::max();

constexpr Truth of_layout{.layout = true};
constexpr Truth of_memory{.allocation = true};

// The tensor that most rows start from, and its elder relatives.
constexpr const char* plain = "float32 (3):(1) @cpu v1.3";
constexpr const char* newer = "float32 (3):(1) @cpu v1.4";
constexpr const char* legacy = "float32 (3) @cpu legacy";
constexpr const char* bare = "float32 (3) @cpu bare";

constexpr FaultyRow table[] = {
    {R::version_truthful_minor, 0, "device-of-1.2", "float32 (3):(1) @trn v1.2", F::version_minor, 1},
    {R::version_truthful_minor, 1, "float8-of-1.1", "float8_e3m4 (3) @cpu v1.1", F::version_minor, 0},
    {R::version_truthful_minor, 1, "float4-of-1.1", "float4_e2m1fn (3) @cpu v1.1", F::version_minor, 0},
    {R::version_truthful_minor, 2, "flag-of-1.1", "int4 (3) @cpu v1.1 padded", F::version_minor, 0},
    {R::version_major_published, 0, "major-2", plain, F::version_major, 2},
    {R::version_major_published, 0, "major-max", plain, F::version_major, uint32_max},
    {R::version_filled, 0, "major-0", plain, F::version_major, 0},

    {R::abi_sizes_offsets, 0, "null-versioned", plain, F::object, 0},
    {R::abi_sizes_offsets, 0, "null-legacy", legacy, F::object, 0},
    {R::abi_sizes_offsets, 0, "null-bare", bare, F::object, 0},
    {R::abi_sizes_offsets, 1, "misaligned-versioned", plain, F::object, 4},
    {R::abi_sizes_offsets, 1, "misaligned-legacy", legacy, F::object, 1},
    {R::abi_sizes_offsets, 1, "misaligned-bare", bare, F::object, 7},
    {R::abi_device_type_32bit, 0, "rubbish-above-cpu", plain, F::device_type, 0x00000101},
    {R::abi_device_type_32bit, 0, "rubbish-above-cuda", "float32 (3):(1) @cuda:1 v1.3", F::device_type, -254},
    {R::abi_shape_int64, 0, "misaligned-shape", plain, F::shape, 4},
    {R::abi_shape_int64, 0, "misaligned-shape-legacy", legacy, F::shape, 1},
    {R::abi_shape_int64, 1, "misaligned-strides", plain, F::strides, 4},

    {R::device_type_known, 0, "zero", plain, F::device_type, 0},
    {R::device_type_known, 0, "never-assigned", plain, F::device_type, 5},
    {R::device_type_known, 0, "beyond-main", plain, F::device_type, 22},
    {R::device_type_known, 0, "negative", plain, F::device_type, -1},
    {R::device_type_known, 0, "low-byte-of-main-only", plain, F::device_type, 0x00000113},
    {R::device_type_known, 0, "legacy", legacy, F::device_type, 99},
    {R::device_type_known, 0, "bare", bare, F::device_type, 6},
    {R::device_type_known, 1, "newer-version", newer, F::device_type, 22},
    {R::device_type_known, 2, "main-only-tpu", plain, F::device_type, 19},
    {R::device_type_known, 2, "main-only-newer", newer, F::device_type, 20},
    {R::device_type_known, 2, "main-only-legacy", legacy, F::device_type, 21},
    {R::device_id_zero_host, 0, "cpu", plain, F::device_id, 1},
    {R::device_id_zero_host, 0, "cuda-host", "float32 (3):(1) @cuda_host v1.3", F::device_id, 1},
    {R::device_id_zero_host, 0, "cuda-managed", "float32 (3):(1) @cuda_managed v1.3", F::device_id, 2},
    {R::device_id_zero_host, 0, "rocm-host-legacy", "float32 (3) @rocm_host legacy", F::device_id, 1},
    {R::device_id_nonnegative, 0, "cpu", plain, F::device_id, -1},
    {R::device_id_nonnegative, 0, "cuda", "float32 (3):(1) @cuda v1.3", F::device_id, int32_min},
    {R::device_cpu_dereferenceable, 0, "first-page", plain, F::data, 256},
    {R::device_cpu_dereferenceable, 0, "end-of-first-page", "uint8 (3) @cpu bare", F::data, 3840},
    {R::device_cpu_dereferenceable, 0, "scalar", "float32 () @cpu v1.3", F::data, 256},

    {R::dtype_code_known, 0, "beyond-main", plain, F::dtype_code, 19},
    {R::dtype_code_known, 0, "legacy", legacy, F::dtype_code, 255},
    {R::dtype_code_known, 1, "newer-version", newer, F::dtype_code, 19},
    {R::dtype_code_known, 2, "main-only-bcomplex", plain, F::dtype_code, 18},
    {R::dtype_bits_nonzero, 0, "float", plain, F::dtype_bits, 0},
    {R::dtype_bits_nonzero, 0, "bool-legacy", "bool (3) @cpu legacy", F::dtype_bits, 0},
    {R::dtype_bits_nonzero, 0, "float8", "float8_e5m2 (3):(1) @cpu v1.3", F::dtype_bits, 0},
    {R::dtype_lanes_positive, 0, "versioned", plain, F::dtype_lanes, 0},
    {R::dtype_lanes_positive, 0, "bare", bare, F::dtype_lanes, 0},
    {R::dtype_lanes_not_folded, 0, "last-extent", "float32x4 (2,3):(3,1) @cpu v1.3", F::extent, 12, 1, of_layout},
    {R::dtype_lanes_not_folded, 0, "extra-axis", "float32x4 (3):(1) @cpu v1.3", F::ndim, 2, 0, of_layout},
    {R::dtype_lanes_not_folded, 0, "extra-axis-of-scalar", "float32x4 () @cpu v1.3", F::ndim, 1, 0, of_layout},
    {R::dtype_float_is_ieee, 0, "float8", plain, F::dtype_bits, 8},
    {R::dtype_float_is_ieee, 0, "x87", "float128 (3):(1) @cpu v1.3", F::dtype_bits, 80},
    {R::dtype_float_is_ieee, 0, "padded-x87", "float128 (3) @cpu legacy", F::dtype_bits, 96},
    {R::dtype_bfloat_width, 0, "32-bits", "bfloat16 (3):(1) @cpu v1.3", F::dtype_bits, 32},
    {R::dtype_complex_total_bits, 0, "bits-of-one-half", "complex32 (3):(1) @cpu v1.3", F::dtype_bits, 16},
    {R::dtype_complex_total_bits, 0, "too-wide", "complex128 (3):(1) @cpu v1.3", F::dtype_bits, 192},
    {R::dtype_complex_total_bits, 1, "bits-of-one-part", "complex64 (3):(1) @cpu v1.3", F::dtype_bits, 32, 0,
     of_layout},
    {R::dtype_complex_total_bits, 1, "part-of-complex128", "complex128 (3) @cpu legacy", F::dtype_bits, 64, 0,
     of_layout},
    {R::dtype_bits_overflow_refused, 0, "complex256", "complex128 (3):(1) @cpu v1.3", F::dtype_bits, 0},
    {R::dtype_bool_bits_8, 0, "1-bit", "bool (3):(1) @cpu v1.3", F::dtype_bits, 1},
    {R::dtype_bool_bits_8, 0, "32-bits", "bool (3) @cpu legacy", F::dtype_bits, 32},
    {R::dtype_fp8_bits_8, 0, "first-code", "float8_e3m4 (3) @cpu v1.1", F::dtype_bits, 7},
    {R::dtype_fp8_bits_8, 0, "last-code", "float8_e8m0fnu (3):(1) @cpu v1.3", F::dtype_bits, 16},
    {R::dtype_fp6_bits_6, 0, "first-code", "float6_e2m3fn (3) @cpu v1.1", F::dtype_bits, 8},
    {R::dtype_fp6_bits_6, 0, "last-code", "float6_e3m2fn (3):(1) @cpu v1.3", F::dtype_bits, 4},
    {R::dtype_fp4_bits_4, 0, "8-bits", "float4_e2m1fn (3):(1) @cpu v1.3", F::dtype_bits, 8},
    {R::dtype_odd_width_refused, 0, "int12", "int16 (3):(1) @cpu v1.3", F::dtype_bits, 12},
    {R::dtype_odd_width_refused, 0, "uint9", "uint8 (3) @cpu legacy", F::dtype_bits, 9},
    {R::dtype_opaque_refused, 0, "64-bits", "uint64 (3):(1) @cpu v1.3", F::dtype_code, 3},
    {R::dtype_truthful, 0, "other-code", "int64 (3):(1) @cpu v1.3", F::dtype_code, 1, 0, of_layout},
    {R::dtype_truthful, 0, "other-bits", "int64 (3):(1) @cpu v1.3", F::dtype_bits, 32, 0, of_layout},
    {R::dtype_truthful, 0, "other-lanes", "float32x2 (3) @cpu legacy", F::dtype_lanes, 1, 0, of_layout},
    {R::dtype_truthful, 1, "bool-as-uint8", "bool (3):(1) @cpu v1.3", F::dtype_code, 1, 0, of_layout},

    {R::tensor_ndim_nonnegative, 0, "minus-one", plain, F::ndim, -1},
    {R::tensor_ndim_nonnegative, 0, "lowest", bare, F::ndim, int32_min},
    {R::tensor_ndim_cap_refused, 0, "65", plain, F::ndim, 65},
    {R::tensor_ndim_cap_refused, 0, "65-legacy", legacy, F::ndim, 65},
    {R::tensor_ndim0_is_scalar, 0, "cpu", "float32 () @cpu v1.3", F::data, 0},
    {R::tensor_ndim0_is_scalar, 0, "cuda-bare", "float32 () @cuda bare", F::data, 0},
    {R::tensor_shape_nonnull, 0, "versioned", plain, F::shape, 0},
    {R::tensor_shape_nonnull, 0, "bare", bare, F::shape, 0},
    {R::tensor_shape_truthful, 0, "rank-too-low", "float32 (3,4):(4,1) @cpu v1.3", F::ndim, 1, 0, of_layout},
    {R::tensor_shape_truthful, 0, "rank-too-high", "float32 (3,4):(4,1) @cpu v1.3", F::ndim, 3, 0, of_layout},
    {R::tensor_shape_truthful, 1, "first-extent", "float32 (3,4) @cpu legacy", F::extent, 2, 0, of_layout},
    {R::tensor_shape_truthful, 1, "last-extent", "float32 (3,4):(4,1) @cpu v1.3", F::extent, 3, 1, of_layout},
    {R::tensor_extent_nonnegative, 0, "minus-one", "float32 (3,4):(4,1) @cpu v1.3", F::extent, -1, 1},
    {R::tensor_extent_nonnegative, 0, "lowest", bare, F::extent, int64_min},
    {R::tensor_numel_no_overflow, 0, "elements", "int8 (2,1):(1,1) @cpu v1.3", F::extent, int64_max, 1},
    {R::tensor_numel_no_overflow, 0, "elements-broadcast", "int8 (2,1):(0,0) @cpu v1.3", F::extent, int64_max, 1},
    {R::tensor_numel_no_overflow, 1, "bytes", "float64 (3) @cpu legacy", F::extent, two_to_60},
    {R::tensor_strides_no_overflow, 0, "span", "int8 (3):(1) @cpu v1.3", F::stride, two_to_62},
    {R::tensor_strides_no_overflow, 0, "lowest-stride", "int8 (2):(1) @opencl v1.3", F::stride, int64_min},
    {R::tensor_strides_no_overflow, 1, "below-address-0", "int8 (3):(1) @cpu v1.3", F::stride, -two_to_61},
    {R::tensor_strides_no_overflow, 1, "start-beyond", plain, F::byte_offset, -1},
    {R::tensor_strides_no_overflow, 1, "end-beyond", "int8 (300):(1) @cuda v1.3", F::data, -256},
    {R::tensor_strides_no_overflow, 2, "before-buffer", "int8 (3):(1) @opencl v1.3", F::stride, -1},
    {R::tensor_strides_no_overflow, 2, "beyond-count", "int8 (3) @vulkan legacy", F::byte_offset, -1},
    {R::tensor_strides_not_null, 0, "v1.2", "float32 (3):(1) @cpu v1.2", F::strides, 0},
    {R::tensor_strides_not_null, 0, "v1.3", "float32 (3,4):(1,3) @cuda:1 v1.3 ro", F::strides, 0},
    {R::tensor_strides_not_null, 0, "newer-version", newer, F::strides, 0},
    {R::tensor_strides_not_null, 0, "empty", "float32 (0):(1) @cpu v1.3 data=null", F::strides, 0},
    {R::tensor_strides_unit, 0, "bytes", plain, F::stride, 4, 0, of_layout},
    {R::tensor_strides_unit, 0, "behind-unit-axis", "int16 (1,4):(9,-1)+3 @cpu v1.0", F::stride, -2, 1, of_layout},
    {R::tensor_data_256_aligned, 0, "64", plain, F::data_shift, 64},
    {R::tensor_data_256_aligned, 0, "1-byte-bare", "uint8 (3) @cpu bare", F::data_shift, 1},
    {R::tensor_data_256_aligned, 0, "cuda", "float32 () @cuda v1.3", F::data_shift, 128},
    {R::tensor_data_null_when_empty, 0, "cpu", "float32 (2,0):(1,1) @cpu v1.3 data=null", F::data, 4096},
    {R::tensor_data_null_when_empty, 0, "opencl-legacy", "float32 (0) @opencl legacy data=null", F::data, 1},
    {R::tensor_data_nonnull_nonempty, 0, "cpu", plain, F::data, 0},
    {R::tensor_data_nonnull_nonempty, 0, "cuda-bare", "float32 (3) @cuda bare", F::data, 0},
    {R::tensor_in_allocation, 0, "negative-stride", plain, F::stride, -1, 0, of_memory},
    {R::tensor_in_allocation, 0, "start-before", "float32 (3) @cpu legacy", F::data_shift, -256, 0, of_memory},
    {R::tensor_in_allocation, 1, "extent", "uint8 (3) @cpu bare", F::extent, 4, 0, of_memory},
    {R::tensor_in_allocation, 1, "byte-offset", plain, F::byte_offset, 1, 0, of_memory},
    {R::tensor_in_allocation, 1, "wider-elements", plain, F::dtype_bits, 64, 0, of_memory},
    {R::tensor_in_allocation, 1, "padding-claimed", "int4 (4) @cpu v1.1", F::flags, 4, 0, of_memory},

    {R::managed_deleter_null_meaning, 0, "versioned", plain, F::deleter, 0},
    {R::managed_deleter_null_meaning, 0, "legacy", legacy, F::deleter, 0},

    {R::flags_read_only_truthful, 0, "set", plain, F::flags, 1, 0, {.read_only = Known::no}},
    {R::flags_undefined_bits_zero, 0, "bit-3", plain, F::flags, 8},
    {R::flags_undefined_bits_zero, 0, "bit-63-of-1.0", "float32 (3) @cpu v1.0", F::flags, int64_min},
    {R::flags_undefined_bits_zero, 1, "newer-version", newer, F::flags, 8},
    {R::flags_read_only_set, 0, "clear", "float32 (3):(1) @cpu v1.3 ro", F::flags, 0, 0, {.read_only = Known::yes}},
    {R::flags_is_copied_set, 0, "clear", "float32 (3):(1) @cpu v1.3 copied", F::flags, 0, 0, {.copied = Known::yes}},
    {R::flags_is_copied_honest, 0, "set", plain, F::flags, 2, 0, {.copied = Known::no}},
    {R::flags_padded_only_subbyte, 0, "float32", "float32 (3) @cpu v1.1", F::flags, 4},
    {R::flags_padded_set_when_padded, 0, "clear", "int4 (3) @cpu v1.1 padded", F::flags, 0, 0, {.padded = true}},
};

}  // namespace

std::span<const FaultyRow> faulty_table() { return table; }

}  // namespace dlspec::testing
