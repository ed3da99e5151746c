// Exchange tables of plug-ins: tensors that they export.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <vector>

#include <dlspec/conformance/oracle/watch.h>
#include <dlspec/conformance/worker/native/managed_structs.h>
#include <dlspec/conformance/worker/native/plugin_table.h>
#include <dlspec/conformance/worker/native/producer_trial.h>
#include <dlspec/conformance/worker/native/steady_growth.h>
#include <dlspec/conformance/worker/native/table_cases.h>
#include <dlspec/conformance/worker/native/table_conduct.h>
#include <dlspec/vocabulary/dtype.h>
#include <dlspec/vocabulary/flags.h>
#include <dlspec/vocabulary/mitigations.h>
#include <dlspec/vocabulary/rules.h>

namespace dlspec::conformance {
namespace {

constexpr const char* owning = "an owning tensor that the caller releases once";

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

// One export of an array through the table, watched.
class TableExport {
 public:
  explicit TableExport(const TableArray& array) : managed_(array.exported()) {
    if (managed_ != nullptr) watch_ = Watch::attach(Exported(managed_));
  }
  ~TableExport() { release(); }
  TableExport(const TableExport&) = delete;
  TableExport& operator=(const TableExport&) = delete;

  [[nodiscard]] const Managed* managed() const { return managed_; }
  [[nodiscard]] bool has_deleter() const { return watch_ != nullptr && !watch_->null_deleter(); }
  [[nodiscard]] std::string problem(const NativeCase& asked) const {
    return elements_problem(Exported(managed_), asked);
  }
  void release() {
    if (watch_ != nullptr) (void)watch_->release();
  }

 private:
  Managed* managed_;
  std::shared_ptr<Watch> watch_;
};

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

namespace {

// One struct for all exports that live: its deleter has to count them.
void judge_one_struct(const NativeCase& asked, NativeAnswer& answer) {
  const RuleId rule = RuleId::exchange_from_owning;
  const char* reason = nullptr;
  TableArray array(spec_of(asked, asked.device), &reason);
  Managed* const made = array.exported();
  if (made == nullptr || array.exported() != made || made->deleter == nullptr || array.is_own_released_now())
    return answer.blocked(rule, "what a release does cannot be seen");
  array.release();
  made->deleter(made);
  if (array.own_is_released())
    return answer.violated(rule, "two calls gave one struct, whose first release is the last", owning);
  made->deleter(made);
  answer.decide(rule, array.own_is_released(), "two calls gave one struct, and two releases do not release it", owning);
}

// Two exports of one array are released alone, each by its own struct or both by one. False when no more is to be
// asked.
bool judge_two(const TableArray& array, const NativeCase& asked, NativeAnswer& answer) {
  const RuleId rule = RuleId::exchange_from_owning;
  TableExport first(array);
  TableExport second(array);
  if (first.managed() == nullptr || second.managed() == nullptr) {
    answer.rest_unsupported("the table does not export such an array");
  } else if (first.managed() == second.managed()) {
    judge_one_struct(asked, answer);
  } else if (!first.has_deleter()) {
    answer.set(rule, {Outcome::Kind::violated,
                      "deleter is NULL, so that nothing is released",
                      owning,
                      {},
                      find_mitigation("null-deleter-owner")});
  } else if (!second.problem(asked).empty()) {
    answer.blocked(rule, "by tensor.element-address");
  } else {
    first.release();
    const std::string problem = second.problem(asked);
    if (problem.empty()) return true;
    answer.set(rule, wrong("after the release of one export another shows other elements: " + problem, owning));
  }
  return false;
}

// An export outlives its array, and holds it no longer than it lives itself. False after a deviation.
bool judge_last(const NativeCase& asked, NativeAnswer& answer) {
  const DlspecSpec spec = spec_of(asked, asked.device);
  const char* reason = nullptr;
  TableArray alone(spec, &reason);
  alone.release();
  if (!alone.own_is_released()) {
    answer.blocked(RuleId::exchange_from_owning, "by exchange.to-steals");
    return false;
  }
  TableArray array(spec, &reason);
  TableExport made(array);
  array.release();
  if (made.managed() == nullptr) return true;
  const std::string problem = made.problem(asked);
  if (!problem.empty()) {
    answer.set(RuleId::exchange_from_owning, wrong("the export does not outlive its array: " + problem, owning));
    return false;
  }
  made.release();
  if (array.own_is_released()) return true;
  answer.violated(RuleId::exchange_from_owning, "an export that was released still holds its array", owning);
  return false;
}

// An export that outlives its array is imported by the table that made it. False after a deviation.
bool judge_back(const DlspecPlugin& through, const NativeCase& asked, NativeAnswer& answer) {
  const char* reason = nullptr;
  TableArray array(spec_of(asked, asked.device), &reason);
  Managed* const made = array.exported();
  array.release();
  void* again = nullptr;
  if (made == nullptr || through.import_tensor(made, DLSPEC_VERSIONED, &again, &reason) != DLSPEC_OK) return true;
  std::vector<std::uint8_t> shown(asked.bytes.size());
  const bool is_shown = through.contents(again, shown.data(), shown.size()) == DLSPEC_OK;
  through.release(again);
  if (!is_shown || shown == asked.bytes) return true;
  answer.set(RuleId::exchange_from_owning,
             wrong("an export whose array is gone shows other elements when the table imports it: " +
                       difference(shown, asked.bytes),
                   owning));
  return false;
}

// Three arrays, each imported from an export of the one before: when all are given up, the last of them last, dlspec's
// own tensor is released. False after a deviation.
bool judge_chain(const DlspecPlugin& through, const NativeCase& asked, NativeAnswer& answer) {
  const char* reason = nullptr;
  TableArray array(spec_of(asked, asked.device), &reason);
  const auto next = [&](Managed* made) {
    void* object = nullptr;
    const bool taken = made != nullptr && through.import_tensor(made, DLSPEC_VERSIONED, &object, &reason) == DLSPEC_OK;
    return taken ? object : nullptr;
  };
  void* const second = next(array.exported());
  void* const third = second != nullptr ? next(export_object(second)) : nullptr;
  array.release();
  for (void* each : {second, third}) {
    if (each != nullptr) through.release(each);
  }
  if (third == nullptr || array.own_is_released()) return true;
  answer.violated(RuleId::exchange_from_owning,
                  "an import of an export of an import was given up last, and the first tensor is not released",
                  owning);
  return false;
}

// More exports of one array than a counter of eight bits knows, of which all but one are released. False after a
// deviation.
bool judge_crowd(const NativeCase& asked, NativeAnswer& answer) {
  constexpr std::size_t count = 300;
  const char* reason = nullptr;
  TableArray array(spec_of(asked, asked.device), &reason);
  std::vector<std::unique_ptr<TableExport>> exports;
  while (exports.size() < count) exports.push_back(std::make_unique<TableExport>(array));
  array.release();
  exports.resize(1);
  const std::string problem = exports.front()->managed() != nullptr ? exports.front()->problem(asked) : "";
  if (problem.empty()) return true;
  answer.set(RuleId::exchange_from_owning,
             wrong(fmt::format("of {} exports all but one were released, and that one shows other elements: {}", count,
                               problem),
                   owning));
  return false;
}

}  // namespace

void table_owned_case(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  const DlspecPlugin through = asked_through_table(plugin, answer);
  if (through.make == nullptr) return;
  const DlspecSpec spec = spec_of(asked, asked.device);
  const char* reason = "";
  const TableArray array(spec, &reason);
  if (!array.made()) return answer.rest_unsupported(reason);
  if (!judge_two(array, asked, answer) || !judge_last(asked, answer)) return;
  if (!judge_back(through, asked, answer) || !judge_crowd(asked, answer)) return;
  if (!judge_chain(through, asked, answer)) return;
  const std::size_t left = growth_of(1000, [&] { TableExport(array).release(); });
  answer.decide(RuleId::exchange_from_owning, left == 0,
                fmt::format("each export that was released left {} bytes behind", left), owning);
}

}  // namespace dlspec::conformance
