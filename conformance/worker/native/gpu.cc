#include <dlspec/conformance/worker/native/gpu.h>

#include <dlfcn.h>

#include <charconv>
#include <cstdlib>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include <dlspec/conformance/worker/protocol/asked_device.h>
#include <dlspec/vocabulary/device.h>

namespace dlspec::conformance {

// Handles and addresses have 64 bits; every function returns 0 where it succeeds.
#define DLSPEC_CUDA_FUNCTIONS(USE)                                           \
  USE(cuInit, unsigned)                                                      \
  USE(cuDeviceGetCount, int*)                                                \
  USE(cuDeviceGet, int*, int)                                                \
  USE(cuDevicePrimaryCtxRetain, void**, int)                                 \
  USE(cuCtxSetCurrent, void*)                                                \
  USE(cuCtxSynchronize)                                                      \
  USE(cuMemAlloc_v2, std::uintptr_t*, std::size_t)                           \
  USE(cuMemHostAlloc, void**, std::size_t, unsigned)                         \
  USE(cuMemAllocManaged, std::uintptr_t*, std::size_t, unsigned)             \
  USE(cuMemFree_v2, std::uintptr_t)                                          \
  USE(cuMemFreeHost, void*)                                                  \
  USE(cuMemcpyHtoDAsync_v2, std::uintptr_t, const void*, std::size_t, void*) \
  USE(cuMemcpyDtoHAsync_v2, void*, std::uintptr_t, std::size_t, void*)       \
  USE(cuPointerGetAttribute, void*, int, std::uintptr_t)

struct CudaFunctions {
#define DLSPEC_MEMBER(name, ...) int (*name)(__VA_ARGS__) = nullptr;
  DLSPEC_CUDA_FUNCTIONS(DLSPEC_MEMBER)
#undef DLSPEC_MEMBER
};

namespace {

constexpr unsigned attach_globally = 1;  // managed memory that every stream may use

// The driver, or a library that stands in for it; NULL where there is none, or an older one.
std::shared_ptr<const CudaFunctions> load_driver() {
  const char* const in_its_place = std::getenv("DLSPEC_CUDA_DRIVER");
  void* const library = dlopen(in_its_place != nullptr ? in_its_place : "libcuda.so.1", RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) return nullptr;
  auto driver = std::make_shared<CudaFunctions>();
  bool is_whole = true;
  const auto fill = [&](auto& function, const char* name) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(dlsym(library, name));
    is_whole = is_whole && function != nullptr;
  };
#define DLSPEC_FILL(name, ...) fill(driver->name, #name);
  DLSPEC_CUDA_FUNCTIONS(DLSPEC_FILL)
#undef DLSPEC_FILL
  return is_whole ? driver : nullptr;
}
#undef DLSPEC_CUDA_FUNCTIONS

}  // namespace

Gpu::Gpu(std::shared_ptr<const CudaFunctions> driver, void* context, int ordinal)
    : driver_(std::move(driver)), context_(context), ordinal_(ordinal) {}

const Gpu* Gpu::asked(std::string& problem) {
  static std::string said;
  static const Gpu* const found = [] {
    const char* const name = std::getenv(asked_device_variable);
    return name != nullptr ? find(name, said) : nullptr;
  }();
  problem = said;
  return found;
}

const Gpu* Gpu::find(const std::string& name, std::string& problem) {
  int ordinal = 0, count = 0, device = 0;
  constexpr std::string_view prefix = "cuda:";
  if (name.starts_with(prefix)) std::from_chars(name.data() + prefix.size(), name.data() + name.size(), ordinal);
  const std::shared_ptr<const CudaFunctions> driver = load_driver();
  if (driver == nullptr) {
    problem = "--device " + name + ": this machine has no CUDA driver";
    return nullptr;
  }
  const int status = driver->cuInit(0);
  if (status != 0 || driver->cuDeviceGetCount(&count) != 0) {
    problem = fmt::format("--device {}: the CUDA driver finds no GPU (cuInit returned {})", name, status);
    return nullptr;
  }
  if (ordinal >= count) {
    problem = fmt::format("--device {}: this machine has {} GPU{}, counted from 0", name, count, count == 1 ? "" : "s");
    return nullptr;
  }
  void* context = nullptr;
  // The context that libraries use, too: the driver has one of this kind for each GPU and process.
  if (driver->cuDeviceGet(&device, ordinal) == 0 && driver->cuDevicePrimaryCtxRetain(&context, device) == 0) {
    return new Gpu(driver, context, ordinal);  // as long as the process
  }
  problem = "--device " + name + ": the CUDA driver gives no access to this GPU";
  return nullptr;
}

abi::Device Gpu::device() const { return {kDLCUDA, ordinal_}; }

// A library may have made another GPU the thread's current one.
void Gpu::use() const { static_cast<void>(driver_->cuCtxSetCurrent(context_)); }

bool Gpu::settle() const {
  use();
  return driver_->cuCtxSynchronize() == 0;
}

std::optional<Gpu::Memory> Gpu::memory_of(std::uintptr_t address) const {
  constexpr int memory_type = 2, managed_flag = 8, device_ordinal = 9;
  constexpr unsigned host = 1;
  unsigned type = 0, is_managed = 0;
  int ordinal = 0;
  use();
  if (driver_->cuPointerGetAttribute(&type, memory_type, address) != 0 ||
      driver_->cuPointerGetAttribute(&is_managed, managed_flag, address) != 0 ||
      driver_->cuPointerGetAttribute(&ordinal, device_ordinal, address) != 0) {
    return std::nullopt;
  }
  return Memory{(is_managed & 0xFF) != 0 ? Kind::managed : type == host ? Kind::pinned : Kind::device, ordinal};
}

std::uintptr_t Gpu::allocate(std::size_t size, Kind kind) const {
  std::uintptr_t address = 0;
  void* host = nullptr;
  use();
  switch (kind) {
    case Kind::device: return driver_->cuMemAlloc_v2(&address, size) == 0 ? address : 0;
    case Kind::managed: return driver_->cuMemAllocManaged(&address, size, attach_globally) == 0 ? address : 0;
    case Kind::pinned: break;
  }
  return driver_->cuMemHostAlloc(&host, size, 0) == 0 ? reinterpret_cast<std::uintptr_t>(host) : 0;
}

void Gpu::release(std::uintptr_t address, Kind kind) const {
  use();
  static_cast<void>(kind == Kind::pinned ? driver_->cuMemFreeHost(reinterpret_cast<void*>(address))
                                         : driver_->cuMemFree_v2(address));
}

bool Gpu::write(std::uintptr_t to, std::span<const std::uint8_t> bytes) const {
  return settle() && driver_->cuMemcpyHtoDAsync_v2(to, bytes.data(), bytes.size(), nullptr) == 0 && settle();
}

bool Gpu::read(std::uintptr_t from, std::span<std::uint8_t> bytes) const {
  return settle() && driver_->cuMemcpyDtoHAsync_v2(bytes.data(), from, bytes.size(), nullptr) == 0 && settle();
}

const char* name_of(Gpu::Kind kind) {
  switch (kind) {
    case Gpu::Kind::device: return "device";
    case Gpu::Kind::managed: return "managed";
    case Gpu::Kind::pinned: break;
  }
  return "pinned";
}

}  // namespace dlspec::conformance
