// Element values of the arrays of a plan, determined by dtype and seed. A correct copy preserves them bit for bit.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include <dlspec/conformance/core/case.h>

namespace dlspec::conformance {

using PlanNames = std::vector<const char*>;  // names of dtypes or layouts

// The dtypes of the plan, by name. full_dtypes() holds 15 and is used with all layouts.
[[nodiscard]] const PlanNames& full_dtypes();
[[nodiscard]] const PlanNames& narrow_dtypes();  // with the layout `c` only
[[nodiscard]] const PlanNames& rare_dtypes();    // only in variants that name them
[[nodiscard]] const PlanNames& packed_dtypes();  // those of them that are narrower than a byte

// ordinary: floats are finite, normal and distinct, bool is 0 or 1, integers are distinct as far as their width allows.
// extreme: both zeros, subnormal numbers, infinities, quiet NaNs with a payload, and the ends of each range; bool is 0
// or 1.
enum class Values : std::uint8_t { ordinary, extreme };

// `count` contiguous elements in native byte order; elements narrower than a byte are packed from the lowest bit up
// (DLPack 1.1). Empty for a dtype that the plan does not use.
[[nodiscard]] std::string memory_contents(std::string_view dtype, std::int64_t count, std::uint64_t seed,
                                          Values values = Values::ordinary);

// The elements of the array in C order. Indices that share memory hold the same value. Reads order.dtype, shape,
// strides and offset.
[[nodiscard]] std::string order_contents(const Order& order, std::uint64_t seed, Values values = Values::ordinary);

}  // namespace dlspec::conformance
