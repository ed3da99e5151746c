// libFuzzer's custom mutator and crossover for targets whose decoder tells its fields. Internal to fuzz/.
//
//   DLSPEC_MUTATE_FIELDS(decode)    behind the target; `decode` is a dlspec::testing::DecodeFields
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include <dlspec/reference/testing/field_mutator.h>

extern "C" std::size_t LLVMFuzzerMutate(std::uint8_t* data, std::size_t size, std::size_t most);

namespace dlspec::fuzz {

// One in eight changes bytes whatever they mean, so that no string is out of reach. Never an empty string, which
// libFuzzer does not take.
inline std::size_t mutate(dlspec::testing::DecodeFields decode, std::uint8_t* data, std::size_t size, std::size_t most,
                          unsigned seed) {
  if (seed % 8 == 0 && size != 0) return LLVMFuzzerMutate(data, size, most);
  static std::vector<std::uint8_t> out;
  out.resize(most);
  const std::size_t changed = dlspec::testing::mutate_fields(decode, {data, size}, out, seed);
  std::copy_n(out.begin(), changed, data);
  if (changed == 0) data[0] = 0;
  return std::max<std::size_t>(changed, 1);
}

// libFuzzer calls both functions equally often; 0 makes it call again, so that one string in seven is a crossover.
inline constexpr unsigned crossed = 6;

}  // namespace dlspec::fuzz

#ifdef DLSPEC_FUZZ_BYTES  // to compare: libFuzzer's own mutations
#define DLSPEC_MUTATE_FIELDS(decode)
#else
#define DLSPEC_MUTATE_FIELDS(decode)                                                                             \
  extern "C" std::size_t LLVMFuzzerCustomMutator(std::uint8_t* data, std::size_t size, std::size_t most,         \
                                                 unsigned seed) {                                                \
    return dlspec::fuzz::mutate(decode, data, size, most, seed);                                                 \
  }                                                                                                              \
  extern "C" std::size_t LLVMFuzzerCustomCrossOver(const std::uint8_t* first, std::size_t first_size,            \
                                                   const std::uint8_t* second, std::size_t second_size,          \
                                                   std::uint8_t* out, std::size_t most, unsigned seed) {         \
    if (seed % dlspec::fuzz::crossed != 0) return 0;                                                             \
    return dlspec::testing::cross_fields(decode, {first, first_size}, {second, second_size}, {out, most}, seed); \
  }
#endif
