// The registry of live objects and their kinds: a pointer from a caller is checked without being followed. Callers
// destroy objects twice and pass objects of the wrong kind. Thread-safe.
#pragma once

#include <cstddef>
#include <cstdint>

namespace dlspec::infiniop {

enum class Kind : std::uint8_t { handle = 1, tensor = 2, rearrange = 3 };

// False if memory for the entry cannot be allocated. The address is a multiple of 16 at which no object is registered.
[[nodiscard]] bool register_object(std::uintptr_t address, Kind kind) noexcept;

// Accepts any pointer.
[[nodiscard]] bool is_live(const void* object, Kind kind) noexcept;

// True if the object was registered; of several threads that remove one object only one gets true.
[[nodiscard]] bool unregister_object(const void* object, Kind kind) noexcept;

}  // namespace dlspec::infiniop
