#include <dlspec/conformance/platform/memory.h>

#ifdef __APPLE__
#include <mach/mach.h>
#include <mach/vm_map.h>
#include <sys/ucontext.h>
#else
#include <fcntl.h>
#include <sys/uio.h>
#include <ucontext.h>
#include <unistd.h>
#include <cerrno>
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

bool overwrite_protected(void* address, std::span<const std::uint8_t> bytes) {
  return vm_write(mach_task_self(), reinterpret_cast<vm_address_t>(address),
                  reinterpret_cast<vm_offset_t>(bytes.data()),
                  static_cast<mach_msg_type_number_t>(bytes.size())) == KERN_SUCCESS;
}

bool may_be_written(std::uint64_t) { return true; }

#else

OwnMemory::OwnMemory() : descriptor_(::open("/proc/self/mem", O_RDONLY | O_CLOEXEC)) {}

OwnMemory::~OwnMemory() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

bool OwnMemory::copy(std::uint64_t address, std::span<std::uint8_t> bytes) const {
  return ::pread(descriptor_, bytes.data(), bytes.size(), static_cast<off_t>(address)) ==
         static_cast<ssize_t>(bytes.size());
}

// Opened each time: a descriptor from before a fork leads to the memory of the parent.
bool overwrite_protected(void* address, std::span<const std::uint8_t> bytes) {
  const int memory = ::open("/proc/self/mem", O_WRONLY | O_CLOEXEC);
  if (memory < 0) return false;
  const auto place = static_cast<off_t>(reinterpret_cast<std::uintptr_t>(address));
  const bool is_done = ::pwrite(memory, bytes.data(), bytes.size(), place) == static_cast<ssize_t>(bytes.size());
  ::close(memory);
  return is_done;
}

// Unlike a write through /proc/self/mem this one keeps to the rights of the page. Containers may forbid it: EPERM or
// ENOSYS says nothing of the page.
bool may_be_written(std::uint64_t address) {
  const iovec byte{reinterpret_cast<void*>(address), 1};
  return ::process_vm_writev(::getpid(), &byte, 1, &byte, 1, 0) == 1 || errno != EFAULT;
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
