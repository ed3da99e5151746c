// What tests of offers share.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <numeric>
#include <string>
#include <variant>

#include <gtest/gtest.h>

#include <dlspec/conformance/oracle/offer.h>
#include <dlspec/reference/descriptor/text.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::conformance::offer_testing {

inline std::size_t element_count(const Layout& layout) {
  return static_cast<std::size_t>(
      std::accumulate(layout.shape.begin(), layout.shape.end(), std::int64_t{1}, std::multiplies<>()));
}

// Contents 1, 2, 3, ... of the right length.
inline OfferRequest request_of(const char* text) {
  OfferRequest request;
  request.descriptor = std::get<Descriptor>(reference::parse_text(text));
  const std::size_t bits = element_count(request.descriptor.layout) * element_bits(request.descriptor.layout.dtype);
  request.contents.resize((bits + 7) / 8);
  std::iota(request.contents.begin(), request.contents.end(), std::uint8_t{1});
  return request;
}

inline std::unique_ptr<Offer> offer(const OfferRequest& request) {
  std::string problem;
  auto made = Offer::make(request, problem);
  EXPECT_NE(made, nullptr) << problem;
  return made;
}

inline abi::v1::ManagedTensor* versioned(Exported exported) {
  return const_cast<abi::v1::ManagedTensor*>(&exported.versioned());
}

inline std::uint8_t* bytes_of(Exported exported) { return static_cast<std::uint8_t*>(exported.tensor().data); }

inline void release(Exported exported) {
  if (exported.generation() == Generation::versioned) {
    versioned(exported)->deleter(versioned(exported));
  } else {
    auto* legacy = const_cast<abi::v0::ManagedTensor*>(&exported.legacy());
    legacy->deleter(legacy);
  }
}

}  // namespace dlspec::conformance::offer_testing
