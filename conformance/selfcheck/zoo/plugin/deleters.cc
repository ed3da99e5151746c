// Deleters with a fault of their own, for the structs of Python exhibits: what ctypes cannot write.
#include <dlfcn.h>

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <stdexcept>

namespace {

using Deleter = void (*)(void*);

Deleter old_deleters[2];  // of legacy and of versioned structs

template <int versioned>
void throws(void* self) {
  old_deleters[versioned](self);
  throw std::runtime_error("released, and not content");
}

// Leaves behind what an export would have allocated. Reachable, so that leak checkers have nothing to say.
template <int versioned>
void leaves_memory(void* self) {
  struct Block {
    Block* previous;
    std::byte rest[56];
  };
  static Block* last = nullptr;
  auto* const block = static_cast<Block*>(std::malloc(sizeof(Block)));
  if (block != nullptr) block->previous = last;
  last = block;
  old_deleters[versioned](self);
}

// Takes the interpreter's lock as if there always were an interpreter.
template <int versioned>
void needs_interpreter(void* self) {
  const auto ensure = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "PyGILState_Ensure"));
  const auto release_gil = reinterpret_cast<void (*)(int)>(dlsym(RTLD_DEFAULT, "PyGILState_Release"));
  const int state = ensure();
  old_deleters[versioned](self);
  release_gil(state);
}

#if defined(__x86_64__)
// The called function has its say, and then a register that belongs to the caller is another one.
template <int versioned>
void changes_registers(void* self) {
  old_deleters[versioned](self);
  asm volatile("xor %%r15d, %%r15d" ::: "memory");  // not named as changed, so that nobody restores it
}
#elif defined(__aarch64__)
template <int versioned>
void changes_registers(void* self) {
  old_deleters[versioned](self);
  asm volatile("mov x27, xzr" ::: "memory");
}
#else
template <int versioned>
void changes_registers(void* self) {
  old_deleters[versioned](self);
}
#endif

struct Fault {
  const char* name;
  Deleter deleters[2];
};
constexpr Fault faults[] = {
    {"throws", {&throws<0>, &throws<1>}},
    {"leaves memory", {&leaves_memory<0>, &leaves_memory<1>}},
    {"needs interpreter", {&needs_interpreter<0>, &needs_interpreter<1>}},
    {"changes registers", {&changes_registers<0>, &changes_registers<1>}},
};

}  // namespace

// The deleter with this fault, which calls `old` as well; NULL when there is none. All structs of one
// generation have the same old deleter.
extern "C" __attribute__((visibility("default"))) Deleter dlspec_zoo_deleter(const char* fault, int versioned,
                                                                             Deleter old) {
  for (const Fault& each : faults) {
    if (std::strcmp(each.name, fault) != 0) continue;
    old_deleters[versioned != 0] = old;
    return each.deleters[versioned != 0];
  }
  return nullptr;
}
