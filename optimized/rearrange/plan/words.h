// Programs that are counted in words of 4 bytes: the processor permutes these in half the time that bytes take.
#pragma once

#include <dlspec/optimized/rearrange/plan/geometry.h>
#include <dlspec/optimized/rearrange/plan/program.h>

namespace dlspec::optimized {

// Do all bytes that belong together begin where a word does?
[[nodiscard]] bool consists_of_words(const Geometry& geometry) noexcept;

// Makes a regular program of a single cell of such a geometry count words: bit i of every mask stands for bytes 4 * i
// to 4 * i + 3, and the index is one of 32 bits for each word. Nothing but the engines' kernels for it may read it
// then.
void count_words(Program& program) noexcept;

}  // namespace dlspec::optimized
