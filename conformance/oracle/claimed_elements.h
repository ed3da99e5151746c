// The elements at the addresses that an export claims, and findings that they decide.
#pragma once

#include <cstdint>
#include <span>

#include <dlspec/vocabulary/exported.h>
#include <dlspec/vocabulary/finding.h>
#include <dlspec/vocabulary/origin.h>

namespace dlspec::conformance {

// As reference::validate, except that strides are told to count bytes only where the addresses that they lead to do
// not hold `contents`: rows may be padded, and every second element shown, by any number, the element size included.
// `contents`: the elements of the source in C order. Unreadable addresses are no fault.
[[nodiscard]] Findings validate_by_elements(const Exported& exported, const Origin* origin,
                                            std::span<const std::uint8_t> contents);

}  // namespace dlspec::conformance
