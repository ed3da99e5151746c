// Exchange tables of plug-ins: tensors that they export.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <vector>

#include <dlspec/conformance/worker/native/plugin_table.h>
#include <dlspec/conformance/worker/native/producer_trial.h>
#include <dlspec/conformance/worker/native/table_cases.h>
#include <dlspec/conformance/worker/native/table_conduct.h>
#include <dlspec/conformance/worker/native/table_export.h>
#include <dlspec/vocabulary/flags.h>
#include <dlspec/vocabulary/rules.h>

namespace dlspec::conformance {
namespace {

// What holds for the flags of any export is reported under the rule on those of the table.
constexpr RuleId flag_rules[] = {RuleId::flags_read_only_set,       RuleId::flags_read_only_truthful,
                                 RuleId::flags_is_copied_set,       RuleId::flags_is_copied_honest,
                                 RuleId::flags_padded_only_subbyte, RuleId::flags_padded_set_when_padded};

void judge_flags(NativeAnswer& answer) {
  for (const RuleId rule : flag_rules) {
    const auto found = answer.outcomes().find(rule);
    if (found == answer.outcomes().end() || found->second.kind != Outcome::Kind::violated) continue;
    const Outcome violated = found->second;
    answer.violated(RuleId::exchange_flags_still_apply, fmt::format("{}: {}", dlspec::rule(rule).id, violated.observed),
                    violated.allowed);
    answer.blocked(rule, "by exchange.flags-still-apply");
  }
}

// Two exports of one array that live at two addresses are copies.
void judge_copies(const NativeCase& asked, NativeAnswer& answer) {
  const char* reason = nullptr;
  const TableArray array(spec_of(asked, asked.device), &reason);
  const TableExport first(array), second(array);
  if (asked.bytes.empty() || first.managed() == nullptr || second.managed() == nullptr) return;
  const bool is_flagged = ((first.managed()->flags & second.managed()->flags) & flags::is_copied) != 0;
  if (first_element(first.managed()->dl_tensor) == first_element(second.managed()->dl_tensor) || is_flagged) return;
  answer.violated(RuleId::exchange_flags_still_apply,
                  "flags.is-copied-set: two exports of one array lead to two places, and say nothing of a copy",
                  "IS_COPIED, or the memory of the array");
}

}  // namespace

DlspecPlugin asked_through_table(const DlspecPlugin& plugin, NativeAnswer& answer) {
  forget_table_calls();
  const bool is_there =
      table_with(&Api::managed_tensor_from_py_object_no_sync, RuleId::exchange_fn_from_nonnull, plugin, answer) !=
          nullptr &&
      table_with(&Api::managed_tensor_to_py_object_no_sync, RuleId::exchange_fn_to_nonnull, plugin, answer) != nullptr;
  return is_there ? through_table(plugin) : DlspecPlugin{};
}

void table_export_case(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  const DlspecPlugin through = asked_through_table(plugin, answer);
  if (through.make == nullptr) return;
  const PluginExport made(through, asked, Generation::versioned);
  judge_table_calls(answer);
  if (!made.made()) return answer.rest_unsupported(made.reason());
  answer.pass(RuleId::exchange_from_owning);
  judge_export(made.exported(), asked, answer);
  judge_flags(answer);
  judge_copies(asked, answer);
  answer.rest_pass();
}

}  // namespace dlspec::conformance
