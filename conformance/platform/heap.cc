#include <dlspec/conformance/platform/heap.h>

#include <dlfcn.h>

namespace dlspec::conformance {

namespace {

// As in <malloc.h>. Both functions are looked up at run time: mallinfo2 came with glibc 2.33, and an older mallinfo
// counts in 32 bits, which the sum of two blocks of memory may exceed; musl has neither.
template <class Count>
struct HeapFacts {
  Count arena, ordblks, smblks, hblks, hblkhd, usmblks, fsmblks, uordblks, fordblks, keepcost;
  [[nodiscard]] std::size_t used() const { return std::size_t{uordblks} + std::size_t{hblkhd}; }
};
using Facts = HeapFacts<std::size_t> (*)();
using NarrowFacts = HeapFacts<unsigned> (*)();

template <class Function>
Function function_of_libc(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
}

}  // namespace

std::size_t heap_bytes() {
  static const auto facts = function_of_libc<Facts>("mallinfo2");
  if (facts) return facts().used();
  static const auto narrow = function_of_libc<NarrowFacts>("mallinfo");
  return narrow ? narrow().used() : 0;
}

}  // namespace dlspec::conformance
