// The exchange table of a plug-in, and what dlspec does with it in the place of make and import.
#pragma once

#include <cstddef>

#include <dlspec/plugin.h>
#include <dlspec/vocabulary/abi.h>
#include <dlspec/vocabulary/exported.h>

namespace dlspec::conformance {

// The plug-in's table, or an older one of the major version that this dlspec knows; NULL where there is none.
[[nodiscard]] const abi::v1::ExchangeApi* exchange_table_of(const DlspecPlugin& plugin);

// The plug-in, whose missing functions are done by its exchange table where it has one. A process has one such
// plug-in, for the functions of C have no context.
[[nodiscard]] DlspecPlugin completed_by_table(const DlspecPlugin& plugin);

// Releases a tensor that an import through the table has refused and left to its caller, as the text allows; the
// contract of import_tensor does not. `calls`: how often its deleter was called so far.
void release_if_left(const DlspecPlugin& plugin, const Exported& refused, int calls);

}  // namespace dlspec::conformance
