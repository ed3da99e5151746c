// The structs of DLPack, generation by generation, restated side by side so that one process can use several versions
// at once.
//
// Source: dlpack.h of every release from 0.2 to 1.3. Sizes and offsets did not change in that time,
// only names did (0.4: DLContext became DLDevice) and structs were added (1.0: the versioned one, 1.2: the exchange
// table). abi_layout_test.cc freezes the numbers and compares them with every official header on the build machine.
//
// Enumerated fields are plain integers here: a foreign producer may write any value, and reading an
// undeclared value through a C++ enum would be undefined behaviour.
#pragma once

#include <compare>
#include <cstdint>

namespace dlspec::abi {

// Where the data lives. `device_type` is a row of device.def, `device_id` the producer's index.
struct Device {
  std::int32_t device_type;
  std::int32_t device_id;

  friend bool operator==(const Device&, const Device&) = default;
};

// What one element is. `code` is a row of dtype.def, `bits` the width of one lane, `lanes` the
// number of components of a vector element (1 for scalars).
struct DataType {
  std::uint8_t code;
  std::uint8_t bits;
  std::uint16_t lanes;

  friend bool operator==(const DataType&, const DataType&) = default;
};

// DLTensor: a view without ownership and without a version. Identical in every release.
struct Tensor {
  void* data;  // start of the memory, or a handle on devices whose memory is opaque
  Device device;
  std::int32_t ndim;  // rank
  DataType dtype;
  std::int64_t* shape;        // ndim extents; may be NULL for rank 0
  std::int64_t* strides;      // ndim strides in elements; NULL (before 1.2) means row-major, compact
  std::uint64_t byte_offset;  // bytes from data to element (0, ..., 0)
};

struct Version {
  std::uint32_t major;
  std::uint32_t minor;

  // nvcc 13.0 warns of the second where the first is left to follow from it.
  friend bool operator==(const Version&, const Version&) = default;
  friend auto operator<=>(const Version&, const Version&) = default;
};

// The generation without a version: releases 0.2 to 0.8, still exchanged in capsules named "dltensor".
namespace v0 {

// DLManagedTensor. Its consumer calls `deleter(self)` once, unless deleter is NULL.
struct ManagedTensor {
  Tensor dl_tensor;
  void* manager_ctx;
  void (*deleter)(ManagedTensor* self);
};

}  // namespace v0

// The generation with a version: releases from 1.0, capsule "dltensor_versioned".
namespace v1 {

// DLManagedTensorVersioned. The members up to and including `flags` keep their place in every future major version; a
// consumer may read no more than these before it has compared `version.major`.
struct ManagedTensor {
  Version version;
  void* manager_ctx;
  void (*deleter)(ManagedTensor* self);
  std::uint64_t flags;  // bits of flags.h
  Tensor dl_tensor;
};

// DLPackExchangeAPIHeader (1.2): `prev_api` is NULL or an older table.
struct ExchangeApiHeader {
  Version version;
  ExchangeApiHeader* prev_api;
};

// DLPackExchangeAPI (1.2): the C function table that a Python type may publish. All functions
// return 0 on success and -1 on failure.
struct ExchangeApi {
  ExchangeApiHeader header;
  int (*managed_tensor_allocator)(Tensor* prototype, ManagedTensor** out, void* error_ctx,
                                  void (*set_error)(void* error_ctx, const char* kind, const char* message));
  int (*managed_tensor_from_py_object_no_sync)(void* py_object, ManagedTensor** out);
  int (*managed_tensor_to_py_object_no_sync)(ManagedTensor* tensor, void** out_py_object);
  int (*dltensor_from_py_object_no_sync)(void* py_object, Tensor* out);  // may be NULL
  int (*current_work_stream)(std::int32_t device_type, std::int32_t device_id, void** out_current_stream);
};

}  // namespace v1

// The newest release that this dlspec knows. Upstream's unreleased main still says 1.3.
inline constexpr Version newest_version{1, 3};

// Names of the capsules that carry the managed structs through Python.
inline constexpr const char* capsule_name_legacy = "dltensor";
inline constexpr const char* capsule_name_legacy_used = "used_dltensor";
inline constexpr const char* capsule_name_versioned = "dltensor_versioned";
inline constexpr const char* capsule_name_versioned_used = "used_dltensor_versioned";
// Name of the capsule that a type publishes its exchange table in (1.3).
inline constexpr const char* capsule_name_exchange_api = "dlpack_exchange_api";

}  // namespace dlspec::abi
