// The variants of producers and consumers that are about the exchange table of a plug-in.
#pragma once

#include <dlspec/conformance/worker/native/native_variants.h>
#include <dlspec/conformance/worker/native/plugin_table.h>
#include <dlspec/vocabulary/abi.h>
#include <dlspec/vocabulary/rules.h>

namespace dlspec::conformance {

using Api = abi::v1::ExchangeApi;
using Managed = abi::v1::ManagedTensor;

// What the header and the members say; whether they stay. (table_header_cases.cc)
NativeCaseFunction table_header_case, table_lifetime_case, table_stream_case, table_unknown_stream_case;
// Exports, and who owns them. (table_export_cases.cc, table_owned_cases.cc)
NativeCaseFunction table_export_case, table_owned_case;
// Tensors that are lent. (table_borrow_cases.cc)
NativeCaseFunction table_borrow_case, table_borrow_many_case;
// Imports. (table_import_cases.cc)
NativeCaseFunction table_import_case, table_refused_case, table_unusual_case, table_major_case;
// What imports say once more (table_onward_cases.cc), and the same memory as another tensor, which needs no table.
// (same_memory_cases.cc)
NativeCaseFunction table_onward_case, same_memory_case;
// Tensors that the allocator makes. (table_allocator_cases.cc)
NativeCaseFunction table_allocator_case, table_poisoned_case, table_impossible_case;

// The plug-in's table with this function; NULL where there is none, which answers the case.
template <class Function>
const Api* table_with(Function Api::* function, RuleId nonnull, const DlspecPlugin& plugin, NativeAnswer& answer) {
  const Api* const api = exchange_table_of(plugin);
  if (api == nullptr) {
    answer.rest_not_applicable();
  } else if (api->*function == nullptr) {
    answer.rest_blocked(std::string("by ") + rule(nonnull).id);
    return nullptr;
  }
  return api;
}

// The plug-in as it is when everything goes through its table. Where that is impossible its make is NULL, and the case
// is answered.
[[nodiscard]] DlspecPlugin asked_through_table(const DlspecPlugin& plugin, NativeAnswer& answer);

}  // namespace dlspec::conformance
