// Tensors that no producer may make, as consumers are offered them: hostile_structs.def.
#pragma once

#include <span>
#include <string_view>

#include <dlspec/vocabulary/abi.h>

namespace dlspec::conformance {

struct HostileStruct {
  const char* name;             // "null-data", of the variant "hostile=null-data"
  bool shows_elements;          // whoever takes it can show the ordered elements
  const char* says;             // completes "a tensor with"
  void (*spoil)(abi::Tensor&);  // of a sound tensor of two extents, with strides
};

// All rows, in the order of hostile_structs.def.
[[nodiscard]] std::span<const HostileStruct> hostile_structs();
// NULL when there is no such row.
[[nodiscard]] const HostileStruct* find_hostile_struct(std::string_view name);

}  // namespace dlspec::conformance
