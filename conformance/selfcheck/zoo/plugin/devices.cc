// Plug-ins whose arrays lie on a GPU, over the model of a driver: dlspec's own producer with its memory moved there,
// and a consumer that copies from there; and the same with one fault each.
#include <dlspec/conformance/worker/native/gpu.h>

#include <cstdint>
#include <cstring>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <dlspec/reference/descriptor/extent.h>
#include <dlspec/reference/rearrange/gather.h>
#include <dlspec/vocabulary/device.h>
#include <dlspec/vocabulary/flags.h>

#include "imports.h"

namespace dlspec::zoo {
namespace {

using conformance::exported_struct;
using conformance::Gpu;
using conformance::release_exported;
using conformance::with_managed;
using reference::ByteSpan;

const Gpu* gpu() {
  std::string problem;
  return Gpu::asked(problem);
}

ByteSpan span_of(const abi::Tensor& tensor) {
  return *reference::byte_span(reference::Axes(tensor), tensor.byte_offset, tensor.dtype);
}
// The `data` of a tensor whose elements begin at this address.
void* data_at(std::uintptr_t begin, const ByteSpan& span) {
  return reinterpret_cast<void*>(begin - static_cast<std::uintptr_t>(span.begin));
}

// --- producers

std::optional<Gpu::Kind> kind_for(std::int32_t device_type) {
  switch (device_type) {
    case kDLCUDA: return Gpu::Kind::device;
    case kDLCUDAHost: return Gpu::Kind::pinned;
    case kDLCUDAManaged: return Gpu::Kind::managed;
    default: return std::nullopt;
  }
}

// What an export has beside dlspec's own, by the address of its struct.
struct Moved {
  std::uintptr_t address;
  Gpu::Kind kind;
  const void* deleter;
};
std::map<const void*, Moved> moved;

template <class Managed>
void release_moved(Managed* managed) {
  const Moved was = moved.at(managed);
  moved.erase(managed);
  if (was.address != 0) gpu()->release(was.address, was.kind);
  reinterpret_cast<void (*)(Managed*)>(const_cast<void*>(was.deleter))(managed);
}

// How a producer differs from the right one.
struct Fault {
  Gpu::Kind pinned = Gpu::Kind::pinned;  // what it takes for page-locked memory
  Gpu::Kind managed = Gpu::Kind::managed;
  bool stays_on_host = false;
  bool names_next_gpu = false;
  bool flips_a_bit = false;
  bool counts_bytes = false;
  bool reaches_beyond = false;
};

bool move(const Exported& exported, Gpu::Kind kind, const Fault& fault) {
  abi::Tensor& tensor = conformance::managed_tensor(exported);
  const ByteSpan span = span_of(tensor);
  auto* const host = static_cast<std::uint8_t*>(tensor.data);
  std::uintptr_t address = 0;
  if (span.size() != 0 && !(fault.stays_on_host && kind == Gpu::Kind::device)) {
    if (fault.flips_a_bit) host[tensor.byte_offset] ^= 1;
    address = gpu()->allocate(span.size(), kind);
    if (address == 0 || !gpu()->write(address, {host + span.begin, span.size()})) return false;
    tensor.data = data_at(address, span);
  }
  with_managed(exported, [&](auto& managed) {
    moved[&managed] = {address, kind, reinterpret_cast<const void*>(managed.deleter)};
    managed.deleter = release_moved;
  });
  return true;
}

template <Fault fault>
int make(const DlspecSpec* spec, int generation, void** exported, const char** reason) {
  std::optional<Gpu::Kind> kind = kind_for(spec->device_type);
  if (!kind || gpu() == nullptr) {
    *reason = "only memory of the GPU";
    return DLSPEC_UNSUPPORTED;
  }
  if (kind == Gpu::Kind::pinned) kind = fault.pinned;
  if (kind == Gpu::Kind::managed && spec->device_type == kDLCUDAManaged) kind = fault.managed;
  DlspecSpec host = *spec;
  host.device_type = kDLCPU;
  host.device_id = 0;
  const int status = own().make(&host, generation, exported, reason);
  if (status != DLSPEC_OK) return status;
  const Exported made = exported_struct(*exported, generation);
  if (!move(made, *kind, fault)) {
    release_exported(made);
    *reason = "no memory";
    return DLSPEC_ERROR;
  }
  abi::Tensor& tensor = conformance::managed_tensor(made);
  tensor.device = {spec->device_type, spec->device_id + (fault.names_next_gpu ? 1 : 0)};
  for (std::int32_t axis = 0; fault.counts_bytes && axis < tensor.ndim; ++axis) {
    tensor.strides[axis] *= tensor.dtype.bits / 8;
  }
  for (std::int32_t axis = 0; fault.reaches_beyond && axis < tensor.ndim; ++axis) {
    if (tensor.strides[axis] > 0) tensor.strides[axis] *= std::int64_t{1} << 40;
  }
  return DLSPEC_OK;
}

// --- consumers

int take_on_gpu(void* managed, int generation, void** array, const char** reason) {
  const Import import{exported_struct(managed, generation)};
  if (!import.is_readable() || import.tensor().device.device_type != kDLCUDA) return refuse(import.managed, reason);
  *array = new Import(import);
  return DLSPEC_OK;
}

int refuse_and_keep(void*, int, void**, const char** reason) {
  *reason = "not on a GPU";
  return DLSPEC_UNSUPPORTED;
}

bool always(const abi::Tensor&) { return true; }
bool has_stride_0(const abi::Tensor& tensor) {
  for (std::int32_t axis = 0; tensor.strides != nullptr && axis < tensor.ndim; ++axis) {
    if (tensor.strides[axis] == 0 && tensor.shape[axis] > 1) return true;
  }
  return false;
}

// The elements, copied from where they lie.
int show_on_gpu(void* array, void* bytes, std::size_t byte_count) {
  abi::Tensor tensor = static_cast<Import*>(array)->tensor();
  const ByteSpan span = span_of(tensor);
  std::vector<std::uint8_t> held(span.size()), gathered;
  const auto begin = reinterpret_cast<std::uintptr_t>(tensor.data) + static_cast<std::uintptr_t>(span.begin);
  if (!held.empty() && !gpu()->read(begin, held)) return DLSPEC_ERROR;
  tensor.data = data_at(reinterpret_cast<std::uintptr_t>(held.data()), span);
  tensor.device = {kDLCPU, 0};
  if (reference::gather(tensor, false, gathered) != Status::ok || gathered.size() != byte_count) return DLSPEC_ERROR;
  if (byte_count != 0) std::memcpy(bytes, gathered.data(), byte_count);
  return DLSPEC_OK;
}

template <bool (*wrong)(const abi::Tensor&)>
int show_but(void* array, void* bytes, std::size_t byte_count) {
  const int status = show_on_gpu(array, bytes, byte_count);
  if (byte_count != 0 && wrong(static_cast<Import*>(array)->tensor())) *static_cast<std::uint8_t*>(bytes) ^= 1;
  return status;
}

int scribble_on_gpu(void* array, void* bytes, std::size_t byte_count) {
  const int status = show_on_gpu(array, bytes, byte_count);
  const Import& import = *static_cast<Import*>(array);
  if ((import.flags() & flags::read_only) == 0) return status;
  constexpr std::uint8_t scribble[] = {0x5A};
  static_cast<void>(gpu()->write(reinterpret_cast<std::uintptr_t>(import.tensor().data), scribble));
  return status;
}

void give_up_on_gpu(void* array) {
  auto* const import = static_cast<Import*>(array);
  release_exported(import->managed);
  delete import;
}

// --- the table

void use_gpu(DlspecPlugin& plugin) {
  plugin.make = make<Fault{}>;
  plugin.import_tensor = take_on_gpu;
  plugin.contents = show_on_gpu;
  plugin.release = give_up_on_gpu;
  plugin.bridge = nullptr;
}

#define DLSPEC_ON_GPU(member, ...) [](DlspecPlugin& plugin) { use_gpu(plugin), plugin.member = __VA_ARGS__; }
constexpr FaultyPlugin rows[] = {
    {"gpu", use_gpu},
    {"gpu named for host memory", DLSPEC_ON_GPU(make, make<Fault{.stays_on_host = true}>)},
    {"gpu of another number", DLSPEC_ON_GPU(make, make<Fault{.names_next_gpu = true}>)},
    {"gpu with other elements", DLSPEC_ON_GPU(make, make<Fault{.flips_a_bit = true}>)},
    {"gpu with strides in bytes", DLSPEC_ON_GPU(make, make<Fault{.counts_bytes = true}>)},
    {"gpu beyond its memory", DLSPEC_ON_GPU(make, make<Fault{.reaches_beyond = true}>)},
    {"gpu memory named pinned", DLSPEC_ON_GPU(make, make<Fault{.pinned = Gpu::Kind::device}>)},
    {"gpu memory named managed", DLSPEC_ON_GPU(make, make<Fault{.managed = Gpu::Kind::device}>)},
    {"gpu misread", DLSPEC_ON_GPU(contents, show_but<always>)},
    {"gpu zero strides misread", DLSPEC_ON_GPU(contents, show_but<has_stride_0>)},
    {"gpu writes read-only", DLSPEC_ON_GPU(contents, scribble_on_gpu)},
    {"gpu never releases", DLSPEC_ON_GPU(release, leave_behind)},
    {"gpu refused, not released", DLSPEC_ON_GPU(import_tensor, refuse_and_keep)},
};
#undef DLSPEC_ON_GPU

}  // namespace

std::span<const FaultyPlugin> plugins_on_gpu() { return rows; }

}  // namespace dlspec::zoo
