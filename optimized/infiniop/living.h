// Which objects are alive, and of what kind: so that a pointer that a caller passes is judged without being
// followed. Destroying twice and passing the wrong kind of object are the mistakes that callers make.
#pragma once

#include <cstddef>
#include <cstdint>

namespace dlspec::infiniop {

enum class Kind : std::uint8_t { handle = 1, tensor = 2, rearrange = 3 };

// False when there is no memory for the entry. The address is a multiple of 16 where nothing is alive.
[[nodiscard]] bool enter(std::uintptr_t address, Kind kind) noexcept;

// Any pointer may be asked about.
[[nodiscard]] bool is_living(const void* object, Kind kind) noexcept;

// True when it was alive; of several threads that ask at a time for one object only one is told so.
[[nodiscard]] bool leave(const void* object, Kind kind) noexcept;

}  // namespace dlspec::infiniop
