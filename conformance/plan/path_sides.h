// The four plans that paths have, for the tests that go through all of them.
#pragma once

#include <dlspec/conformance/core/case.h>

namespace dlspec::conformance {

struct PathSide {
  bool native;
  Role role;
};

inline constexpr PathSide path_sides[] = {
    {false, Role::producer}, {false, Role::consumer}, {true, Role::producer}, {true, Role::consumer}};

}  // namespace dlspec::conformance
