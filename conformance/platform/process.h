// What POSIX has no word for, of processes: Linux has it in /proc and system calls of its own, macOS in libproc and
// sysctl.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include <sys/types.h>

namespace dlspec::conformance {

// The program that runs; empty where it cannot be told.
[[nodiscard]] std::filesystem::path own_executable();

// Processors that this process may use, at least 1.
[[nodiscard]] int usable_processors();

// The variables of this process, as `environ`.
[[nodiscard]] char** own_environment();

// A descriptor that poll() finds readable once the child has ended; -1, with errno, where there is none.
[[nodiscard]] int watch_process(pid_t pid);

// Resident memory in bytes; 0 once the process has ended.
[[nodiscard]] std::uint64_t resident_bytes(pid_t pid);

// Disables core files and makes the process the first to go when memory runs out, as far as that can be done from
// outside.
void restrain_process(pid_t pid);

// Whether orphaned descendants become children of this process from now on, so that none escapes by starting a session
// of its own. Without effect where possible_orphans() finds them all the same.
void adopt_orphans(bool adopt);

// Processes among which orphans of our children are.
[[nodiscard]] std::vector<pid_t> possible_orphans();

// The variables that a process was started with, a '\0' after each; empty if they cannot be read.
[[nodiscard]] std::string environment_of(pid_t pid);

}  // namespace dlspec::conformance
