// What a function leaves to its caller as it was, by the calling convention of the processor.
#pragma once

#include <span>

namespace dlspec::conformance {

// Calls a function while each register that belongs to the caller has a value of its own. Bit i of the result: the
// function did not keep what kept_registers()[i] names. The caller's registers are whole again afterwards; exceptions
// pass. 0 on a processor, or a system, of which no convention is known here.
[[nodiscard]] unsigned call_with_known_registers(void (*function)(void*), void* argument);

[[nodiscard]] std::span<const char* const> kept_registers();

}  // namespace dlspec::conformance
