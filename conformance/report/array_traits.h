// What arrays may have in common, in words: kinds of dtypes and of layouts.
#pragma once

#include <span>

#include <dlspec/conformance/report/circumstances.h>

namespace dlspec::conformance {

struct ArrayTrait {
  const char* text;  // "negative strides"
  bool (*holds)(const Circumstances& one);
};

// The most telling first: where two traits have the same arrays, the first is reported.
[[nodiscard]] std::span<const ArrayTrait> array_traits();

}  // namespace dlspec::conformance
