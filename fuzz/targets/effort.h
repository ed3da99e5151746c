// How much a target does with one input. Internal to fuzz/.
#pragma once

#include <cstdint>
#include <span>

namespace dlspec::fuzz {

// In an engine's process many inputs matter more than all that can be done with one. A replay does everything.
#ifdef DLSPEC_FUZZING
inline constexpr bool replaying = false;
#else
inline constexpr bool replaying = true;
#endif

// All of them in a replay, else the one that the byte chooses.
template <class T>
std::span<const T> chosen_of(std::span<const T> all, std::uint8_t byte) {
  return replaying || all.empty() ? all : all.subspan(byte % all.size(), 1);
}

}  // namespace dlspec::fuzz
