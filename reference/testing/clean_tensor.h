// Random conforming tensors, generated fast enough to validate 10^9 of them: a finding for one of them is a false
// positive of the validator.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include <dlspec/vocabulary/abi.h>
#include <dlspec/vocabulary/device.h>
#include <dlspec/vocabulary/exported.h>
#include <dlspec/vocabulary/finding.h>
#include <dlspec/vocabulary/layout.h>
#include <dlspec/vocabulary/origin.h>

namespace dlspec::testing {

// Numbers from a seed, the same on every machine.
class Random {
 public:
  explicit Random(std::uint64_t seed, std::uint64_t stream = 0) : state_(seed * 0x9E3779B97F4A7C15u + stream) {
    next();
  }

  std::uint64_t next() {
    state_ += 0x9E3779B97F4A7C15u;
    std::uint64_t z = state_;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
  }
  // 0 to limit - 1; limit is not 0.
  std::uint64_t below(std::uint64_t limit) { return next() % limit; }
  bool one_in(std::uint64_t chances) { return below(chances) == 0; }
  template <class Table>
  auto element(const Table& table) {
    return std::data(table)[below(std::size(table))];
  }

 private:
  std::uint64_t state_;
};

// Corners that a conforming tensor may stand in. DLSPEC_CORNER(name, what it is)
#define DLSPEC_CORNERS(DLSPEC_CORNER)                                                           \
  DLSPEC_CORNER(bare, "bare DLTensor")                                                          \
  DLSPEC_CORNER(legacy, "legacy struct")                                                        \
  DLSPEC_CORNER(version_1_0, "version 1.0")                                                     \
  DLSPEC_CORNER(version_1_1, "version 1.1")                                                     \
  DLSPEC_CORNER(version_1_2, "version 1.2")                                                     \
  DLSPEC_CORNER(version_1_3, "version 1.3")                                                     \
  DLSPEC_CORNER(unknown_minor, "minor version that is newer than this dlspec")                  \
  DLSPEC_CORNER(greatest_minor, "minor version 2^32-1")                                         \
  DLSPEC_CORNER(unknown_flags, "unknown flag bits under a newer minor")                         \
  DLSPEC_CORNER(unknown_dtype, "unknown dtype code under a newer minor")                        \
  DLSPEC_CORNER(unreleased_dtype, "dtype code that stands in no release")                       \
  DLSPEC_CORNER(unknown_device, "unknown device type under a newer minor")                      \
  DLSPEC_CORNER(unreleased_device, "device type that stands in no release")                     \
  DLSPEC_CORNER(read_only, "READ_ONLY")                                                         \
  DLSPEC_CORNER(copied, "IS_COPIED")                                                            \
  DLSPEC_CORNER(padded, "sub-byte elements padded to bytes")                                    \
  DLSPEC_CORNER(packed, "sub-byte elements packed")                                             \
  DLSPEC_CORNER(padded_in_vain, "padded flag on whole bytes")                                   \
  DLSPEC_CORNER(vector, "more than one lane")                                                   \
  DLSPEC_CORNER(most_lanes, "65535 lanes")                                                      \
  DLSPEC_CORNER(scalar_without_shape, "rank 0, shape NULL")                                     \
  DLSPEC_CORNER(scalar_with_stray_pointers, "rank 0, shape and strides that nobody may follow") \
  DLSPEC_CORNER(empty, "no elements")                                                           \
  DLSPEC_CORNER(empty_but_huge, "no elements, other extents whose product overflows")           \
  DLSPEC_CORNER(all_ones, "rank above 0 with extents 1 only")                                   \
  DLSPEC_CORNER(most_bytes, "2^63-1 bytes")                                                     \
  DLSPEC_CORNER(null_strides, "strides NULL where they may be")                                 \
  DLSPEC_CORNER(negative_stride, "negative stride")                                             \
  DLSPEC_CORNER(zero_stride, "stride 0")                                                        \
  DLSPEC_CORNER(overlapping, "more elements than places")                                       \
  DLSPEC_CORNER(stray_stride, "extreme stride of an axis with extent 1")                        \
  DLSPEC_CORNER(widest_span, "elements that span 2^63-1 bytes")                                 \
  DLSPEC_CORNER(first_page, "lowest element right behind the first page")                       \
  DLSPEC_CORNER(last_byte, "highest element at the end of the address space")                   \
  DLSPEC_CORNER(unaligned, "data that is no multiple of 256")                                   \
  DLSPEC_CORNER(huge_offset, "byte_offset of 2^63 or more")                                     \
  DLSPEC_CORNER(handle, "data that is a handle")                                                \
  DLSPEC_CORNER(zero_handle, "a handle that is 0")                                              \
  DLSPEC_CORNER(null_deleter, "deleter NULL")                                                   \
  DLSPEC_CORNER(origin, "a known source")                                                       \
  DLSPEC_CORNER(exact_allocation, "a known allocation that the elements fill")                  \
  DLSPEC_CORNER(fp4_pair, "float4 counted in pairs")

enum class Corner : std::uint8_t {
#define DLSPEC_CORNER(name, text) name,
  DLSPEC_CORNERS(DLSPEC_CORNER)
#undef DLSPEC_CORNER
};
#define DLSPEC_CORNER(name, text) +1
inline constexpr std::size_t corner_count = 0 DLSPEC_CORNERS(DLSPEC_CORNER);
#undef DLSPEC_CORNER

// One tensor at a time; make() replaces it by the next. It violates only rules whose status is info: notes() are the
// rules that a validator must report, and it may report no other.
//
//   CleanTensor tensor;
//   tensor.make(seed, 17);  // the 17th tensor of that seed, always the same
//   validate(tensor.exported(), tensor.origin());
class CleanTensor {
 public:
  static constexpr std::size_t most_axes = 64;

  CleanTensor() = default;
  CleanTensor(const CleanTensor&) = delete;
  CleanTensor& operator=(const CleanTensor&) = delete;

  void make(std::uint64_t seed, std::uint64_t index);

  // Valid until the next make().
  [[nodiscard]] Exported exported() const;
  // A truthful origin; NULL for most tensors.
  [[nodiscard]] const Origin* origin() const { return has_origin_ ? &origin_ : nullptr; }
  [[nodiscard]] std::span<const RuleId> notes() const { return {notes_.data(), note_count_}; }
  [[nodiscard]] bool in(Corner corner) const { return (corners_ >> static_cast<unsigned>(corner) & 1) != 0; }

  // The fields, of any generation, for tests that change them.
  [[nodiscard]] abi::v1::ManagedTensor& managed() { return managed_; }
  [[nodiscard]] const abi::Tensor& tensor() const { return managed_.dl_tensor; }
  [[nodiscard]] Generation generation() const { return generation_; }

  // The findings are exactly the notes.
  [[nodiscard]] bool is_noted_only(const Findings& findings) const;

 private:
  struct Bytes;
  enum class Spread : std::uint8_t { gaps, repeating, anything };
  void choose_version(Random& random);
  void choose_dtype(Random& random);
  void choose_flags(Random& random);
  void choose_device(Random& random);
  void choose_shape(Random& random);
  void choose_strides(Random& random);
  void choose_compact(bool row_major);
  void choose_spread(Random& random, Spread spread);
  void place(Random& random);
  void place_at_address(Random& random, const Bytes& bytes);
  void place_in_buffer(Random& random, const Bytes& bytes);
  void choose_origin(Random& random);

  void reach(Corner corner) { corners_ |= std::uint64_t{1} << static_cast<unsigned>(corner); }
  void note(RuleId rule) { notes_[note_count_++] = rule; }
  [[nodiscard]] bool versioned() const { return generation_ == Generation::versioned; }
  [[nodiscard]] bool newer() const { return versioned() && managed_.version.minor > abi::newest_version.minor; }
  [[nodiscard]] bool padded() const;
  [[nodiscard]] std::uint32_t bits_per_element() const;
  // The maximum of elements, and of positions from the lowest to the highest element, in 2^63-1 bytes.
  [[nodiscard]] std::int64_t most_elements() const;
  [[nodiscard]] std::size_t rank() const { return static_cast<std::size_t>(managed_.dl_tensor.ndim); }
  [[nodiscard]] std::span<const std::int64_t> shape() const { return {shape_.data(), rank()}; }

  Generation generation_ = Generation::versioned;
  abi::v1::ManagedTensor managed_{};
  abi::v0::ManagedTensor legacy_{};
  std::array<std::int64_t, most_axes> shape_{};
  std::array<std::int64_t, most_axes> strides_{};
  std::array<RuleId, 8> notes_{};
  std::size_t note_count_ = 0;
  std::uint64_t corners_ = 0;
  bool empty_ = false;
  bool has_origin_ = false;
  std::uintptr_t lowest_ = 0, end_ = 0;  // of the elements, where they have addresses; end_ 0: the very top
  Layout layout_;
  Origin origin_;
};

// How often each corner, rank, dtype and device was generated.
class Census {
 public:
  Census();
  void add(const CleanTensor& tensor);
  void add(const Census& other);
  [[nodiscard]] std::uint64_t tensors() const { return tensors_; }
  // What no tensor had, a line each. Empty after some hundred thousand tensors.
  [[nodiscard]] std::vector<std::string> missing() const;
  // The corners with their counts, a line each.
  [[nodiscard]] std::vector<std::string> lines() const;

 private:
  std::uint64_t tensors_ = 0;
  std::array<std::uint64_t, corner_count> corners_{};
  std::array<std::uint64_t, CleanTensor::most_axes + 1> ranks_{};
  std::array<std::array<std::uint64_t, 256>, 256> dtypes_{};  // [code][bits]
  std::array<std::uint64_t, std::size(device_table)> devices_{};
};

}  // namespace dlspec::testing
