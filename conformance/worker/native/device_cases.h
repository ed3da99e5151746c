// The variants that --device adds for plug-ins: the struct, the memory that it names and the elements there, and
// imports of memory of the GPU. The functions of a plug-in know no streams: what they return is complete.
#pragma once

#include <dlspec/conformance/worker/native/native_case.h>
#include <dlspec/plugin.h>

namespace dlspec::conformance {

// Producers, with a struct of this generation.
template <Generation generation>
void device_struct_case(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer);
// Page-locked memory of the host, and managed memory, as the variant says.
void device_host_memory_case(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer);

// Consumers.
template <Generation generation>
void device_import_case(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer);

}  // namespace dlspec::conformance
