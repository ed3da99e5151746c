// What arrays may have in common, in words: kinds of dtypes and of layouts.
#pragma once

#include <span>

#include <dlspec/conformance/report/circumstances.h>

namespace dlspec::conformance {

struct ArrayTrait {
  const char* text;  // "negative strides"
  bool (*holds)(const Circumstances& one);
};

// Of two traits with the same arrays the first is the more telling.
[[nodiscard]] std::span<const ArrayTrait> array_traits();

}  // namespace dlspec::conformance
