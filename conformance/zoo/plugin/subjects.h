// Plug-ins with one fault each: dlspec's own producer and consumer, with one function of the table replaced.
#pragma once

#include <string_view>

#include <dlspec/plugin.h>

namespace dlspec::zoo {

// The table of the plug-in of this name, "clean" included; NULL when there is none. Static storage.
[[nodiscard]] const DlspecPlugin* find_plugin(std::string_view name);

}  // namespace dlspec::zoo
