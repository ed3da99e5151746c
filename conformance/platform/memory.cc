#include <dlspec/conformance/platform/memory.h>

#ifdef __APPLE__
#include <mach/mach.h>
#include <mach/vm_map.h>
#include <sys/ucontext.h>
#else
#include <fcntl.h>
#include <ucontext.h>
#include <unistd.h>
#endif

namespace dlspec::conformance {

#ifdef __APPLE__

OwnMemory::OwnMemory() : descriptor_(-1) {}

OwnMemory::~OwnMemory() = default;

bool OwnMemory::copy(std::uint64_t address, std::span<std::uint8_t> bytes) const {
  vm_size_t size = 0;
  return vm_read_overwrite(mach_task_self(), address, bytes.size(), reinterpret_cast<vm_address_t>(bytes.data()),
                           &size) == KERN_SUCCESS &&
         size == bytes.size();
}

#else

OwnMemory::OwnMemory() : descriptor_(::open("/proc/self/mem", O_RDONLY | O_CLOEXEC)) {}

OwnMemory::~OwnMemory() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool OwnMemory::copy(std::uint64_t address, std::span<std::uint8_t> bytes) const {
  return ::pread(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(address)) ==
         static_cast<ssize_t>(bytes.size());
}

#endif

const char* access_of([[maybe_unused]] const void* context) {
#if defined(__linux__) && defined(__x86_64__)
  constexpr greg_t write_bit = 2;  // of a page fault's error code
  return (static_cast<const ucontext_t*>(context)->uc_mcontext.gregs[REG_ERR] & write_bit) != 0 ? "write" : "read";
#elif defined(__APPLE__) && defined(__x86_64__)
  constexpr auto write_bit = 2U;
  return (static_cast<const ucontext_t*>(context)->uc_mcontext->__es.__err & write_bit) != 0 ? "write" : "read";
#elif defined(__APPLE__) && defined(__aarch64__)
  constexpr auto write_bit = 1U << 6;  // WnR of ESR_ELx
  return (static_cast<const ucontext_t*>(context)->uc_mcontext->__es.__esr & write_bit) != 0 ? "write" : "read";
#else
  return "access";
#endif
}

}  // namespace dlspec::conformance
