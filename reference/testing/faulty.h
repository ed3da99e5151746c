// The table of faulty structs (faulty.def): for every rule that the bytes of a struct can violate, each way to violate
// it, as one changed field of a conforming tensor. Tests, zoo and fuzzers share it.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <dlspec/reference/testing/specimen.h>
#include <dlspec/vocabulary/exported.h>
#include <dlspec/vocabulary/finding.h>
#include <dlspec/vocabulary/layout.h>
#include <dlspec/vocabulary/origin.h>

namespace dlspec::testing {

// What a row changes, and what its value means.
enum class Field : std::uint8_t {
  object,         // the pointer to the struct: NULL for 0, else moved by this number of bytes
  version_major,  // versioned structs only, as version_minor and flags
  version_minor,
  deleter,  // NULL; the value is 0
  flags,
  device_type,
  device_id,
  dtype_code,
  dtype_bits,
  dtype_lanes,
  ndim,         // up to 65: shape and strides, of the twin too, have this number of elements
  shape,        // the pointer: NULL for 0, else moved by this number of bytes
  extent,       // shape[axis]
  strides,      // the pointer, as shape
  stride,       // strides[axis]
  data,         // the address
  data_shift,   // bytes to add to the address
  byte_offset,  // modulo 2^64
};

// Which parts of the Origin a row gives; their values are those of the twin.
struct Truth {
  bool layout = false;      // dtype, shape and strides
  bool allocation = false;  // exactly the bytes that the twin's elements take
  Known read_only = Known::unknown;
  Known copied = Known::unknown;
  bool padded = false;
};

struct FaultyRow {
  RuleId rule;
  std::uint8_t variant;  // of finding.def
  const char* way;       // how the rule is violated; unique within the rule, permanent as the rule's id
  const char* base;      // the twin, in the one-line text form; conforming, with memory of its own
  Field field;
  std::int64_t value;
  std::uint8_t axis = 0;
  Truth truth = {};
};

// In rule order; every row of finding.def is reached.
[[nodiscard]] std::span<const FaultyRow> faulty_table();

// "tensor.strides-not-null/v1.2", unique in the table.
[[nodiscard]] std::string row_name(const FaultyRow& row);

// "float32 (3):(1) @cpu v1.2, but strides = 0".
[[nodiscard]] std::string row_text(const FaultyRow& row);

struct Pair;

// A row or its twin in memory. Owns all of it; pointers into it stay valid when the Exhibit is moved, and dangle after
// its destruction.
//
//   Exhibit exhibit = build(row);
//   validate(exhibit.exported(), exhibit.origin());
class Exhibit {
 public:
  // Bytes of zeros before and after the elements of the twin, for subjects that follow a fault a few elements beyond
  // them.
  static constexpr std::size_t slack = 4096;

  [[nodiscard]] Exported exported() const { return {specimen_.generation(), object_}; }
  // NULL where the row gives no part of it.
  [[nodiscard]] const Origin* origin() const { return origin_.get(); }
  // The owner of the memory. Its struct has the changed field, except for Field::object.
  [[nodiscard]] Specimen& specimen() { return specimen_; }

 private:
  friend Exhibit build_twin(const FaultyRow& row);
  friend Exhibit build(const FaultyRow& row);
  friend std::optional<Pair> build_pair(const FaultyRow& first, const FaultyRow& second, const char* base);
  Exhibit(const Descriptor& descriptor, const FaultyRow& row);
  void make_room(std::size_t rank);
  void set_origin(const Descriptor& descriptor, const Truth& truth);
  void move_object(std::int64_t bytes);

  Specimen specimen_;
  const void* object_;
  std::vector<std::uint64_t> moved_object_;
  std::unique_ptr<const Layout> source_;
  std::unique_ptr<Origin> origin_;
};

// The faulty struct: its set of findings is exactly {rule, variant}.
[[nodiscard]] Exhibit build(const FaultyRow& row);
// The same without the change: no finding.
[[nodiscard]] Exhibit build_twin(const FaultyRow& row);

// Two faults in one struct, on the base of one of them. No value when they cannot be combined: they change the same
// member, or one of them needs an axis, strides or a generation that this base does not have. The origin has the parts
// that either row gives.
struct Pair {
  Exhibit both;
  Exhibit first;   // the first fault alone, on this base
  Exhibit second;  // the second fault alone
};
[[nodiscard]] std::optional<Pair> build_pair(const FaultyRow& first, const FaultyRow& second, const char* base);

// Changes one field of any specimen, as build does; Field::object is not for this.
void alter(Specimen& specimen, Field field, std::int64_t value, std::size_t axis = 0);

}  // namespace dlspec::testing
