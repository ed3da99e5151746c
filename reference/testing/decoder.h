// Any string of bytes as a struct: what fuzzers feed to code that judges or imports tensors.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <dlspec/vocabulary/abi.h>
#include <dlspec/vocabulary/exported.h>
#include <dlspec/vocabulary/layout.h>
#include <dlspec/vocabulary/origin.h>

namespace dlspec::testing {

// A struct that may say anything, of any generation, with or without an Origin. Total: every string
// gives one, a longer string says more, and what is missing is harmless. No global state.
//
// Safe to validate, hostile otherwise: whatever finding.def allows to be read is there, to the byte
// (a sanitizer sees the next one). The struct pointer is good, NULL or misaligned; after a foreign
// major version only the stable prefix exists. shape and strides are NULL, misaligned, or arrays of
// min(ndim, 64) numbers. `data` is a number that nobody may follow, and the deleter is not to be called.
//
// Low bytes say ordinary things, so that a string of zeros is a conforming scalar and a random
// string is wrong in a few places rather than in all.
class DecodedTensor {
 public:
  explicit DecodedTensor(std::span<const std::uint8_t> bytes);
  // The struct points into this object.
  DecodedTensor(const DecodedTensor&) = delete;
  DecodedTensor& operator=(const DecodedTensor&) = delete;

  [[nodiscard]] Exported exported() const { return {generation_, object_}; }
  // NULL where the bytes give none.
  [[nodiscard]] const Origin* origin() const { return origin_ ? &*origin_ : nullptr; }

 private:
  class Reader;
  void decode_axes(Reader& reader, abi::Tensor& tensor);
  void decode_data(Reader& reader, abi::Tensor& tensor);
  void decode_origin(Reader& reader, const abi::Tensor& tensor);
  void decode_object(Reader& reader, const abi::v1::ManagedTensor& managed);

  Generation generation_ = Generation::versioned;
  const void* object_ = nullptr;
  std::vector<std::uint64_t> storage_;  // the struct, in words
  std::vector<std::int64_t> shape_;
  std::vector<std::int64_t> strides_;
  std::optional<Layout> source_;
  std::optional<Origin> origin_;
};

}  // namespace dlspec::testing
