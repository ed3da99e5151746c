// Users pass the structs of the official header without a cast: here those of a header written like it, with its
// enumerations.
#include <cstdint>

#include <gtest/gtest.h>

#include <dlspec/reference/validate/validate.h>

namespace official {

enum DLDeviceType : std::int32_t { kDLCPU = 1, kDLCUDA = 2 };
enum DLDataTypeCode { kDLInt = 0U, kDLFloat = 2U };

struct DLPackVersion {
  std::uint32_t major;
  std::uint32_t minor;
};
struct DLDevice {
  DLDeviceType device_type;
  std::int32_t device_id;
};
struct DLDataType {
  std::uint8_t code;
  std::uint8_t bits;
  std::uint16_t lanes;
};
struct DLTensor {
  void* data;
  DLDevice device;
  std::int32_t ndim;
  DLDataType dtype;
  std::int64_t* shape;
  std::int64_t* strides;
  std::uint64_t byte_offset;
};
struct DLManagedTensor {
  DLTensor dl_tensor;
  void* manager_ctx;
  void (*deleter)(DLManagedTensor* self);
};
struct DLManagedTensorVersioned {
  DLPackVersion version;
  void* manager_ctx;
  void (*deleter)(DLManagedTensorVersioned* self);
  std::uint64_t flags;
  DLTensor dl_tensor;
};

}  // namespace official

namespace dlspec::reference {
namespace {

alignas(256) float memory[6];
std::int64_t shape[] = {2, 3};
std::int64_t strides[] = {3, 1};

official::DLTensor conforming_tensor() {
  return {memory, {official::kDLCPU, 0}, 2, {official::kDLFloat, 32, 1}, shape, strides, 0};
}

TEST(OfficialTypes, BareTensor) {
  official::DLTensor tensor = conforming_tensor();
  EXPECT_TRUE(validate(&tensor).empty());
  tensor.ndim = -1;
  EXPECT_TRUE(validate(&tensor).contains(RuleId::tensor_ndim_nonnegative));
}

TEST(OfficialTypes, LegacyManagedTensor) {
  official::DLManagedTensor managed{conforming_tensor(), nullptr, [](official::DLManagedTensor*) {}};
  EXPECT_TRUE(validate(&managed).empty());
  managed.deleter = nullptr;
  EXPECT_TRUE(validate(&managed).contains(RuleId::managed_deleter_null_meaning));
}

TEST(OfficialTypes, VersionedManagedTensor) {
  const auto nothing = [](official::DLManagedTensorVersioned*) {};
  official::DLManagedTensorVersioned managed{{1, 3}, nullptr, nothing, 0, conforming_tensor()};
  EXPECT_TRUE(validate(&managed).empty());
  managed.flags = 8;
  EXPECT_TRUE(validate(&managed).contains(RuleId::flags_undefined_bits_zero));
}

TEST(OfficialTypes, NullPointersKeepTheirGeneration) {
  EXPECT_TRUE(validate(static_cast<const official::DLTensor*>(nullptr)).contains(RuleId::abi_sizes_offsets));
  EXPECT_TRUE(validate(static_cast<official::DLManagedTensor*>(nullptr)).contains(RuleId::abi_sizes_offsets));
  EXPECT_TRUE(validate(static_cast<official::DLManagedTensorVersioned*>(nullptr)).contains(RuleId::abi_sizes_offsets));
}

}  // namespace
}  // namespace dlspec::reference
