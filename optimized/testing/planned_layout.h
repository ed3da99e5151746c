// What a layout is planned as on several processors, by the cost model alone.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <string>
#include <vector>

#include <dlspec/optimized/rearrange/engines/engine.h>
#include <dlspec/optimized/rearrange/engines/machine.h>
#include <dlspec/optimized/rearrange/rearrange.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::optimized::testing {

using Numbers = std::vector<std::int64_t>;

inline constexpr Machine machines[] = {{.l1 = 32 << 10, .l2 = 1 << 20, .l3 = 32 << 20},
                                       {.l1 = 32 << 10, .l2 = 1 << 20, .l3 = 32 << 20, .core = Core::zen4},
                                       {.l1 = 48 << 10, .l2 = 2 << 20, .l3 = 480 << 20, .core = Core::granite_rapids},
                                       {.l1 = 64 << 10, .l2 = 512 << 10, .l3 = 8 << 20},
                                       {.l1 = 48 << 10, .l2 = 1 << 20, .l3 = 16 << 20, .core = Core::zen5}};

struct Layout {
  std::uint8_t size;
  Numbers shape, to, from;

  [[nodiscard]] std::string text() const {
    std::string result = std::to_string(size) + " bytes";
    for (const Numbers* numbers : {&shape, &to, &from}) {
      result += " (";
      for (const std::int64_t number : *numbers) result += std::to_string(number) + " ";
      result += ')';
    }
    return result;
  }
};

inline Status make_plan(const Layout& layout, const PlanOptions& options, Plan& plan) {
  const abi::DataType dtype{kDLUInt, 8, layout.size};
  return optimized::make_plan({dtype, layout.shape, layout.to.data()}, {dtype, layout.shape, layout.from.data()}, plan,
                              options);
}

// -1 if none of the methods applies.
inline double cycles_of(const Layout& layout, const Engine& engine, const Machine& machine,
                        Methods methods = all_methods) {
  Plan plan;
  const Status status =
      make_plan(layout, {.engine = &engine, .threads = 1, .methods = methods, .machine = &machine}, plan);
  return status == Status::ok && (methods_of(plan.method) & methods) != 0 ? plan.cycles : -1;
}

inline Plan plan_of(const Layout& layout, const Engine& engine, const Machine& machine) {
  Plan plan;
  EXPECT_EQ(make_plan(layout, {.engine = &engine, .threads = 1, .machine = &machine}, plan), Status::ok);
  return plan;
}

}  // namespace dlspec::optimized::testing
