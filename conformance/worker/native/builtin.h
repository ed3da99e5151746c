// dlspec's own producer and consumer in the form of a plug-in: subject `builtin`.
#pragma once

#include <dlspec/plugin.h>

namespace dlspec::conformance {

// A producer of every host array that the struct can describe (any dtype, layout, offset, both
// generations), a consumer that keeps what it is given, and the bridge of builtin_bridge.h. Static storage.
[[nodiscard]] const DlspecPlugin* builtin_plugin();

}  // namespace dlspec::conformance
