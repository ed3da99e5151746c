// Plug-ins with an exchange table that has one fault.
#pragma once

#include <span>
#include <string_view>

#include <dlspec/plugin.h>
#include <dlspec/vocabulary/abi.h>

#include "imports.h"

namespace dlspec::zoo {

// Faults of dlspec's own table. "table" has none.
[[nodiscard]] std::span<const FaultyPlugin> plugins_with_tables();

// "table: NAME" of exchange_tables.cc: gives the plug-in such a table. False when there is none of this name.
[[nodiscard]] bool spoil_table(std::string_view name, DlspecPlugin& plugin);

}  // namespace dlspec::zoo

// Puts the fault into the table, unless another table of this process has one. Non-zero when there is one of this name.
extern "C" __attribute__((visibility("default"))) int dlspec_zoo_spoil_table(dlspec::abi::v1::ExchangeApi* table,
                                                                             const char* fault);
