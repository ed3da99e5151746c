// Producers that leave something behind, or whose structs say something else than they should.
#include <cstdint>
#include <span>
#include <thread>

#include <dlspec/conformance/oracle/unknown_values.h>
#include <dlspec/vocabulary/abi.h>
#include <dlspec/vocabulary/flags.h>

#include "imports.h"

namespace dlspec::zoo {
namespace {

using Versioned = abi::v1::ManagedTensor;

int leak(const DlspecSpec* spec, int generation, void** exported, const char** reason) {
  leave_behind(new char[100]);
  return own().make(spec, generation, exported, reason);
}

template <bool leaks(const DlspecSpec& spec)>
int leak_legacy(const DlspecSpec* spec, int generation, void** exported, const char** reason) {
  if (generation == DLSPEC_LEGACY && leaks(*spec)) leave_behind(new char[100]);
  return own().make(spec, generation, exported, reason);
}
bool is_scalar(const DlspecSpec& spec) { return spec.ndim == 0; }
bool is_read_only(const DlspecSpec& spec) { return spec.read_only != 0; }

int leak_refusals(const DlspecSpec* spec, int generation, void** exported, const char** reason) {
  const int status = own().make(spec, generation, exported, reason);
  if (status != DLSPEC_OK) leave_behind(new char[100]);
  return status;
}

// Pages that another thread than the exporting one releases are lost.
std::thread::id exporting;
void (*release_right)(Versioned*) = nullptr;  // the one deleter of dlspec's own exports

std::int64_t bytes_of(const abi::Tensor& tensor) {
  std::int64_t bytes = tensor.dtype.bits * tensor.dtype.lanes / 8;
  for (std::int32_t axis = 0; axis < tensor.ndim; ++axis) bytes *= tensor.shape[axis];
  return bytes;
}
void lose_pages_elsewhere(Versioned* made) {
  constexpr std::int64_t page = 4096;
  if (std::this_thread::get_id() != exporting && bytes_of(made->dl_tensor) >= page) leave_behind(new char[page]);
  release_right(made);
}
int lose_pages(const DlspecSpec* spec, int generation, void** exported, const char** reason) {
  const int status = own().make(spec, generation, exported, reason);
  if (status != DLSPEC_OK || generation != DLSPEC_VERSIONED) return status;
  auto& made = *static_cast<Versioned*>(*exported);
  exporting = std::this_thread::get_id();
  release_right = made.deleter;
  made.deleter = lose_pages_elsewhere;
  return status;
}

// --- producers whose versioned struct says something else than it should

template <auto spoil>  // called with the struct
int make_but(const DlspecSpec* spec, int generation, void** exported, const char** reason) {
  const int status = own().make(spec, generation, exported, reason);
  if (status == DLSPEC_OK && generation == DLSPEC_VERSIONED) spoil(*static_cast<Versioned*>(*exported));
  return status;
}

void count_in_bytes(Versioned& made) {
  abi::Tensor& tensor = made.dl_tensor;
  for (std::int32_t axis = 0; axis < tensor.ndim; ++axis)
    tensor.strides[axis] *= tensor.dtype.bits * tensor.dtype.lanes / 8;
}
void count_offset_in_elements(Versioned& made) {
  abi::Tensor& tensor = made.dl_tensor;
  if (tensor.dtype.bits < 8) tensor.byte_offset = tensor.byte_offset * 8 / tensor.dtype.bits;
}
void count_offset_in_lanes(Versioned& made) { made.dl_tensor.byte_offset /= made.dl_tensor.dtype.lanes; }
void forget_strides_beyond_eight(Versioned& made) {
  for (std::int32_t axis = 8; axis < made.dl_tensor.ndim; ++axis) made.dl_tensor.strides[axis] = 0;
}
void forget_where_strided(Versioned& made) {
  const abi::Tensor& tensor = made.dl_tensor;
  if (tensor.ndim == 2 && tensor.strides[1] != 1) made.flags &= ~flags::read_only;
}
void lose_an_element(Versioned& made) {
  if (made.dl_tensor.ndim > 0 && made.dl_tensor.shape[0] > 1) --made.dl_tensor.shape[0];
}
void change_an_element(Versioned& made) {
  auto* const first = static_cast<unsigned char*>(made.dl_tensor.data);
  if (first != nullptr && !is_empty(made.dl_tensor)) first[made.dl_tensor.byte_offset] ^= 0x10;
}

// --- the table

#define DLSPEC_CHANGE(member, function) [](DlspecPlugin& plugin) { plugin.member = function; }
#define SPOIL(statement) DLSPEC_CHANGE(make, make_but<[](Versioned& made) { statement; }>)
constexpr FaultyPlugin rows[] = {
    {"leaks", DLSPEC_CHANGE(make, leak)},
    {"forgets read-only where strided", DLSPEC_CHANGE(make, make_but<forget_where_strided>)},
    {"leaks refusals", DLSPEC_CHANGE(make, leak_refusals)},
    {"leaks legacy scalars", DLSPEC_CHANGE(make, leak_legacy<is_scalar>)},
    {"leaks refused legacy structs", DLSPEC_CHANGE(make, leak_legacy<is_read_only>)},
    {"counts byte_offset in elements", DLSPEC_CHANGE(make, make_but<count_offset_in_elements>)},
    {"counts byte_offset in lanes", DLSPEC_CHANGE(make, make_but<count_offset_in_lanes>)},
    {"forgets strides beyond eight axes", DLSPEC_CHANGE(make, make_but<forget_strides_beyond_eight>)},
    {"loses pages on other threads", DLSPEC_CHANGE(make, lose_pages)},
    // Not of the self-test, which has the table of faulty structs: for the programs of --emit-reproducer.
    {"makes major 0", SPOIL(made.version.major = abi::newest_version.major - 1)},
    {"makes major 2", SPOIL(made.version.major = abi::newest_version.major + 1)},
    {"makes unknown flags", SPOIL(made.flags |= conformance::unknown_flags)},
    {"makes padded bytes", SPOIL(made.flags |= flags::subbyte_padded)},
    {"makes nothing read-only", SPOIL(made.flags &= ~flags::read_only)},
    {"makes an unknown code", SPOIL(made.dl_tensor.dtype.code = conformance::unknown_dtype_code)},
    {"makes another dtype", SPOIL(made.dl_tensor.dtype.code = made.dl_tensor.dtype.code == kDLInt ? kDLUInt : kDLInt)},
    {"makes no lanes", SPOIL(made.dl_tensor.dtype.lanes = 0)},
    {"makes no bits", SPOIL(made.dl_tensor.dtype.bits = 0)},
    {"makes an unknown device", SPOIL(made.dl_tensor.device.device_type = conformance::unknown_device_type)},
    {"makes host memory 3", SPOIL(made.dl_tensor.device.device_id = 3)},
    {"makes device -1", SPOIL(made.dl_tensor.device.device_id = -1)},
    {"makes a negative rank", SPOIL(made.dl_tensor.ndim = -1)},
    {"makes no shape", SPOIL(made.dl_tensor.shape = nullptr)},
    {"makes no strides", SPOIL(made.dl_tensor.strides = nullptr)},
    {"makes no data", SPOIL(made.dl_tensor.data = nullptr)},
    {"makes a shorter axis", DLSPEC_CHANGE(make, make_but<lose_an_element>)},
    {"makes strides in bytes", DLSPEC_CHANGE(make, make_but<count_in_bytes>)},
    {"makes other elements", DLSPEC_CHANGE(make, make_but<change_an_element>)},
};
#undef SPOIL
#undef DLSPEC_CHANGE

}  // namespace

std::span<const FaultyPlugin> faulty_producers() { return rows; }

}  // namespace dlspec::zoo
