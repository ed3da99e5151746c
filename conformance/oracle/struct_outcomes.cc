#include <dlspec/conformance/oracle/struct_outcomes.h>

#include <algorithm>
#include <string_view>

#include <dlspec/conformance/core/outcome.h>
#include <dlspec/vocabulary/device.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::conformance {
namespace {

// The first rule, in the order of `needs`, that was violated and that this rule needs, directly or not;
// NULL when there is none. `needs` has no cycles.
const Rule* blocker(const Rule& judged, const Findings& findings) {
  std::string_view needs = judged.needs;
  while (!needs.empty()) {
    const std::size_t space = needs.find(' ');
    const Rule* const needed = find_rule(needs.substr(0, space));
    needs = space == std::string_view::npos ? std::string_view{} : needs.substr(space + 1);
    if (needed == nullptr) continue;
    const Finding* const finding = findings.find(needed->rule);
    if (finding != nullptr && verdict_of(*finding) != Verdict::info) return needed;
    if (const Rule* const deeper = blocker(*needed, findings)) return deeper;
  }
  return nullptr;
}

// Whether a rule on widths applies to the dtype; true for all other rules.
bool dtype_concerned(RuleId rule, abi::DataType dtype) {
  const std::uint8_t code = dtype.code;
  switch (rule) {
    case RuleId::dtype_float_is_ieee: return code == kDLFloat;
    case RuleId::dtype_bfloat_width: return code == kDLBfloat;
    case RuleId::dtype_complex_total_bits:
    case RuleId::dtype_bits_overflow_refused: return code == kDLComplex;
    case RuleId::dtype_bool_bits_8: return code == kDLBool;
    case RuleId::dtype_fp8_bits_8: return code >= kDLFloat8_e3m4 && code <= kDLFloat8_e8m0fnu;
    case RuleId::dtype_fp6_bits_6: return code == kDLFloat6_e2m3fn || code == kDLFloat6_e3m2fn;
    case RuleId::dtype_fp4_bits_4: return code == kDLFloat4_e2m1fn;
    case RuleId::dtype_odd_width_refused:
      return code == kDLInt || code == kDLUInt || code == kDLOpaqueHandle || code == kDLBcomplex;
    case RuleId::dtype_lanes_not_folded: return dtype.lanes > 1;
    default: return true;
  }
}

// Whether the origin has what a rule that compares the struct with its source needs; true for all other rules.
bool origin_tells(RuleId rule, const Origin* origin) {
  switch (rule) {
    case RuleId::dtype_truthful:
    case RuleId::dtype_lanes_not_folded:
    case RuleId::tensor_shape_truthful: return origin != nullptr && origin->layout != nullptr;
    case RuleId::tensor_strides_unit:
      return origin != nullptr && origin->layout != nullptr && origin->layout->strides.has_value();
    case RuleId::tensor_in_allocation: return origin != nullptr && origin->allocation_end != 0;
    case RuleId::flags_read_only_set: return origin != nullptr && origin->read_only == Known::yes;
    case RuleId::flags_read_only_truthful: return origin != nullptr && origin->read_only == Known::no;
    case RuleId::flags_is_copied_set: return origin != nullptr && origin->copied == Known::yes;
    case RuleId::flags_is_copied_honest: return origin != nullptr && origin->copied == Known::no;
    case RuleId::flags_padded_set_when_padded: return origin != nullptr && origin->padded;
    default: return true;
  }
}

bool needs_version(RuleId rule) {
  const std::string_view group = rule_group(dlspec::rule(rule));
  return group == "version" || group == "flags" || rule == RuleId::tensor_strides_not_null;
}

// Only for structs whose fields are readable.
bool tensor_concerned(RuleId rule, const abi::Tensor& tensor) {
  const bool scalar = tensor.ndim == 0;
  switch (rule) {
    case RuleId::device_id_zero_host: {
      const DeviceRow* const row = find_device(tensor.device.device_type);
      return row != nullptr && row->host;
    }
    case RuleId::device_cpu_dereferenceable: return tensor.device.device_type == kDLCPU;
    case RuleId::tensor_ndim0_is_scalar: return scalar;
    case RuleId::tensor_shape_nonnull:
    case RuleId::tensor_extent_nonnegative:
    case RuleId::tensor_strides_not_null:
    case RuleId::tensor_data_nonnull_nonempty:
    case RuleId::tensor_data_null_when_empty:
    case RuleId::abi_shape_int64: return !scalar;
    default: return true;
  }
}

bool applicable(RuleId rule, const Exported& exported, const Origin* origin) {
  if (exported.generation() == Generation::bare && rule == RuleId::managed_deleter_null_meaning) return false;
  if (exported.generation() != Generation::versioned && needs_version(rule)) return false;
  if (!origin_tells(rule, origin)) return false;
  const abi::Tensor& tensor = exported.tensor();
  return dtype_concerned(rule, tensor.dtype) && tensor_concerned(rule, tensor);
}

}  // namespace

Outcome outcome_of(const Finding& finding) {
  const Verdict verdict = verdict_of(finding);
  if (verdict == Verdict::unsupported)
    return {Outcome::Kind::unsupported, observed_text(finding), allowed_text(finding), {}};
  return {Outcome::Kind::violated, observed_text(finding), allowed_text(finding), verdict, mitigation_of(finding)};
}

Outcome struct_outcome(RuleId id, const Exported& exported, const Origin* origin, const Findings& findings) {
  if (const Finding* const finding = findings.find(id)) return outcome_of(*finding);
  if (const Rule* const by = findings.empty() ? nullptr : blocker(dlspec::rule(id), findings)) {
    return {Outcome::Kind::blocked, std::string("by ") + by->id, {}, {}};
  }
  const bool unreadable = findings.contains(RuleId::abi_sizes_offsets) || findings.contains(RuleId::version_filled) ||
                          findings.contains(RuleId::version_major_published);
  if (unreadable) return {Outcome::Kind::blocked, "the struct cannot be read further", {}, {}};
  return {applicable(id, exported, origin) ? Outcome::Kind::pass : Outcome::Kind::not_applicable, {}, {}, {}};
}

bool contents_readable(const Findings& findings) {
  return std::none_of(findings.begin(), findings.end(), [](const Finding& finding) {
    const Verdict verdict = verdict_of(finding);
    if (verdict == Verdict::unsupported) return true;
    const std::string_view group = rule_group(rule(finding.rule));
    return verdict == Verdict::fail && group != "flags" && group != "managed";
  });
}

}  // namespace dlspec::conformance
