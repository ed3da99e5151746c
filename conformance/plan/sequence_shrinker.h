// Makes a failing sequence short and simple, by delta debugging over its steps and then over their options.
#pragma once

#include <cstddef>
#include <functional>

#include <dlspec/conformance/plan/sequence.h>

namespace dlspec::conformance {

// Whether a sequence still fails in the same way. Each call is an attempt; what it does is the caller's.
using SequenceFails = std::function<bool(const Sequence&)>;

// The shortest and simplest that was seen to fail within this many attempts, numbered from 0. `failing` must fail.
[[nodiscard]] Sequence shrink_sequence(Sequence failing, const SequenceFails& fails, std::size_t most_attempts = 2000);

}  // namespace dlspec::conformance
