// Exchange tables of plug-ins: who owns what they export.
#include <fmt/format.h>

#include <cstdint>
#include <iterator>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <dlspec/conformance/worker/native/managed_structs.h>
#include <dlspec/conformance/worker/native/plugin_table.h>
#include <dlspec/conformance/worker/native/producer_trial.h>
#include <dlspec/conformance/worker/native/steady_growth.h>
#include <dlspec/conformance/worker/native/table_cases.h>
#include <dlspec/conformance/worker/native/table_export.h>
#include <dlspec/vocabulary/mitigations.h>
#include <dlspec/vocabulary/rules.h>

namespace dlspec::conformance {
namespace {

constexpr const char* owning = "an owning tensor that the caller releases once";

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

std::vector<std::int64_t> lists_of(const abi::Tensor& tensor) {
  std::vector<std::int64_t> lists;
  for (const std::int64_t* list : {tensor.shape, tensor.strides}) {
    if (list != nullptr) lists.insert(lists.end(), list, list + tensor.ndim);
  }
  return lists;
}

// Exports of each rank stay as they are beside one of another array. False after a deviation.
bool judge_each_rank(const NativeCase& asked, NativeAnswer& answer) {
  for (const int rank : tried_ranks) {
    const char* reason = nullptr;
    const TableArray array(spec_of(vector_of_rank(asked, rank, 2), asked.device), &reason);
    const TableArray other(spec_of(vector_of_rank(asked, rank, 3), asked.device), &reason);
    const TableExport first(array);
    if (first.managed() == nullptr || first.managed()->dl_tensor.ndim != rank) continue;
    const auto before = lists_of(first.managed()->dl_tensor);
    const TableExport second(other);
    if (lists_of(first.managed()->dl_tensor) == before) continue;
    answer.violated(RuleId::exchange_from_owning,
                    fmt::format("beside an export of another array, one of rank {} got other extents or strides", rank),
                    owning);
    return false;
  }
  return true;
}

// Two exports of one array of each rank, scalars included, are released alone. False after a deviation.
bool judge_two_of_each_rank(const NativeCase& asked, NativeAnswer& answer) {
  std::vector<int> ranks{0};
  ranks.insert(ranks.end(), std::begin(tried_ranks), std::end(tried_ranks));
  for (const int rank : ranks) {
    const char* reason = nullptr;
    const NativeCase order = vector_of_rank(asked, rank, 2);
    const TableArray array(spec_of(order, asked.device), &reason);
    Managed* const first = array.exported();
    if (first == nullptr || first->deleter == nullptr) continue;
    Managed* const second = array.exported();
    for (Managed* const each : {first, second != first ? second : nullptr}) {
      if (each != nullptr && each->deleter != nullptr) each->deleter(each);
    }
    if (second == first) judge_one_struct(order, answer);
    if (answer.is_violated(RuleId::exchange_from_owning)) return false;
  }
  return true;
}

// An export that has the memory of dlspec's own tensor holds it, also where that is read-only. False after a deviation.
bool judge_held(const NativeCase& asked, bool read_only, NativeAnswer& answer) {
  NativeCase ordered = asked;
  ordered.read_only = read_only;
  const char* reason = nullptr;
  TableArray array(spec_of(ordered, asked.device), &reason);
  TableExport made(array);
  if (made.managed() == nullptr || !array.is_own_memory(made.managed()->dl_tensor)) return true;
  array.release();
  if (!array.is_own_released_now()) return true;
  answer.violated(RuleId::exchange_from_owning,
                  fmt::format("an export of {} tensor does not hold it: it was released before the export was",
                              read_only ? "a read-only" : "an imported"),
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
  if (!judge_chain(through, asked, answer) || !judge_each_rank(asked, answer)) return;
  if (!judge_held(asked, false, answer) || !judge_held(asked, true, answer)) return;
  if (!judge_two_of_each_rank(asked, answer)) return;
  const std::size_t left = growth_of(1000, [&] { TableExport(array).release(); });
  answer.decide(RuleId::exchange_from_owning, left == 0,
                fmt::format("each export that was released left {} bytes behind", left), owning);
}

}  // namespace dlspec::conformance
