// Pseudo-random bytes for the seed makers: a linear congruential generator (Knuth's MMIX constants), so that the files
// do not depend on a standard library.
#pragma once

#include <cstdint>

namespace dlspec::fuzz {

class Lcg {
 public:
  explicit Lcg(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() { return state_ = state_ * 6364136223846793005u + 1442695040888963407u; }
  // The high bits: the low ones of this generator have short periods.
  std::uint64_t high_bits() { return next() >> 33; }
  std::uint8_t byte() { return static_cast<std::uint8_t>(high_bits()); }

 private:
  std::uint64_t state_;
};

}  // namespace dlspec::fuzz
