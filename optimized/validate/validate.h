// Fast validation of an exported struct: the same findings as the reference, in tens of nanoseconds for a valid tensor.
// Thread-safe; nothing allocates or throws. Source: dlpack.h and the DLPack specification; rules.def cites the place
// for each rule.
#pragma once

#include <dlspec/vocabulary/exported.h>
#include <dlspec/vocabulary/finding.h>
#include <dlspec/vocabulary/origin.h>

namespace dlspec::optimized {

// Every rule violation that can be read from the struct's bytes, in rule order, at most one per rule; finding.def
// defines them. Accepts any struct: NULL, misaligned, any field values. Reads only the struct, shape and strides, never
// data: where shape and strides are neither NULL nor misaligned and ndim is 1 to 64, they must be readable for ndim
// entries.
//
// `origin` is what the caller knows about the source, or NULL. The struct stays the caller's. A CPU tensor whose data
// is not 256-byte aligned has one finding of status info.
[[nodiscard]] Findings validate(const Exported& exported, const Origin* origin = nullptr) noexcept;

// For engines: true if validate(exported) has no finding worse than info. Ranks above 64 are not read and thus not
// sound.
[[nodiscard]] bool is_sound(const Exported& exported) noexcept;

}  // namespace dlspec::optimized
