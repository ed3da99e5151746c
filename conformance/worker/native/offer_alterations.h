// How the variants of consumers alter the ordinary offer.
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include <dlspec/conformance/oracle/unknown_values.h>
#include <dlspec/conformance/worker/native/consumer_judgements.h>
#include <dlspec/vocabulary/device.h>
#include <dlspec/vocabulary/dtype.h>
#include <dlspec/vocabulary/flags.h>

namespace dlspec::conformance::alterations {

inline constexpr std::uint32_t highest = std::numeric_limits<std::uint32_t>::max();  // of a version's numbers
inline constexpr std::uintptr_t nowhere = 0x5A5A5A5A5A5A5000;  // not canonical on x86-64: no process has memory there

inline void nothing(OfferRequest&) {}
inline void without_shape(OfferRequest& offer) { offer.null_shape = true; }
inline void without_strides(OfferRequest& offer) { offer.descriptor.layout.strides.reset(); }
inline void without_shape_and_strides(OfferRequest& offer) {
  without_shape(offer);
  without_strides(offer);
}
inline void without_strides_in_1_0(OfferRequest& offer) {
  without_strides(offer);
  offer.descriptor.version = {1, 0};
}
inline void without_data(OfferRequest& offer) { offer.descriptor.null_data = true; }
inline void with_data(OfferRequest& offer) { offer.descriptor.null_data = false; }

template <std::uint32_t major, std::uint32_t minor>
void of_version(OfferRequest& offer) {
  offer.descriptor.version = {major, minor};
}
template <std::int32_t ndim>
void of_rank(OfferRequest& offer) {
  offer.ndim = ndim;
}
// Axes of one element in front of the others: who has room for fewer axes shows one element, or nothing.
template <std::size_t rank>
void of_outer_rank(OfferRequest& offer) {
  offer.outer_ones = rank - offer.descriptor.layout.shape.size();
}
// Vectors, of the elements that were ordered again and again.
template <std::uint16_t lanes>
void of_lanes(OfferRequest& offer) {
  const std::vector<std::uint8_t> once = offer.contents;
  for (std::size_t lane = 1; lane < lanes; ++lane) {
    offer.contents.insert(offer.contents.end(), once.begin(), once.end());
  }
  offer.descriptor.layout.dtype.lanes = lanes;
}
template <std::int32_t device_type>
void on_device(OfferRequest& offer) {
  offer.descriptor.device = {device_type, 0};
}
template <std::uint64_t set>
void with_flags(OfferRequest& offer) {
  offer.descriptor.flags = set;
}
template <std::uintptr_t address>
void with_context(OfferRequest& offer) {
  offer.manager_ctx = address;
}
inline void with_context_memory(OfferRequest& offer) {
  offer.manager_ctx = reinterpret_cast<std::uintptr_t>(context_memory.data());
}
inline void of_unknown_dtype(OfferRequest& offer) { offer.dtype = abi::DataType{unknown_dtype_code, 32, 1}; }
inline void with_unknown_flags(OfferRequest& offer) {
  offer.descriptor.version = newer_minor;
  offer.descriptor.flags |= unknown_flags;
  if (is_subbyte(offer.descriptor.layout.dtype)) offer.descriptor.flags |= flags::subbyte_padded;
}

// Booleans of two bytes each, of the value that was ordered.
inline void of_wide_booleans(OfferRequest& offer) {
  std::vector<std::uint8_t> wide;
  for (const std::uint8_t value : offer.contents) wide.insert(wide.end(), {value, std::uint8_t{0}});
  offer.contents = std::move(wide);
  offer.descriptor.layout.dtype = {kDLUInt, 16, 1};
  offer.dtype = abi::DataType{kDLBool, 16, 1};
}

inline void before_a_fence(OfferRequest& offer) { offer.placement = Placement::end; }
inline void one_byte_misaligned(OfferRequest& offer) { offer.misaligned = 1; }
inline void with_byte_offset(OfferRequest& offer) { offer.descriptor.layout.byte_offset = 64; }
inline void without_strides_beyond_an_offset(OfferRequest& offer) {
  without_strides_in_1_0(offer);
  with_byte_offset(offer);
}
inline void with_odd_byte_offset(OfferRequest& offer) { offer.descriptor.layout.byte_offset = 1; }
inline void without_deleter(OfferRequest& offer) { offer.null_deleter = true; }
inline void of_unknown_dtype_without_deleter(OfferRequest& offer) {
  of_unknown_dtype(offer);
  without_deleter(offer);
}
inline void of_major_two_without_deleter(OfferRequest& offer) {
  of_version<2, 0>(offer);
  without_deleter(offer);
}
inline void with_far_strides(OfferRequest& offer) {
  Layout& layout = offer.descriptor.layout;
  for (std::size_t axis = 0; axis < layout.shape.size() && layout.strides; ++axis) {
    if (layout.shape[axis] == 1) (*layout.strides)[axis] = std::int64_t{1} << 62;
  }
}
inline void with_strides_nowhere(OfferRequest& offer) { offer.strides_nowhere = true; }
inline void among_other_versions(OfferRequest& offer) { offer.surroundings = 7; }

}  // namespace dlspec::conformance::alterations
