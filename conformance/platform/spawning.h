// What posix_spawn has not got on every C library: closing all descriptors, starting in another folder.
#pragma once

#include <string>
#include <vector>

#include <spawn.h>

namespace dlspec::conformance {

// A flag for posix_spawnattr_setflags: macOS closes whatever no action names, by itself.
#ifdef POSIX_SPAWN_CLOEXEC_DEFAULT
inline constexpr short close_others = POSIX_SPAWN_CLOEXEC_DEFAULT;
#else
inline constexpr short close_others = 0;
#endif

// Has the child close every descriptor from `first` on, where that flag does not.
void close_from(posix_spawn_file_actions_t& actions, int first);

// The same for a C library without a function for it: every descriptor that this process has open now.
void close_each_from(posix_spawn_file_actions_t& actions, int first);

// Has the child start in `folder`. False where the C library has no function for it.
[[nodiscard]] bool start_in(posix_spawn_file_actions_t& actions, const std::string& folder);

// A command that goes to the folder and becomes the given one, for such a C library.
[[nodiscard]] std::vector<std::string> by_shell(const std::string& folder, const std::vector<std::string>& arguments);

}  // namespace dlspec::conformance
