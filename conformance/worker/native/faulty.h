// dlspec's own library with two faults, for the exchanges whose outcome is known.
#pragma once

#include <dlspec/plugin.h>

namespace dlspec::conformance {

// As builtin_plugin, but versioned exports have NULL strides, imports show their bytes in the wrong order, and there is
// no bridge.
[[nodiscard]] const DlspecPlugin* faulty_plugin();

}  // namespace dlspec::conformance
