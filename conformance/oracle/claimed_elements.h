// The elements at the addresses that an export claims, and findings that they decide.
#pragma once

#include <cstdint>
#include <span>

#include <dlspec/vocabulary/exported.h>
#include <dlspec/vocabulary/finding.h>
#include <dlspec/vocabulary/origin.h>

namespace dlspec::conformance {

// As reference::validate with an origin, and with what the claimed addresses tell. `contents`: the elements of the
// source in C order. Unreadable addresses are no fault.
//   - Strides are told to count bytes only where they do not lead to `contents`: rows may be padded, and every second
//     element shown, by any number, the element size included.
//   - A source of which it is not known is read-only where this process cannot write its memory.
[[nodiscard]] Findings validate_by_elements(const Exported& exported, const Origin* origin,
                                            std::span<const std::uint8_t> contents);

}  // namespace dlspec::conformance
