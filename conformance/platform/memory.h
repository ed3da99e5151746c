// This process's own memory, seen from outside, and what a signal handler is told of an access to it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>

namespace dlspec::conformance {

// Copies memory of this process through the kernel: an address that is not mapped is an error, not a fault.
class OwnMemory {
 public:
  OwnMemory();
  ~OwnMemory();
  OwnMemory(const OwnMemory&) = delete;
  OwnMemory& operator=(const OwnMemory&) = delete;

  // False unless all of it can be read.
  [[nodiscard]] bool copy(std::uint64_t address, std::span<std::uint8_t> bytes) const;

 private:
  [[maybe_unused]] int descriptor_;  // of a file of the kernel, where there is one
};

// Writes to memory of this process, also where its pages are read-only and the kernel allows that. False when nothing
// was written.
[[nodiscard]] bool overwrite_protected(void* address, std::span<const std::uint8_t> bytes);

// False when the kernel says that this byte of this process may not be written; it is written over with itself. True
// where no kernel can be asked.
[[nodiscard]] bool may_be_written(std::uint64_t address);

// "write" or "read", by the third argument of a handler for SIGSEGV; "access" where the processor does not say. May be
// called in a signal handler.
[[nodiscard]] const char* access_of(const void* context);

}  // namespace dlspec::conformance
