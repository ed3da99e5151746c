// Exchange tables of plug-ins: tensors that they lend.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstring>
#include <string>
#include <vector>

#include <dlspec/conformance/worker/native/consumer_trial.h>
#include <dlspec/conformance/worker/native/held_import.h>
#include <dlspec/conformance/worker/native/offer_alterations.h>
#include <dlspec/conformance/worker/native/plugin_table.h>
#include <dlspec/conformance/worker/native/producer_trial.h>
#include <dlspec/conformance/worker/native/steady_growth.h>
#include <dlspec/conformance/worker/native/table_cases.h>
#include <dlspec/conformance/worker/native/table_conduct.h>
#include <dlspec/reference/descriptor/strided.h>
#include <dlspec/vocabulary/dtype.h>
#include <dlspec/vocabulary/rules.h>

namespace dlspec::conformance {
namespace {

constexpr const char* own_lists = "shape and strides that the object owns";

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
bool lent(const Api& api, void* object, int fill, abi::Tensor& tensor) {
  std::memset(static_cast<void*>(&tensor), fill, sizeof tensor);
  return table_call("dltensor_from_py_object_no_sync",
                    [&] { return api.dltensor_from_py_object_no_sync(object, &tensor); });
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

using Numbers = std::vector<std::int64_t>;

constexpr RuleId own_storage = RuleId::exchange_dltensor_no_temp_alloc;

std::vector<std::int64_t> list(const std::int64_t* values, std::int32_t rank) {
  return values != nullptr ? std::vector<std::int64_t>(values, values + std::max(rank, 0))
                           : std::vector<std::int64_t>();
}

constexpr int loans = 16;  // more than a function has operands

// What one object lends stays while another lends, once and more often. False after a deviation.
bool judge_lists(const Api& api, void* object, void* other, NativeAnswer& answer) {
  abi::Tensor first, second;
  if (!lent(api, object, 0, first) || (first.ndim > 0 && first.shape == nullptr)) return true;
  const auto shape = list(first.shape, first.ndim), strides = list(first.strides, first.ndim);
  for (int i = 0; i < loans; ++i) {
    if (!lent(api, other, 0, second)) return true;
  }
  const bool is_shape_kept = list(first.shape, first.ndim) == shape;
  if (is_shape_kept && list(first.strides, first.ndim) == strides) return true;
  answer.violated(own_storage,
                  fmt::format("when another object lent its tensor, the first, of rank {}, got other {}", first.ndim,
                              is_shape_kept ? "strides" : "extents"),
                  own_lists);
  return false;
}

// A tensor of 1.0 whose strides are NULL: the library that imports it has to find some.
OfferRequest row_offer(const NativeCase& asked) {
  OfferRequest request = ordinary_offer(asked, Generation::versioned);
  alterations::without_strides_in_1_0(request);
  return request;
}

// Every element of the same array, at this multiple of the distances of a compact one.
NativeCase spread(NativeCase asked, std::int64_t distance) {
  Numbers steps = reference::compact_strides(asked.layout.shape);
  for (std::int64_t& step : steps) step *= distance;
  asked.layout.strides = std::move(steps);
  asked.offset = 0;
  return asked;
}

// The same of two objects whose elements do not lie side by side: those strides have to be kept somewhere.
bool judge_spread(const Api& api, const NativeCase& asked, const NativeCase& longer, NativeAnswer& answer) {
  const char* reason = nullptr;
  const NativeCase one = spread(asked, 3), two = spread(longer, 2);
  const TableArray array(spec_of(one, asked.device), &reason), other(spec_of(two, asked.device), &reason);
  return !array.made() || !other.made() || judge_lists(api, array.object(), other.object(), answer);
}

// The same of each rank: long lists are often kept elsewhere than short ones.
bool judge_each_rank(const Api& api, const NativeCase& asked, NativeAnswer& answer) {
  for (const int rank : tried_ranks) {
    const char* reason = nullptr;
    const NativeCase one = vector_of_rank(asked, rank, 2), two = vector_of_rank(asked, rank, 3);
    const TableArray array(spec_of(one, asked.device), &reason), other(spec_of(two, asked.device), &reason);
    if (array.made() && other.made() && !judge_lists(api, array.object(), other.object(), answer)) return false;
  }
  return true;
}

// An object that has lent its tensor is given up like any other. False after a deviation.
bool judge_returned(const Api& api, const NativeCase& asked, NativeAnswer& answer) {
  const char* reason = nullptr;
  TableArray alone(spec_of(asked, asked.device), &reason), lending(spec_of(asked, asked.device), &reason);
  abi::Tensor tensor;
  alone.release();
  if (!alone.own_is_released() || !lending.made() || !lent(api, lending.object(), 0, tensor)) return true;
  lending.release();
  if (lending.own_is_released()) return true;
  answer.violated(own_storage, "an object that has lent its tensor and was given up is never released", own_lists);
  return false;
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
  const bool both = lent(*api, array.object(), fills[0], first) && lent(*api, array.object(), fills[1], second);
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
  if (!array.made() || !lent(*api, array.object(), 0, first))
    return answer.rest_unsupported("the table lends no such array");
  if (first.ndim > 0 && first.shape == nullptr) return answer.rest_blocked("by the borrowed tensor");
  if (other.made() && !judge_lists(*api, array.object(), other.object(), answer)) return;
  if (!judge_spread(*api, asked, longer, answer) || !judge_each_rank(*api, asked, answer)) return;
  const DlspecPlugin through = through_table(plugin);
  const Held row(through, row_offer(asked)), longer_row(through, row_offer(longer));
  if (row.taken() && longer_row.taken() && !judge_lists(*api, row.array(), longer_row.array(), answer)) return;
  if (!judge_returned(*api, asked, answer)) return;
  const std::size_t left = growth_of(1000, [&] { (void)lent(*api, array.object(), 0, second); });
  answer.decide(own_storage, left == 0, fmt::format("each tensor that was lent left {} bytes behind", left), own_lists);
}

}  // namespace dlspec::conformance
