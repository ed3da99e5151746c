#include <dlspec/conformance/oracle/kept_registers.h>

#if !defined(__linux__) || !(defined(__x86_64__) || defined(__aarch64__))

namespace dlspec::conformance {

unsigned call_with_known_registers(void (*function)(void*), void* argument) {
  function(argument);
  return 0;
}

std::span<const char* const> kept_registers() { return {}; }

}  // namespace dlspec::conformance

#endif
