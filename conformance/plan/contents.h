// The elements of an ordered array: fixed by dtype and seed, and such that a library which copies
// may not alter them: floats finite, normal and distinct, bool 0 or 1, integers distinct as far as
// their width goes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <dlspec/conformance/core/case.h>

namespace dlspec::conformance {

// Every dtype that the plan uses, by name; the first 15 are used with all layouts.
[[nodiscard]] const std::vector<const char*>& full_dtypes();
[[nodiscard]] const std::vector<const char*>& narrow_dtypes();  // with the layout `c` only
[[nodiscard]] const std::vector<const char*>& seldom_dtypes();  // where a variant names them

// `count` elements one after the other, native byte order, elements narrower than a byte packed from
// the lowest bit up (DLPack 1.1). Empty for a dtype that the plan does not use.
[[nodiscard]] std::string memory_contents(std::string_view dtype, std::int64_t count, std::uint64_t seed);

// The elements in C order of an array with this layout: where two indices name one place, they hold
// one value. Reads order.dtype, shape, strides and offset.
[[nodiscard]] std::string order_contents(const Order& order, std::uint64_t seed);

}  // namespace dlspec::conformance
