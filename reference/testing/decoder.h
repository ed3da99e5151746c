// Decodes any string of bytes to a struct: the input of fuzz targets that validate or import tensors.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include <dlspec/reference/testing/field_reader.h>
#include <dlspec/vocabulary/abi.h>
#include <dlspec/vocabulary/exported.h>
#include <dlspec/vocabulary/layout.h>
#include <dlspec/vocabulary/origin.h>

namespace dlspec::testing {

// A struct with any field values, of any generation, with or without an Origin. Total: every string decodes, a longer
// string sets more fields, and missing bytes give harmless values. No global state.
//
// Safe to validate, hostile otherwise: exactly the bytes that finding.def allows to be read exist (a sanitizer reports
// the next one). The struct pointer is valid, NULL or misaligned; after a foreign major version only the stable prefix
// exists. shape and strides are NULL, misaligned, or arrays of min(ndim, max_rank) numbers. `data` is a number that
// must not be dereferenced, and the deleter must not be called.
//
// Low bytes give ordinary values, so that a string of zeros is a conforming scalar and a random string is wrong in a
// few fields rather than in all.
class DecodedTensor {
 public:
  // `listener`, if there is one, is told the fields, and may replace their bytes.
  explicit DecodedTensor(std::span<const std::uint8_t> bytes, FieldListener* listener = nullptr) {
    decode(bytes, listener);
  }
  // The struct points into this object.
  DecodedTensor(const DecodedTensor&) = delete;
  DecodedTensor& operator=(const DecodedTensor&) = delete;

  // Another string into the memory of the last, of which then more bytes may exist than may be read: for mutators,
  // which want the fields alone.
  void decode(std::span<const std::uint8_t> bytes, FieldListener* listener);

  [[nodiscard]] Exported exported() const { return {generation_, object_}; }
  // NULL where the bytes give none.
  [[nodiscard]] const Origin* origin() const { return origin_ ? &*origin_ : nullptr; }

 private:
  class Reader;
  void decode_axes(Reader& reader, abi::Tensor& tensor);
  void decode_strides(Reader& reader, int kind);
  void decode_data(Reader& reader, abi::Tensor& tensor);
  void decode_origin(Reader& reader, const abi::Tensor& tensor);
  void decode_object(Reader& reader, const abi::v1::ManagedTensor& managed);

  Generation generation_ = Generation::versioned;
  const void* object_ = nullptr;
  std::vector<std::uint64_t> storage_;  // the struct, in words
  std::vector<std::int64_t> shape_;
  std::vector<std::int64_t> strides_;
  Layout source_;
  std::optional<Origin> origin_;
};

}  // namespace dlspec::testing
