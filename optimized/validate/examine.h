// The full path: checks any struct, stage by stage in the order of finding.def, and collects the findings. For
// everything that the fast path does not accept.
#pragma once

#include <cstdint>
#include <span>

#include <dlspec/optimized/descriptor/extent.h>
#include <dlspec/optimized/validate/tables.h>
#include <dlspec/vocabulary/exported.h>
#include <dlspec/vocabulary/finding.h>
#include <dlspec/vocabulary/limits.h>
#include <dlspec/vocabulary/origin.h>

namespace dlspec::optimized {

class Examination {
 public:
  Examination(const Exported& exported, const Origin* origin, Findings& findings)
      : exported_(exported), origin_(origin), findings_(findings) {}

  void run();

 private:
  // Stages 1 and 2; false if the rest of the struct may not be read.
  bool judge_object();
  bool judge_prefix();

  // examine_fields.cc: each field by itself.
  void judge_fields();
  void judge_device();
  void judge_dtype();
  void judge_dtype_code();
  void judge_dtype_width();
  [[nodiscard]] std::uint32_t stored_bits() const;
  void judge_flags();
  void judge_padded_flag();
  void judge_rank();

  // examine_memory.cc: shape, strides, and the memory that they describe.
  void judge_shape();
  void judge_strides();
  void judge_size();
  void judge_span();
  void judge_addresses();
  void judge_buffer();
  void judge_data();

  // examine_origin.cc: against what is known about the source.
  void judge_truth();
  void judge_true_flags();
  void judge_true_dtype();
  void judge_true_shape();
  void judge_stride_unit();
  void judge_allocation();
  [[nodiscard]] bool has_folded_lanes() const;

  void report(RuleId rule, std::uint8_t variant = 0, std::int64_t value = 0, std::int64_t other = 0,
              std::int32_t axis = -1) {
    findings_.add({rule, variant, axis, value, other});
  }
  // A version 1.x that may be newer than this dlspec. A struct without a version has minor_ 0.
  [[nodiscard]] bool newer() const { return minor_ > abi::newest_version.minor; }
  [[nodiscard]] std::uint64_t data() const { return reinterpret_cast<std::uintptr_t>(tensor_->data); }
  // Address of element (0, ..., 0).
  [[nodiscard]] Wide first_element() const { return Wide{data()} + tensor_->byte_offset; }

  const Exported& exported_;
  const Origin* origin_;
  Findings& findings_;

  // Facts about the struct; set by judge_prefix and judge_fields.
  const abi::Tensor* tensor_ = nullptr;
  const DeviceTraits* device_ = nullptr;
  bool versioned_ = false;
  std::uint32_t minor_ = 0;
  std::uint64_t flags_ = 0;
  std::uint32_t element_bits_ = 0;  // in memory, padding included; 0: unknown
  bool dtype_in_order_ = false;     // no dtype.* finding

  // Facts about the arrays; set by judge_shape, judge_strides and judge_size.
  std::span<const std::int64_t> shape_;    // valid if extents_known_
  const std::int64_t* strides_ = nullptr;  // NULL: none, or unreadable
  bool extents_known_ = false;             // rank 0, or read and none negative
  bool empty_ = false;
  bool placed_ = false;  // not empty, and range_ is valid: no rule about sizes is violated so far
  Wide begin_ = 0;       // low_bytes of finding.def
  Wide end_ = 0;         // high_bytes
};

}  // namespace dlspec::optimized
