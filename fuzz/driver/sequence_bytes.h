// Command sequences as bytes for fuzzing engines. Every string is a sequence whose steps are possible one after the
// other.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include <dlspec/conformance/plan/sequence.h>
#include <dlspec/conformance/plan/sequence_generator.h>

namespace dlspec::fuzz {

inline constexpr std::size_t longest_sequence = 48;  // steps

// Which steps a string can mean.
struct SequenceForm {
  conformance::SequenceProfile profile;
  bool threads = false;  // releases on another thread: none in an engine's process
};

[[nodiscard]] conformance::Sequence decode_sequence(std::span<const std::uint8_t> bytes, const SequenceForm& form);

// A string that means these steps, as far as the form has them.
[[nodiscard]] std::vector<std::uint8_t> encode_sequence(const conformance::Sequence& sequence,
                                                        const SequenceForm& form);

}  // namespace dlspec::fuzz
