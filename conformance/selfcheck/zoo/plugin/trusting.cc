// Consumers that believe one thing that a struct says, and show zeros for the elements that they were promised; or that
// look before they may. Otherwise they are dlspec's own.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>

#include <dlspec/vocabulary/device.h>
#include <dlspec/vocabulary/dtype.h>
#include <dlspec/vocabulary/flags.h>

#include "imports.h"

namespace dlspec::zoo {

using conformance::exported_struct;
using conformance::release_exported;

int take(void* managed, int generation, void** array, const char** reason) {
  auto* const import = new Import{exported_struct(managed, generation)};
  const int status = own().import_tensor(managed, generation, &import->array, reason);
  *array = import;
  return status;
}

int show(void* array, void* bytes, std::size_t byte_count) {
  const Import& import = *static_cast<Import*>(array);
  if (import.array != nullptr) return own().contents(import.array, bytes, byte_count);
  std::memset(bytes, 0, byte_count);
  return DLSPEC_OK;
}

void give_up(void* array) {
  auto* const import = static_cast<Import*>(array);
  import->array != nullptr ? own().release(import->array) : release_exported(import->managed);
  delete import;
}

int refuse(const Exported& exported, const char** reason) {
  release_exported(exported);
  *reason = "this is not taken";
  return DLSPEC_UNSUPPORTED;
}

namespace {

template <Question believed>
int believe(void* managed, int generation, void** array, const char** reason) {
  const Import import{exported_struct(managed, generation)};
  if (!import.has_known_major() || !believed(import)) return take(managed, generation, array, reason);
  *array = new Import(import);
  return DLSPEC_OK;
}

// Refuses without a release.
template <Question kept>
int keep(void* managed, int generation, void** array, const char** reason) {
  const Import import{exported_struct(managed, generation)};
  return import.has_known_major() && kept(import) ? DLSPEC_UNSUPPORTED : take(managed, generation, array, reason);
}

volatile std::int64_t seen;

// Reads what may not be there, and judges afterwards.
template <void look(const Import& import)>
int look_first(void* managed, int generation, void** array, const char** reason) {
  look(Import{exported_struct(managed, generation)});
  return take(managed, generation, array, reason);
}

void at_the_rank(const Import& import) { seen = import.tensor().ndim; }
void at_the_first_extent(const Import& import) {
  if (import.has_known_major() && import.versioned() && import.tensor().ndim == 2) seen = *import.tensor().shape;
}

void at_the_rank_of_flagged(const Import& import) {
  if ((import.flags() & flags::read_only) != 0) seen = import.tensor().ndim;
}
void at_the_stride_of_a_scalar(const Import& import) {
  if (!import.has_known_major()) return;
  const abi::Tensor& said = import.tensor();
  if (said.ndim == 0 && said.strides != nullptr) seen = *said.strides;
}

bool has_elements(const Import& import) {
  const abi::Tensor& said = import.tensor();
  return import.is_readable() && std::find(said.shape, said.shape + said.ndim, 0) == said.shape + said.ndim;
}
bool is_aligned(const std::int64_t* numbers) {
  return reinterpret_cast<std::uintptr_t>(numbers) % sizeof *numbers == 0;
}

bool has_no_data(const Import& import) { return has_elements(import) && import.tensor().data == nullptr; }
bool has_no_shape(const Import& import) { return import.tensor().ndim > 0 && import.tensor().shape == nullptr; }
bool has_negative_extent(const Import& import) {
  const abi::Tensor& said = import.tensor();
  return import.is_readable() &&
         std::any_of(said.shape, said.shape + said.ndim, [](auto extent) { return extent < 0; });
}
bool has_too_many_bytes(const Import& import) {
  if (!has_elements(import) || has_negative_extent(import)) return false;
  std::int64_t size = (import.tensor().dtype.bits + 7) / 8;
  for (std::int32_t axis = 0; axis < import.tensor().ndim; ++axis) {
    if (__builtin_mul_overflow(size, import.tensor().shape[axis], &size)) return true;
  }
  return false;
}
bool has_far_strides(const Import& import) {
  const abi::Tensor& said = import.tensor();
  if (!has_elements(import) || has_too_many_bytes(import) || said.strides == nullptr) return false;
  constexpr std::int64_t far = std::int64_t{1} << 60;
  for (std::int32_t axis = 0; axis < said.ndim; ++axis) {
    if (said.shape[axis] > 1 && (said.strides[axis] < -far || said.strides[axis] > far)) return true;
  }
  return false;
}
bool has_far_offset(const Import& import) {
  return import.tensor().byte_offset > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
}
bool has_negative_rank(const Import& import) { return import.tensor().ndim < 0; }
bool has_high_rank(const Import& import) { return import.tensor().ndim > 32; }
bool has_misaligned_lists(const Import& import) {
  return import.is_readable() && !(is_aligned(import.tensor().shape) && is_aligned(import.tensor().strides));
}
bool has_no_width(const Import& import) { return import.tensor().dtype.bits == 0 || import.tensor().dtype.lanes == 0; }
bool has_odd_width(const Import& import) {
  return import.tensor().dtype.bits > 128 && import.tensor().dtype.code <= kDLFloat;
}
bool has_wide_small_float(const Import& import) {
  const abi::DataType dtype = import.tensor().dtype;
  return dtype.bits == 8 && dtype.code >= kDLFloat6_e2m3fn && dtype.code <= kDLFloat4_e2m1fn;
}
bool has_wide_float8(const Import& import) {
  const abi::DataType dtype = import.tensor().dtype;
  return dtype.bits == 16 && dtype.code >= kDLFloat8_e3m4 && dtype.code <= kDLFloat8_e4m3fn;
}
bool has_unknown_code(const Import& import) { return import.tensor().dtype.code == 255; }
bool has_handles(const Import& import) { return import.tensor().dtype.code == kDLOpaqueHandle; }
bool has_many_lanes(const Import& import) { return import.tensor().dtype.lanes == 65535; }
bool has_lanes_beyond_a_byte(const Import& import) { return import.tensor().dtype.lanes == 257; }
bool has_pairs_of_bytes(const Import& import) {
  return import.tensor().dtype.lanes == 2 && import.tensor().dtype.bits == 8;
}
bool is_on_no_device(const Import& import) { return import.tensor().device.device_type == 0; }
bool is_on_the_host_in_a_byte(const Import& import) {
  const std::int32_t type = import.tensor().device.device_type;
  return type != kDLCPU && static_cast<std::int8_t>(type) == kDLCPU;
}
bool is_on_another_host(const Import& import) { return import.tensor().device.device_id != 0; }
bool has_newer_null_strides(const Import& import) {
  return import.versioned() && import.version() >= abi::Version{1, 2} && import.tensor().ndim == 2 &&
         import.tensor().strides == nullptr;
}

#define DLSPEC_CHANGE(...) [](DlspecPlugin& plugin) { plugin.import_tensor = __VA_ARGS__; }
constexpr FaultyPlugin rows[] = {
    {"reads before the major", DLSPEC_CHANGE(look_first<at_the_rank>)},
    {"reads a flagged major", DLSPEC_CHANGE(look_first<at_the_rank_of_flagged>)},
    {"reads strides of scalars", DLSPEC_CHANGE(look_first<at_the_stride_of_a_scalar>)},
    {"reads a NULL shape", DLSPEC_CHANGE(look_first<at_the_first_extent>)},
    {"believes NULL data", DLSPEC_CHANGE(believe<has_no_data>)},
    {"believes a NULL shape", DLSPEC_CHANGE(believe<has_no_shape>)},
    {"believes negative extents", DLSPEC_CHANGE(believe<has_negative_extent>)},
    {"believes any size", DLSPEC_CHANGE(believe<has_too_many_bytes>)},
    {"believes any stride", DLSPEC_CHANGE(believe<has_far_strides>)},
    {"believes any byte_offset", DLSPEC_CHANGE(believe<has_far_offset>)},
    {"believes negative ranks", DLSPEC_CHANGE(believe<has_negative_rank>)},
    {"believes high ranks", DLSPEC_CHANGE(believe<has_high_rank>)},
    {"believes misaligned lists", DLSPEC_CHANGE(believe<has_misaligned_lists>)},
    {"believes in no width", DLSPEC_CHANGE(believe<has_no_width>)},
    {"believes odd widths", DLSPEC_CHANGE(believe<has_odd_width>)},
    {"believes wide small floats", DLSPEC_CHANGE(believe<has_wide_small_float>)},
    {"believes wide float8s", DLSPEC_CHANGE(believe<has_wide_float8>)},
    {"believes unknown codes", DLSPEC_CHANGE(believe<has_unknown_code>)},
    {"believes in handles", DLSPEC_CHANGE(believe<has_handles>)},
    {"believes in many lanes", DLSPEC_CHANGE(believe<has_many_lanes>)},
    {"believes in pairs of bytes", DLSPEC_CHANGE(believe<has_pairs_of_bytes>)},
    {"reads lanes as a byte", DLSPEC_CHANGE(believe<has_lanes_beyond_a_byte>)},
    {"believes device 0", DLSPEC_CHANGE(believe<is_on_no_device>)},
    {"reads devices as a byte", DLSPEC_CHANGE(believe<is_on_the_host_in_a_byte>)},
    {"believes in other hosts", DLSPEC_CHANGE(believe<is_on_another_host>)},
    {"newer null strides misread", DLSPEC_CHANGE(believe<has_newer_null_strides>)},
    {"keeps negative ranks", DLSPEC_CHANGE(keep<has_negative_rank>)},
};
#undef DLSPEC_CHANGE

}  // namespace

std::span<const FaultyPlugin> trusting_consumers() { return rows; }

}  // namespace dlspec::zoo
