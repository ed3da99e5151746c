// Calls a foreign function as C does, and sees what must not happen: a C++ exception that comes out, registers that
// the platform's calling convention keeps and that come back changed.
#pragma once

#include <cstdint>
#include <string>

namespace dlspec::conformance {

struct CallReport {
  bool threw = false;
  std::string exception;  // its type: "std::bad_alloc"; empty when that cannot be told
  // What the call left changed that the platform's calling convention preserves: "rbx, r12", "the direction flag".
  // "" when nothing is, or when this platform's convention is not known here.
  std::string damaged;
};

// What is called: an exception that ends the process inside is reported as its own.
enum class Callee : std::uint8_t { nothing, deleter, table_function };

// `function` is a void function of one pointer. The caller's registers are whole again afterwards,
// whatever it did. A cancellation of the thread goes on its way.
[[nodiscard]] CallReport checked_call(void (*function)(void*), void* argument, Callee callee = Callee::deleter);

}  // namespace dlspec::conformance
