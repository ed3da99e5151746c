// Plug-ins with one fault each: dlspec's own producer, consumer and bridge, with one function of a table replaced.
#pragma once

#include <string_view>

#include <dlspec/plugin.h>

namespace dlspec::zoo {

// The table of the plug-in of this name, "clean" included; NULL when there is none. Static storage.
[[nodiscard]] const DlspecPlugin* find_plugin(std::string_view name);

// The plug-in of this name under a condition of conditions.cc, and "clean" otherwise; NULL when there is none.
[[nodiscard]] const DlspecPlugin* under_condition(std::string_view name, std::string_view condition);

// The bridge of the plug-in of this name, as long as no other is asked for; NULL when the name is not a bridge's.
[[nodiscard]] const DlspecBridge* find_bridge(std::string_view name);

}  // namespace dlspec::zoo
