// A CUDA driver without a GPU: the functions of libcuda.so.1 that dlspec calls, over a model of stream order and two
// devices whose memory is the host's. dlspec's own checks of streams run against it as they run against the driver.
#include <cstring>
#include <string>

#include "memory.h"
#include "streams.h"

namespace dlspec::conformance::cuda_model {
namespace {

constexpr int devices = 2;
constexpr int success = 0, invalid_value = 1, out_of_memory = 2, invalid_device = 101, invalid_context = 201,
              invalid_handle = 400, not_ready = 600;

// As long as the process: libraries may call until then.
Streams& streams() {
  static auto* const made = new Streams;
  return *made;
}
Memory& memory() {
  static auto* const made = new Memory;
  return *made;
}

int contexts[devices] = {0, 1};  // a context is the address of its device's number
thread_local int* current = nullptr;

int found(bool is_found) { return is_found ? success : invalid_handle; }

int allocate(Kind kind, std::uintptr_t* place, std::size_t size) {
  if (current == nullptr) return invalid_context;
  if (size == 0) return invalid_value;
  *place = memory().allocate(kind, *current, size);
  return *place == 0 ? out_of_memory : success;
}

// The driver reads pageable memory before it returns.
int write(std::uintptr_t to, const void* from, std::size_t size, Handle stream) {
  if (!memory().find(to, size)) return invalid_value;
  if (memory().find(reinterpret_cast<std::uintptr_t>(from), size)) {
    return found(streams().add(stream, [=] { std::memcpy(reinterpret_cast<void*>(to), from, size); }));
  }
  return found(streams().add(stream, [to, held = std::string(static_cast<const char*>(from), size)] {
    std::memcpy(reinterpret_cast<void*>(to), held.data(), held.size());
  }));
}

}  // namespace
}  // namespace dlspec::conformance::cuda_model

namespace model = dlspec::conformance::cuda_model;

// NOLINTBEGIN(readability-identifier-naming): the driver's names
extern "C" {

int cuInit(unsigned) { return model::success; }

int cuDriverGetVersion(int* version) {
  *version = 13000;
  return model::success;
}

int cuDeviceGetCount(int* count) {
  *count = model::devices;
  return model::success;
}

int cuDeviceGet(int* device, int ordinal) {
  *device = ordinal;
  return ordinal >= 0 && ordinal < model::devices ? model::success : model::invalid_device;
}

int cuDevicePrimaryCtxRetain(void** context, int device) {
  if (device < 0 || device >= model::devices) return model::invalid_device;
  *context = &model::contexts[device];
  return model::success;
}

int cuCtxSetCurrent(void* context) {
  model::current = static_cast<int*>(context);
  return model::success;
}

int cuCtxSynchronize() {
  model::streams().synchronise_all();
  return model::success;
}

int cuMemAlloc_v2(std::uintptr_t* place, std::size_t size) { return model::allocate(model::Kind::device, place, size); }

int cuMemHostAlloc(void** place, std::size_t size, unsigned) {
  return model::allocate(model::Kind::pinned, reinterpret_cast<std::uintptr_t*>(place), size);
}

int cuMemAllocManaged(std::uintptr_t* place, std::size_t size, unsigned) {
  return model::allocate(model::Kind::managed, place, size);
}

// The driver, too, finishes all work first.
int cuMemFree_v2(std::uintptr_t place) {
  model::streams().synchronise_all();
  return model::memory().release(place) ? model::success : model::invalid_value;
}

int cuMemFreeHost(void* place) { return cuMemFree_v2(reinterpret_cast<std::uintptr_t>(place)); }

int cuMemcpyHtoDAsync_v2(std::uintptr_t to, const void* from, std::size_t size, model::Handle stream) {
  return model::write(to, from, size, stream);
}

int cuMemcpyDtoDAsync_v2(std::uintptr_t to, std::uintptr_t from, std::size_t size, model::Handle stream) {
  if (!model::memory().find(from, size)) return model::invalid_value;
  return model::write(to, reinterpret_cast<const void*>(from), size, stream);
}

int cuMemcpyDtoHAsync_v2(void* to, std::uintptr_t from, std::size_t size, model::Handle stream) {
  if (!model::memory().find(from, size)) return model::invalid_value;
  return model::found(
      model::streams().add(stream, [=] { std::memcpy(to, reinterpret_cast<const void*>(from), size); }));
}

int cuMemsetD8Async(std::uintptr_t to, unsigned char value, std::size_t size, model::Handle stream) {
  if (!model::memory().find(to, size)) return model::invalid_value;
  return model::found(model::streams().add(stream, [=] { std::memset(reinterpret_cast<void*>(to), value, size); }));
}

int cuStreamCreate(model::Handle* stream, unsigned flags) {
  constexpr unsigned non_blocking = 1;
  *stream = model::streams().create((flags & non_blocking) == 0);
  return model::success;
}

int cuStreamDestroy_v2(model::Handle stream) { return model::found(model::streams().destroy(stream)); }

int cuStreamSynchronize(model::Handle stream) { return model::found(model::streams().synchronise(stream)); }

int cuStreamQuery(model::Handle stream) {
  bool is_idle = false;
  if (!model::streams().is_idle(stream, is_idle)) return model::invalid_handle;
  return is_idle ? model::success : model::not_ready;
}

int cuStreamWaitEvent(model::Handle stream, model::Handle event, unsigned) {
  return model::found(model::streams().wait(stream, event));
}

int cuStreamGetFlags(model::Handle stream, unsigned* flags) {
  *flags = 0;
  return model::found(model::streams().is_alive(stream));
}

int cuEventCreate(model::Handle* event, unsigned) {
  *event = model::streams().create_event();
  return model::success;
}

int cuEventRecord(model::Handle event, model::Handle stream) {
  return model::found(model::streams().record(event, stream));
}

int cuEventDestroy_v2(model::Handle event) { return model::found(model::streams().destroy_event(event)); }

int cuEventSynchronize(model::Handle event) { return model::found(model::streams().synchronise_event(event)); }

// What a function of the host does takes time, of which the model has none: it is work that somebody has to wait for.
int cuLaunchHostFunc(model::Handle stream, void (*)(void*), void*) {
  return model::found(model::streams().add(stream, [] {}));
}

int cuPointerGetAttribute(void* answer, int attribute, std::uintptr_t place) {
  constexpr int memory_type = 2, is_managed = 8, device_ordinal = 9;
  constexpr unsigned host = 1, device = 2;
  const auto block = model::memory().find(place, 1);
  if (!block) return model::invalid_value;
  switch (attribute) {
    case memory_type: *static_cast<unsigned*>(answer) = block->kind == model::Kind::pinned ? host : device; break;
    case is_managed: *static_cast<unsigned*>(answer) = block->kind == model::Kind::managed ? 1 : 0; break;
    case device_ordinal: *static_cast<int*>(answer) = block->device; break;
    default: return model::invalid_value;
  }
  return model::success;
}

// What only the model knows: the calls with a stream that was destroyed, and whether a handle ever was a stream's.
unsigned long long dlspec_model_uses_after_destruction() { return model::streams().uses_after_destruction(); }
int dlspec_model_was_stream(model::Handle stream) { return model::streams().is_known(stream) ? 1 : 0; }
}
// NOLINTEND(readability-identifier-naming)
