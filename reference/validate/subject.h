// The input of the rules, stage by stage: a rule of a later stage gets a type that is constructed only after the
// earlier stages found the bytes readable.
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include <dlspec/reference/descriptor/extent.h>
#include <dlspec/vocabulary/abi.h>
#include <dlspec/vocabulary/device.h>
#include <dlspec/vocabulary/dtype.h>
#include <dlspec/vocabulary/exported.h>
#include <dlspec/vocabulary/finding.h>
#include <dlspec/vocabulary/limits.h>
#include <dlspec/vocabulary/origin.h>

namespace dlspec::reference {

// The result of a rule: its finding, or no value.
using Answer = std::optional<Finding>;

// The part of a struct that all major versions share. Source: dlpack.h v1.0,
// DLManagedTensorVersioned.flags, note.
struct Prefix {
  std::optional<abi::Version> version;  // none: a bare or legacy struct
  bool deleter_missing = false;         // the struct has the field, and it is NULL
};

// Reads no byte beyond the prefix. The struct is neither NULL nor misaligned.
[[nodiscard]] Prefix read_prefix(const Exported& exported);

// A struct whose fields may all be read, in the terms of finding.def. Refers to the struct and to the origin, which
// must outlive it.
class Subject {
 public:
  Subject(const Prefix& prefix, const Exported& exported, const Origin* origin);

  // The fields. `flags` is none for a struct that has no flags.
  const std::optional<abi::Version> version;
  const std::optional<std::uint64_t> flags;
  const abi::Tensor& tensor;
  const Origin* const origin;

  // The version is newer than newest_version, so that it may define more values.
  [[nodiscard]] bool newer() const;
  // The finding of an enumerator that DLPack does not define: variant 1, with the minor version, if the version is
  // newer.
  [[nodiscard]] Finding undefined(Finding finding) const;
  [[nodiscard]] std::uint32_t minor() const { return version ? version->minor : 0; }
  [[nodiscard]] bool flag(std::uint64_t bit) const { return flags && (*flags & bit) != 0; }

  // The row of the device type or dtype code; NULL where it is undefined.
  [[nodiscard]] const DeviceRow* device() const { return find_device(tensor.device.device_type); }
  [[nodiscard]] const DtypeCodeRow* dtype_code() const { return find_dtype_code(tensor.dtype.code); }
  // `data` is an address, or a handle. Both are false where it is unknown, and for an undefined device type.
  [[nodiscard]] bool data_is_address() const { return device() != nullptr && device()->address(); }
  [[nodiscard]] bool data_is_handle() const { return device() != nullptr && device()->data == DeviceData::handle; }

  // The rank is one whose extents and strides are read.
  [[nodiscard]] bool has_axes() const { return 0 < tensor.ndim && tensor.ndim <= max_rank; }
  [[nodiscard]] bool shape_read() const;
  [[nodiscard]] bool strides_read() const;
  // The shape was read, or the rank is 0, and no extent is negative.
  [[nodiscard]] bool extents_known() const;
  // The extents. Only if extents_known(), or shape_read().
  [[nodiscard]] std::span<const std::int64_t> shape() const;

  // Both only with extents known.
  [[nodiscard]] bool empty() const { return extents_known() && is_empty(shape()); }
  [[nodiscard]] bool has_elements() const { return extents_known() && !is_empty(shape()); }

  // An element has a size, `element_bits` from one to the next.
  [[nodiscard]] bool sized() const { return tensor.dtype.bits > 0 && tensor.dtype.lanes > 0; }
  [[nodiscard]] std::uint32_t element_bits() const;

  // Of a tensor with elements.
  [[nodiscard]] const Wide& element_count() const { return element_count_; }

  // The reach of the elements from element (0, ..., 0). No value unless the tensor is sized, has elements, and its
  // strides were read or need not be.
  [[nodiscard]] const std::optional<Reach>& reach() const { return reach_; }

  // The address of element (0, ..., 0); for a handle its distance from the start of the buffer.
  [[nodiscard]] Wide start() const;

  // The known layout of the source, or NULL.
  [[nodiscard]] const Layout* source_layout() const { return origin != nullptr ? origin->layout : nullptr; }

 private:
  [[nodiscard]] std::optional<Reach> find_reach() const;

  const Wide element_count_;
  const std::optional<Reach> reach_;
};

}  // namespace dlspec::reference
