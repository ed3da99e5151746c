// The structs of abi.h, frozen: a change of size, offset or alignment does not compile. The numbers hold
// for 64-bit platforms (LP64 and LLP64) and for every release from 0.1 to 1.3 that has the struct.
// official_header_test.cc.in compares the same structs with the headers that the machine has.
#include <dlspec/vocabulary/abi.h>

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include <gtest/gtest.h>

namespace dlspec::abi {
namespace {

#define FROZEN_STRUCT(type, size, alignment)                                           \
  static_assert(std::is_standard_layout_v<type> && std::is_trivially_copyable_v<type>, \
                #type " must be a plain C struct");                                    \
  static_assert(sizeof(type) == (size), "sizeof " #type " must be " #size);            \
  static_assert(alignof(type) == (alignment), "alignof " #type " must be " #alignment)
#define FROZEN_MEMBER(type, member, offset, size)                                               \
  static_assert(offsetof(type, member) == (offset), #type "::" #member " must be at " #offset); \
  static_assert(sizeof(decltype(type::member)) == (size), #type "::" #member " must have " #size " bytes")

FROZEN_STRUCT(Device, 8, 4);
FROZEN_MEMBER(Device, device_type, 0, 4);
FROZEN_MEMBER(Device, device_id, 4, 4);
static_assert(std::is_signed_v<decltype(Device::device_type)>, "device types are signed since 0.7");

FROZEN_STRUCT(DataType, 4, 2);
FROZEN_MEMBER(DataType, code, 0, 1);
FROZEN_MEMBER(DataType, bits, 1, 1);
FROZEN_MEMBER(DataType, lanes, 2, 2);

FROZEN_STRUCT(Version, 8, 4);
FROZEN_MEMBER(Version, major, 0, 4);
FROZEN_MEMBER(Version, minor, 4, 4);

#if UINTPTR_MAX == UINT64_MAX

FROZEN_STRUCT(Tensor, 48, 8);
FROZEN_MEMBER(Tensor, data, 0, 8);
FROZEN_MEMBER(Tensor, device, 8, 8);
FROZEN_MEMBER(Tensor, ndim, 16, 4);
FROZEN_MEMBER(Tensor, dtype, 20, 4);
FROZEN_MEMBER(Tensor, shape, 24, 8);
FROZEN_MEMBER(Tensor, strides, 32, 8);
FROZEN_MEMBER(Tensor, byte_offset, 40, 8);
static_assert(std::is_same_v<decltype(Tensor::shape), std::int64_t*>, "shape must point to int64_t");
static_assert(std::is_same_v<decltype(Tensor::strides), std::int64_t*>, "strides must point to int64_t");
static_assert(std::is_unsigned_v<decltype(Tensor::byte_offset)>, "byte_offset must be unsigned");

FROZEN_STRUCT(v0::ManagedTensor, 64, 8);
FROZEN_MEMBER(v0::ManagedTensor, dl_tensor, 0, 48);
FROZEN_MEMBER(v0::ManagedTensor, manager_ctx, 48, 8);
FROZEN_MEMBER(v0::ManagedTensor, deleter, 56, 8);

FROZEN_STRUCT(v1::ManagedTensor, 80, 8);
FROZEN_MEMBER(v1::ManagedTensor, version, 0, 8);
FROZEN_MEMBER(v1::ManagedTensor, manager_ctx, 8, 8);
FROZEN_MEMBER(v1::ManagedTensor, deleter, 16, 8);
FROZEN_MEMBER(v1::ManagedTensor, flags, 24, 8);
FROZEN_MEMBER(v1::ManagedTensor, dl_tensor, 32, 48);

FROZEN_STRUCT(v1::ExchangeApiHeader, 16, 8);
FROZEN_MEMBER(v1::ExchangeApiHeader, version, 0, 8);
FROZEN_MEMBER(v1::ExchangeApiHeader, prev_api, 8, 8);

FROZEN_STRUCT(v1::ExchangeApi, 56, 8);
FROZEN_MEMBER(v1::ExchangeApi, header, 0, 16);
FROZEN_MEMBER(v1::ExchangeApi, managed_tensor_allocator, 16, 8);
FROZEN_MEMBER(v1::ExchangeApi, managed_tensor_from_py_object_no_sync, 24, 8);
FROZEN_MEMBER(v1::ExchangeApi, managed_tensor_to_py_object_no_sync, 32, 8);
FROZEN_MEMBER(v1::ExchangeApi, dltensor_from_py_object_no_sync, 40, 8);
FROZEN_MEMBER(v1::ExchangeApi, current_work_stream, 48, 8);

#endif  // 64 bits

TEST(AbiLayout, CapsuleNamesAreThoseOfThePythonSpecification) {
  EXPECT_STREQ(capsule_name_legacy, "dltensor");
  EXPECT_STREQ(capsule_name_legacy_used, "used_dltensor");
  EXPECT_STREQ(capsule_name_versioned, "dltensor_versioned");
  EXPECT_STREQ(capsule_name_versioned_used, "used_dltensor_versioned");
}

TEST(AbiLayout, VersionsAreOrderedByMajorThenMinor) {
  EXPECT_LT((Version{0, 8}), (Version{1, 0}));
  EXPECT_LT((Version{1, 2}), (Version{1, 10}));
  EXPECT_GT((Version{2, 0}), (Version{1, 0xFFFFFFFF}));
  EXPECT_EQ(newest_version, (Version{1, 3}));
}

// How many official headers official_header_test.cc.in was compiled with; each says its name and version.
TEST(AbiLayout, WasComparedWithOfficialHeaders) {
  if (DLSPEC_OFFICIAL_HEADERS == 0) {
    GTEST_SKIP()
        << "no official dlpack.h was found: install libdlpack-dev or the Python package apache-tvm-ffi, or name "
           "one in DLSPEC_OFFICIAL_DLPACK_HEADERS; compared with the frozen numbers only";
  }
  RecordProperty("official_headers", DLSPEC_OFFICIAL_HEADERS);
}

}  // namespace
}  // namespace dlspec::abi
