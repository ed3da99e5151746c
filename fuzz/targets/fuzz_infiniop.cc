// Invalid calls of the InfiniOP library: descriptors of extreme numbers; objects that are destroyed, of another kind or
// were never made; DLPack structs with any contents; views beyond their buffers. Every call must return a documented
// status, nothing may be written outside of the buffers, and a failure must not create an object.
#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <span>
#include <vector>

#include "fail.h"

#include <dlspec/infiniop/infiniop.h>
#include <dlspec/infiniop/infinirt.h>
#include <dlspec/vocabulary/abi.h>

namespace {

namespace abi = dlspec::abi;
using dlspec::fuzz::fail;

constexpr std::int64_t numbers[] = {0,         1,         2,         3,         4,         5,         7,   8,
                                    -1,        -2,        -3,        -8,        16,        64,        65,  255,
                                    1LL << 31, 1LL << 32, 1LL << 61, 1LL << 62, INT64_MAX, INT64_MIN, 100, -100};
constexpr std::size_t buffer_bytes = 512;

infiniStatus_t checked(infiniStatus_t status) {
  const int number = static_cast<int>(status);
  if (number < 0 || number == 9 || number > INFINI_STATUS_INSUFFICIENT_WORKSPACE)
    fail("a status that is not documented");
  return status;
}

class Calls {
 public:
  explicit Calls(std::span<const std::uint8_t> bytes) : bytes_(bytes) {
    for (std::size_t i = 0; i < buffer_bytes; ++i) source_[i] = static_cast<std::uint8_t>(i * 7);
  }
  Calls(const Calls&) = delete;
  Calls& operator=(const Calls&) = delete;

  void run() {
    while (!bytes_.empty()) one();
  }

  ~Calls() {
    for (std::uintptr_t object : objects_) destroy(object);
    checked(infinirtSetDevice(INFINI_DEVICE_CPU, 0));
  }

 private:
  std::uint8_t byte() {
    if (bytes_.empty()) return 0;
    const std::uint8_t first = bytes_[0];
    bytes_ = bytes_.subspan(1);
    return first;
  }
  std::int64_t number() { return numbers[byte() % std::size(numbers)]; }

  // Live, destroyed, of another kind, NULL or never made.
  template <class T>
  T any() {
    const std::uint8_t choice = byte();
    if (choice == 255) return reinterpret_cast<T>(static_cast<std::uintptr_t>(number()));
    return objects_.empty() ? nullptr : reinterpret_cast<T>(objects_[choice % objects_.size()]);
  }
  template <class T>
  void keep(infiniStatus_t status, T object) {
    if ((object != nullptr) != (checked(status) == INFINI_STATUS_SUCCESS))
      fail("an object without success, or none with it");
    if (object != nullptr && objects_.size() < 64) return objects_.push_back(reinterpret_cast<std::uintptr_t>(object));
    if (object != nullptr) destroy(reinterpret_cast<std::uintptr_t>(object));
  }
  // At most one of them owns it; the others must refuse it.
  static void destroy(std::uintptr_t object) {
    int destroyed = 0;
    if (object == 0) return;
    destroyed += checked(infiniopDestroyHandle(reinterpret_cast<infiniopHandle_t>(object))) == INFINI_STATUS_SUCCESS;
    destroyed += checked(infiniopDestroyTensorDescriptor(reinterpret_cast<infiniopTensorDescriptor_t>(object))) ==
                 INFINI_STATUS_SUCCESS;
    destroyed += checked(infiniopDestroyRearrangeDescriptor(reinterpret_cast<infiniopRearrangeDescriptor_t>(object))) ==
                 INFINI_STATUS_SUCCESS;
    if (destroyed > 1) fail("one object was destroyed as several kinds");
  }

  void one() {
    switch (byte() % 9) {
      case 0: return create_handle();
      case 1:
      case 2: return create_tensor();
      case 3: return create_operation();
      case 4: return rearrange();
      case 5: return destroy(reinterpret_cast<std::uintptr_t>(any<void*>()));
      case 6: return import();
      case 7: return export_again();
      default: return ask();
    }
  }

  void create_handle() {
    checked(infinirtSetDevice(static_cast<infiniDevice_t>(byte() % 4 == 0 ? number() : 0), 0));
    infiniopHandle_t handle = nullptr;
    const infiniStatus_t status = infiniopCreateHandle(&handle);
    keep(status, handle);
  }

  void create_tensor() {
    std::array<std::size_t, 72> shape;
    std::array<std::ptrdiff_t, 72> strides;
    const std::uint8_t form = byte();
    const std::size_t rank = form % 16 == 15 ? 60 + byte() % 12 : form % 5;
    for (std::size_t axis = 0; axis < rank; ++axis) {
      shape[axis] = form >= 128 ? static_cast<std::size_t>(number()) : byte() % 5u;
      strides[axis] = number();
    }
    infiniopTensorDescriptor_t tensor = nullptr;
    const bool no_shape = form % 64 == 33;
    const int dtype = form % 32 == 9 ? static_cast<int>(number()) : 1 + byte() % 19;
    const infiniStatus_t status =
        infiniopCreateTensorDescriptor(&tensor, rank, no_shape ? nullptr : shape.data(),
                                       form % 3 == 0 ? nullptr : strides.data(), static_cast<infiniDtype_t>(dtype));
    keep(status, tensor);
  }

  void create_operation() {
    infiniopRearrangeDescriptor_t operation = nullptr;
    const auto handle = any<infiniopHandle_t>();
    const auto dst = any<infiniopTensorDescriptor_t>(), src = any<infiniopTensorDescriptor_t>();
    const infiniStatus_t status = infiniopCreateRearrangeDescriptor(handle, &operation, dst, src);
    keep(status, operation);
  }

  // Only with buffers: without them the library cannot know which memory it may access.
  void rearrange() {
    alignas(16) std::array<std::uint8_t, buffer_bytes + 64> target;
    target.fill(0xA5);
    const auto operation = any<infiniopRearrangeDescriptor_t>();
    const std::size_t bytes = std::size_t{byte()} * 2;
    const auto status =
        checked(dlspecInfiniopRearrangeSized(operation, target.data() + 32 + byte(), {target.data() + 32, bytes},
                                             source_.data() + byte(), {source_.data(), buffer_bytes}, nullptr));
    const auto untouched = [](std::uint8_t value) { return value == 0xA5; };
    const auto end = target.begin() + 32 + static_cast<std::ptrdiff_t>(bytes);
    if (!std::all_of(target.begin(), target.begin() + 32, untouched) || !std::all_of(end, target.end(), untouched))
      fail("bytes outside of the buffer were written");
    if (status != INFINI_STATUS_SUCCESS && !std::all_of(target.begin(), target.end(), untouched))
      fail("a refusal wrote");
  }

  void import() {
    std::array<std::int64_t, 8> shape, strides;
    for (std::size_t axis = 0; axis < 8; ++axis) {
      shape[axis] = number();
      strides[axis] = number();
    }
    const std::uint8_t form = byte();
    abi::v1::ManagedTensor managed{};
    managed.version = {form % 8 == 7 ? static_cast<std::uint32_t>(number()) : 1, byte() % 5u};
    managed.flags = form % 4 == 3 ? static_cast<std::uint64_t>(number()) : 0;
    abi::Tensor& tensor = managed.dl_tensor;
    tensor.data = form % 5 == 4 ? nullptr : reinterpret_cast<void*>(static_cast<std::uintptr_t>(number()));
    tensor.device = {form % 16 == 5 ? byte() : 1, 0};
    tensor.ndim = form % 16 == 6 ? static_cast<std::int32_t>(number()) : byte() % 5;
    if (tensor.ndim > 8 && tensor.ndim <= 64) tensor.ndim = 8;  // the size of the arrays
    tensor.dtype = {static_cast<std::uint8_t>(byte() % 20), static_cast<std::uint8_t>(byte() % 2 == 0 ? 32 : byte()),
                    static_cast<std::uint16_t>(form % 16 == 7 ? byte() : 1)};
    tensor.shape = form % 32 == 8 ? nullptr : shape.data();
    tensor.strides = form >= 128 ? nullptr : strides.data();
    tensor.byte_offset = form % 3 == 0 ? static_cast<std::uint64_t>(number()) : 0;
    infiniopTensorDescriptor_t made = nullptr;
    void* data = nullptr;
    dlspecInfiniopReason reason = DLSPEC_INFINIOP_NONE;
    abi::v0::ManagedTensor legacy{tensor, nullptr, nullptr};
    const infiniStatus_t status = byte() % 2 == 0
                                      ? dlspecInfiniopFromDLPackVersioned(&made, &data, &managed, byte() % 2, &reason)
                                      : dlspecInfiniopFromDLPack(&made, &data, &legacy, &reason);
    if ((reason == DLSPEC_INFINIOP_NONE) != (status == INFINI_STATUS_SUCCESS))
      fail("a reason without a refusal, or none with it");
    keep(status, made);
  }

  void export_again() {
    void* managed = nullptr;
    int released = 0;
    const auto release = [](void* count) { ++*static_cast<int*>(count); };
    const auto tensor = any<infiniopTensorDescriptor_t>();
    const infiniStatus_t status = checked(
        dlspecInfiniopToDLPackVersioned(tensor, source_.data(), byte() % 2, release, &released, &managed, nullptr));
    if ((managed != nullptr) != (status == INFINI_STATUS_SUCCESS)) fail("an export without success, or none with it");
    if (managed == nullptr) return;
    auto* const exported = static_cast<abi::v1::ManagedTensor*>(managed);
    infiniopTensorDescriptor_t again = nullptr;
    if (checked(dlspecInfiniopFromDLPackVersioned(&again, nullptr, managed, 0, nullptr)) != INFINI_STATUS_SUCCESS)
      fail("an export cannot be imported");
    checked(infiniopDestroyTensorDescriptor(again));
    exported->deleter(exported);
    if (released != 1) fail("release was not called once");
  }

  void ask() {
    infiniDevice_t device = INFINI_DEVICE_CPU;
    int id = 0;
    checked(infiniopGetDescriptorDeviceType(any<void*>(), &device));
    checked(infiniopGetDescriptorDeviceId(any<void*>(), &id));
    checked(infinirtGetDeviceCount(static_cast<infiniDevice_t>(number()), &id));
  }

  std::span<const std::uint8_t> bytes_;
  std::vector<std::uintptr_t> objects_;
  std::array<std::uint8_t, buffer_bytes> source_;
};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  Calls({data, size}).run();
  return 0;
}
