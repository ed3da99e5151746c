// Exchange tables of plug-ins: tensors that they export, and those that they lend.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <vector>

#include <dlspec/conformance/oracle/watch.h>
#include <dlspec/conformance/platform/heap.h>
#include <dlspec/conformance/worker/native/managed_structs.h>
#include <dlspec/conformance/worker/native/plugin_table.h>
#include <dlspec/conformance/worker/native/producer_trial.h>
#include <dlspec/conformance/worker/native/table_cases.h>
#include <dlspec/conformance/worker/native/table_conduct.h>
#include <dlspec/vocabulary/dtype.h>
#include <dlspec/vocabulary/mitigations.h>
#include <dlspec/vocabulary/rules.h>

namespace dlspec::conformance {
namespace {

constexpr const char* owning = "an owning tensor that the caller releases once";
constexpr const char* own_lists = "shape and strides that the object owns";
constexpr std::size_t smallest_block = 16;

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

// By how many bytes the heap grows with each call of act(); 0 where it does not grow steadily.
template <class Act>
std::size_t growth_of(std::size_t cycles, Act act) {
  std::size_t least = SIZE_MAX;
  for (int batch = -1; batch < 3; ++batch) {
    const std::size_t before = heap_bytes();
    for (std::size_t i = 0; i < cycles; ++i) act();
    const std::size_t after = heap_bytes();
    if (batch >= 0) least = std::min(least, after > before ? (after - before) / cycles : 0);
  }
  return least >= smallest_block ? least : 0;
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
  answer.rest_pass();
}

namespace {

// Two exports of one array have structs of their own, each of which is released alone. False after a deviation.
bool judge_two(const TableArray& array, const NativeCase& asked, NativeAnswer& answer) {
  const RuleId rule = RuleId::exchange_from_owning;
  TableExport first(array);
  TableExport second(array);
  if (first.managed() == nullptr || second.managed() == nullptr) {
    answer.rest_unsupported("the table does not export such an array");
  } else if (first.managed() == second.managed()) {
    answer.violated(rule, "two calls gave one and the same struct", owning);
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
  const std::size_t left = growth_of(1000, [&] { TableExport(array).release(); });
  answer.decide(RuleId::exchange_from_owning, left == 0,
                fmt::format("each export that was released left {} bytes behind", left), owning);
}

// --- borrowed tensors

namespace {

struct Member {
  const char* name;
  std::size_t begin, end;
};
#define DLSPEC_MEMBER(member) \
  {#member, offsetof(abi::Tensor, member), offsetof(abi::Tensor, member) + sizeof(abi::Tensor::member)}
constexpr Member members[] = {DLSPEC_MEMBER(data),       DLSPEC_MEMBER(device), DLSPEC_MEMBER(ndim),
                              DLSPEC_MEMBER(dtype),      DLSPEC_MEMBER(shape),  DLSPEC_MEMBER(strides),
                              DLSPEC_MEMBER(byte_offset)};
#undef DLSPEC_MEMBER

using Bytes = std::array<unsigned char, sizeof(abi::Tensor)>;

// A tensor that is lent into a struct of nothing but this byte. False where the function fails.
bool lent(const Api& api, const TableArray& array, int fill, abi::Tensor& tensor) {
  std::memset(static_cast<void*>(&tensor), fill, sizeof tensor);
  return table_call("dltensor_from_py_object_no_sync",
                    [&] { return api.dltensor_from_py_object_no_sync(array.object(), &tensor); });
}

bool holds_only(const abi::Tensor& tensor, const Member& member, int fill) {
  Bytes bytes;
  std::memcpy(bytes.data(), &tensor, sizeof tensor);
  return std::all_of(bytes.begin() + member.begin, bytes.begin() + member.end,
                     [&](unsigned char byte) { return byte == fill; });
}

// The names of the members that both calls left as they were.
std::string left_alone(const abi::Tensor& first, int first_fill, const abi::Tensor& second, int second_fill) {
  std::string names;
  for (const Member& member : members) {
    if (holds_only(first, member, first_fill) && holds_only(second, member, second_fill))
      names += (names.empty() ? "" : ", ") + std::string(member.name);
  }
  return names;
}

// The table that lends, and the array that it is asked for; the case is answered where one of them is missing.
const Api* lending_table(const DlspecPlugin& plugin, NativeAnswer& answer) {
  if (asked_through_table(plugin, answer).make == nullptr) return nullptr;
  const Api* const api = exchange_table_of(plugin);
  if (api->dltensor_from_py_object_no_sync != nullptr) return api;
  answer.rest_not_applicable();
  return nullptr;
}

}  // namespace

void table_borrow_case(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  const Api* const api = lending_table(plugin, answer);
  if (api == nullptr) return;
  const char* reason = "";
  const TableArray array(spec_of(asked, asked.device), &reason);
  if (!array.made()) return answer.rest_unsupported(reason);
  constexpr int fills[] = {0xAA, 0x55};
  abi::Tensor first, second;
  const bool both = lent(*api, array, fills[0], first) && lent(*api, array, fills[1], second);
  judge_table_calls(answer);
  if (!both) return answer.rest_unsupported("the table does not lend such an array");
  const std::string left = left_alone(first, fills[0], second, fills[1]);
  if (!left.empty()) {
    answer.violated(RuleId::exchange_dltensor_filled, left + " left as the caller's stack had it",
                    "every member filled in");
    return answer.rest_blocked("by exchange.dltensor-filled");
  }
  answer.pass(RuleId::exchange_dltensor_filled);
  Managed wrapped{};  // a struct of its version, which owns nothing
  wrapped.version = abi::newest_version;
  wrapped.dl_tensor = first;
  NativeCase writable = asked;
  writable.read_only = false;  // a tensor that is lent has no flags
  judge_export(Exported(&wrapped), writable, answer);
}

void table_borrow_many_case(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  const RuleId rule = RuleId::exchange_dltensor_no_temp_alloc;
  const Api* const api = lending_table(plugin, answer);
  if (api == nullptr) return;
  NativeCase longer = asked;
  std::size_t size = item_size(asked.layout.dtype);
  for (std::int64_t& extent : longer.layout.shape) size *= static_cast<std::size_t>(++extent);
  longer.layout.strides.reset();
  longer.offset = 0;
  longer.bytes.assign(size, 0);
  const char* reason = "";
  const TableArray array(spec_of(asked, asked.device), &reason);
  const TableArray other(spec_of(longer, asked.device), &reason);
  abi::Tensor first, second;
  if (!array.made() || !lent(*api, array, 0, first)) return answer.rest_unsupported("the table lends no such array");
  const auto shape_of = [](const abi::Tensor& tensor) {
    return std::vector<std::int64_t>(tensor.shape, tensor.shape + std::max(tensor.ndim, 0));
  };
  if (first.ndim > 0 && first.shape == nullptr) return answer.rest_blocked("by the borrowed tensor");
  const std::vector<std::int64_t> before = shape_of(first);
  if (other.made() && lent(*api, other, 0, second) && shape_of(first) != before)
    return answer.violated(rule, "when another object lent its tensor, the first got its shape", own_lists);
  const std::size_t left = growth_of(1000, [&] { (void)lent(*api, array, 0, second); });
  answer.decide(rule, left == 0, fmt::format("each tensor that was lent left {} bytes behind", left), own_lists);
}

}  // namespace dlspec::conformance
