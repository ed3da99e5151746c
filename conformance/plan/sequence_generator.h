// Seeded sequences: pure and deterministic on every machine.
#pragma once

#include <cstddef>
#include <cstdint>

#include <dlspec/conformance/core/case.h>
#include <dlspec/conformance/plan/sequence.h>
#include <dlspec/conformance/plan/sequence_model.h>

namespace dlspec::conformance {

// What the steps may ask of the subject.
struct SequenceProfile {
  bool exports = true;    // it makes arrays, which dlspec imports
  bool imports = true;    // it imports arrays: its own, and dlspec's
  bool native = false;    // a plug-in: no arrays that live beside their exports, no views, no interpreter
  bool writes = true;     // arrays can be written
  bool mutations = true;  // arrays can be changed in place
};

// Whether the profile has steps of this kind, and this one in this situation.
[[nodiscard]] bool is_wanted(const SequenceProfile& profile, StepKind kind);
[[nodiscard]] bool fits_profile(const SequenceProfile& profile, const SequenceModel& model, const Step& step);

// The profile of subjects of this kind in one role; exchange: in both.
[[nodiscard]] SequenceProfile sequence_profile(Role role, SubjectKind kind);

// Numbers of a fixed sequence (SplitMix64), the same with every compiler and standard library.
class SequenceRandom {
 public:
  explicit SequenceRandom(std::uint64_t seed) : state_(seed) {}
  [[nodiscard]] std::uint64_t next();
  // 0 to bound - 1.
  [[nodiscard]] std::size_t below(std::size_t bound) { return static_cast<std::size_t>(next() % bound); }

 private:
  std::uint64_t state_;
};

// `length` steps that are possible one after the other.
[[nodiscard]] Sequence generate_sequence(const SequenceProfile& profile, SequenceRandom& random, std::size_t length);

// A relative of a sequence: cut, with steps removed or options changed, and continued to about its length.
[[nodiscard]] Sequence vary_sequence(const Sequence& sequence, const SequenceProfile& profile, SequenceRandom& random);

}  // namespace dlspec::conformance
