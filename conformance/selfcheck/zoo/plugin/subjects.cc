#include "subjects.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include <dlspec/conformance/oracle/unknown_values.h>
#include <dlspec/conformance/worker/native/builtin.h>
#include <dlspec/conformance/worker/native/managed_structs.h>
#include <dlspec/vocabulary/abi.h>
#include <dlspec/vocabulary/exported.h>
#include <dlspec/vocabulary/flags.h>

#include "imports.h"
#include "tables.h"

namespace dlspec::zoo {
namespace {

using Versioned = abi::v1::ManagedTensor;
using conformance::call_deleter;
using conformance::exported_struct;
using conformance::has_deleter;
using conformance::release_exported;
using conformance::with_managed;

// --- imports that refuse what they should take

template <Question refused>
int take_but(void* managed, int generation, void** array, const char** reason) {
  const Import import{exported_struct(managed, generation)};
  if (import.is_readable() && refused(import)) return refuse(import.managed, reason);
  return take(managed, generation, array, reason);
}

bool has_older_minor(const Import& import) {
  return import.version() < abi::newest_version && import.tensor().strides != nullptr;
}
bool has_newer_minor(const Import& import) { return import.version() > abi::newest_version; }
bool has_null_strides(const Import& import) { return import.tensor().ndim > 0 && import.tensor().strides == nullptr; }
bool has_null_data(const Import& import) { return is_empty(import.tensor()) && import.tensor().data == nullptr; }
bool has_legacy_null_data_of_a_vector(const Import& import) {
  return has_null_data(import) && !import.versioned() && import.tensor().ndim == 1;
}
bool has_null_data_and_an_inner_0(const Import& import) {
  return has_null_data(import) && import.tensor().ndim > 2 && import.tensor().shape[1] == 0;
}
bool has_legacy_null_strides_of_many_axes(const Import& import) {
  return has_null_strides(import) && !import.versioned() && import.tensor().ndim > 2;
}
bool has_idle_data(const Import& import) { return is_empty(import.tensor()) && import.tensor().data != nullptr; }
bool has_null_shape(const Import& import) { return import.tensor().shape == nullptr; }

bool has_foreign_major(const Import& import) { return !import.has_known_major(); }
bool has_unknown_dtype(const Import& import) {
  return import.has_known_major() && import.tensor().dtype.code == conformance::unknown_dtype_code;
}

// Refuses, and calls the deleter, unasked whether there is one.
template <Question refused>
int refuse_unasked(void* managed, int generation, void** array, const char** reason) {
  const Import import{exported_struct(managed, generation)};
  if (!refused(import)) return take(managed, generation, array, reason);
  call_deleter(import.managed);
  *reason = "this is not taken";
  return DLSPEC_UNSUPPORTED;
}

// Refuses without a release.
template <Question kept>
int keep(void* managed, int generation, void** array, const char** reason) {
  const Import import{exported_struct(managed, generation)};
  return kept(import) ? DLSPEC_UNSUPPORTED : take(managed, generation, array, reason);
}

// --- contents that are read wrongly

template <Question wrong>
int show_but(void* array, void* bytes, std::size_t byte_count) {
  const int status = show(array, bytes, byte_count);
  auto* const first = static_cast<char*>(bytes);
  if (wrong(*static_cast<Import*>(array))) std::rotate(first, first + byte_count / 2, first + byte_count);
  return status;
}

template <class Test>
bool any_stride(const abi::Tensor& tensor, Test test) {
  for (std::int32_t axis = 0; tensor.strides != nullptr && axis < tensor.ndim; ++axis) {
    if (tensor.shape[axis] > 1 && test(tensor.strides[axis])) return true;
  }
  return false;
}

bool always(const Import&) { return true; }
bool has_offset(const Import& import) { return import.tensor().byte_offset != 0; }
bool is_scalar_with_offset(const Import& import) { return import.tensor().ndim == 0 && has_offset(import); }
bool is_compact_with_offset(const Import& import) { return has_null_strides(import) && has_offset(import); }
bool has_both_flags(const Import& import) {
  constexpr std::uint64_t both = flags::read_only | flags::is_copied;
  return (import.flags() & both) == both;
}
bool has_six_bits(const Import& import) { return import.tensor().dtype.bits == 6; }
bool is_padded_vector(const Import& import) {
  return import.tensor().ndim == 1 && (import.flags() & flags::subbyte_padded) != 0;
}
bool has_bits_in_steps(const Import& import) {
  const abi::Tensor& tensor = import.tensor();
  return tensor.dtype.bits < 8 && tensor.ndim == 1 && tensor.strides != nullptr && tensor.strides[0] > 1 &&
         !is_padded_vector(import);
}
bool has_stride_0(const Import& import) {
  return any_stride(import.tensor(), [](std::int64_t stride) { return stride == 0; });
}
bool has_negative_stride(const Import& import) {
  return any_stride(import.tensor(), [](std::int64_t stride) { return stride < 0; });
}

int scribble(void* array, void* bytes, std::size_t byte_count) {
  const int status = show(array, bytes, byte_count);
  const Import& import = *static_cast<Import*>(array);
  const abi::Tensor& tensor = import.tensor();
  if ((import.flags() & flags::read_only) != 0 && byte_count > 0) {
    auto* const first = static_cast<char*>(tensor.data) + tensor.byte_offset;
    *first = static_cast<char>(~*first);
  }
  return status;
}

int rewrite_shape(void* array, void* bytes, std::size_t byte_count) {
  const int status = show(array, bytes, byte_count);
  const abi::Tensor& tensor = static_cast<Import*>(array)->tensor();
  if (tensor.ndim > 0) ++tensor.shape[0];
  return status;
}

// --- releases

void release_twice(void* array) {
  const Import import = *static_cast<Import*>(array);
  release_exported(import.managed);
  give_up(array);
}

// Not inlined: clang leaves out a call whose pointer it knows to be NULL.
[[gnu::noinline]] void call_unasked(const Exported& managed) { call_deleter(managed); }

void release_unasked(void* array) {
  const Import import = *static_cast<Import*>(array);
  if (has_deleter(import.managed)) return give_up(array);
  call_unasked(import.managed);  // there is none
}

void release_copy(void* array) {
  const Import import = *static_cast<Import*>(array);
  if (!has_deleter(import.managed)) return give_up(array);
  with_managed(import.managed, [](const auto& managed) {
    auto* const copy = new auto(managed);
    leave_behind(copy);
    copy->deleter(copy);
  });
}

// The owners of sixteen imports find a place; the further ones are never released.
std::vector<void*> owned;

int take_owned(void* managed, int generation, void** array, const char** reason) {
  const int status = take(managed, generation, array, reason);
  if (status == DLSPEC_OK && owned.size() < 16) owned.push_back(*array);
  return status;
}
void release_owned(void* array) {
  const auto place = std::find(owned.begin(), owned.end(), array);
  if (place == owned.end()) return leave_behind(array);
  owned.erase(place);
  give_up(array);
}

void touch_after_release(void* array) {
  const Import import = *static_cast<Import*>(array);
  std::int64_t* const shape = import.tensor().ndim > 0 ? import.tensor().shape : nullptr;
  give_up(array);
  if (shape != nullptr) shape[0] = 0;
}

// --- the table

#define DLSPEC_CHANGE(member, function) [](DlspecPlugin& plugin) { plugin.member = function; }
constexpr FaultyPlugin rows[] = {
    {"clean", [](DlspecPlugin&) {}},
    {"older minor refused", DLSPEC_CHANGE(import_tensor, take_but<has_older_minor>)},
    {"minor refused", DLSPEC_CHANGE(import_tensor, take_but<has_newer_minor>)},
    {"null strides refused", DLSPEC_CHANGE(import_tensor, take_but<has_null_strides>)},
    {"null data refused", DLSPEC_CHANGE(import_tensor, take_but<has_null_data>)},
    {"null data of legacy vectors refused", DLSPEC_CHANGE(import_tensor, take_but<has_legacy_null_data_of_a_vector>)},
    {"null data beside an inner 0 refused", DLSPEC_CHANGE(import_tensor, take_but<has_null_data_and_an_inner_0>)},
    {"pointer refused", DLSPEC_CHANGE(import_tensor, take_but<has_idle_data>)},
    {"null shape refused", DLSPEC_CHANGE(import_tensor, take_but<has_null_shape>)},
    {"keeps a foreign major", DLSPEC_CHANGE(import_tensor, keep<has_foreign_major>)},
    {"keeps unknown dtypes", DLSPEC_CHANGE(import_tensor, keep<has_unknown_dtype>)},
    {"reads wrongly", DLSPEC_CHANGE(contents, show_but<always>)},
    {"byte_offset misread", DLSPEC_CHANGE(contents, show_but<has_offset>)},
    {"byte_offset of scalars misread", DLSPEC_CHANGE(contents, show_but<is_scalar_with_offset>)},
    {"byte_offset beside null strides misread", DLSPEC_CHANGE(contents, show_but<is_compact_with_offset>)},
    {"two flags misread", DLSPEC_CHANGE(contents, show_but<has_both_flags>)},
    {"null strides misread", DLSPEC_CHANGE(contents, show_but<has_null_strides>)},
    {"six bits misread", DLSPEC_CHANGE(contents, show_but<has_six_bits>)},
    {"padded vectors misread", DLSPEC_CHANGE(contents, show_but<is_padded_vector>)},
    {"bits in steps misread", DLSPEC_CHANGE(contents, show_but<has_bits_in_steps>)},
    {"null strides of many axes misread", DLSPEC_CHANGE(contents, show_but<has_legacy_null_strides_of_many_axes>)},
    {"zero strides misread", DLSPEC_CHANGE(contents, show_but<has_stride_0>)},
    {"negative strides misread", DLSPEC_CHANGE(contents, show_but<has_negative_stride>)},
    {"writes read-only", DLSPEC_CHANGE(contents, scribble)},
    {"rewrites the shape", DLSPEC_CHANGE(contents, rewrite_shape)},
    {"never releases", DLSPEC_CHANGE(release, leave_behind)},
    {"owns sixteen imports",
     [](DlspecPlugin& plugin) {
       plugin.import_tensor = take_owned;
       plugin.release = release_owned;
     }},
    {"releases twice", DLSPEC_CHANGE(release, release_twice)},
    {"calls a NULL deleter", DLSPEC_CHANGE(release, release_unasked)},
    {"calls a NULL deleter of what it refuses", DLSPEC_CHANGE(import_tensor, refuse_unasked<has_unknown_dtype>)},
    {"releases a copy", DLSPEC_CHANGE(release, release_copy)},
    {"touches after release", DLSPEC_CHANGE(release, touch_after_release)},
};
#undef DLSPEC_CHANGE

}  // namespace

const DlspecPlugin* find_plugin(std::string_view name) {
  static DlspecPlugin plugin{
      DLSPEC_PLUGIN_VERSION, sizeof(DlspecPlugin), "zoo", "1", own().make, take, show, give_up, own().bridge, nullptr};
  for (const std::span<const FaultyPlugin> table : {std::span<const FaultyPlugin>(rows), faulty_producers(),
                                                    trusting_consumers(), plugins_on_gpu(), plugins_with_tables()}) {
    for (const FaultyPlugin& row : table) {
      if (name != row.name) continue;
      row.change(plugin);
      return &plugin;
    }
  }
  if (spoil_table(name, plugin)) return &plugin;
  plugin.bridge = find_bridge(name);
  return plugin.bridge != nullptr ? &plugin : nullptr;
}

}  // namespace dlspec::zoo
