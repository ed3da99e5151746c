#include <dlspec/conformance/worker/native/producer_trial.h>

#include <vector>

#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/oracle/claimed_elements.h>
#include <dlspec/conformance/oracle/struct_outcomes.h>
#include <dlspec/conformance/worker/native/managed_structs.h>
#include <dlspec/reference/descriptor/extent.h>
#include <dlspec/reference/rearrange/gather.h>
#include <dlspec/reference/validate/validate.h>
#include <dlspec/vocabulary/dtype.h>
#include <dlspec/vocabulary/flags.h>

namespace dlspec::conformance {
namespace {

bool padded(const Exported& exported) {
  return exported.generation() == Generation::versioned && (exported.versioned().flags & flags::subbyte_padded) != 0;
}

void judge_contents(const Exported& exported, const Findings& findings, const NativeCase& asked, NativeAnswer& answer) {
  if (!contents_readable(findings)) {
    answer.blocked(RuleId::tensor_element_address, unreadable);
    return;
  }
  for (const Finding& finding : findings) {
    if (rule_group(rule(finding.rule)) == "dtype") {  // other elements than were ordered, as that rule says
      answer.blocked(RuleId::tensor_element_address, std::string("by ") + rule(finding.rule).id);
      return;
    }
  }
  if (exported.tensor().device.device_type != kDLCPU) {
    answer.blocked(RuleId::tensor_element_address, "the elements are not in host memory");
    return;
  }
  const std::string problem = elements_problem(exported, asked);
  answer.decide(RuleId::tensor_element_address, problem.empty(), problem, "the contents that were asked for");
}

}  // namespace

PluginExport::PluginExport(const DlspecPlugin& plugin, const NativeCase& asked, Generation generation,
                           abi::Device device) {
  const DlspecSpec spec = spec_of(asked, device);
  void* tensor = nullptr;
  const char* reason = nullptr;
  status_ = plugin.make(&spec, generation_number(generation), &tensor, &reason);
  reason_ = reason != nullptr ? reason : "no reason given";
  exported_ = Exported(generation, tensor);
  if (!made() || tensor == nullptr) return;
  watch_ = Watch::attach(exported_);
  is_shared_ = watch_ == nullptr;
}

std::string elements_problem(const Exported& exported, const NativeCase& asked) {
  std::vector<std::uint8_t> contents;
  const std::size_t limit = asked.bytes.size() + 64;
  const Status status = reference::gather(exported.tensor(), padded(exported), contents, limit);
  return status == Status::ok ? difference(contents, asked.bytes) : describe(status);
}

Origin origin_of(const NativeCase& asked, const Layout& layout) {
  Origin origin;
  origin.layout = &layout;
  if (asked.read_only) origin.read_only = Known::yes;
  return origin;
}

Layout ordered_layout(const NativeCase& asked) {
  Layout layout = asked.layout;
  if (!layout.strides) layout.strides = reference::row_major_strides(layout.shape);
  return layout;
}

bool is_float8(abi::DataType dtype) { return dtype.code >= kDLFloat8_e3m4 && dtype.code <= kDLFloat8_e8m0fnu; }

void judge_export(const Exported& exported, const NativeCase& asked, NativeAnswer& answer) {
  const Layout layout = ordered_layout(asked);
  const Origin origin = origin_of(asked, layout);
  const Findings findings = validate_by_elements(exported, &origin, asked.bytes);
  for (const RuleId rule : asked.rules) {
    if (dlspec::rule(rule).check == Check::struct_bytes)
      answer.set(rule, struct_outcome(rule, exported, &origin, findings));
  }
  const bool mistaken =
      findings.contains(RuleId::dtype_truthful) && is_float8(layout.dtype) && is_float8(exported.tensor().dtype);
  if (mistaken) answer.blocked(RuleId::dtype_truthful, "by dtype.fp8-variants-distinct");
  judge_contents(exported, findings, asked, answer);
}

}  // namespace dlspec::conformance
