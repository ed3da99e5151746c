// NEON: 16-byte vectors. It has no non-temporal store of one vector.
#pragma once

#include "one_lane.h"

namespace dlspec::optimized {
namespace {

struct Neon : OneLane {
  [[gnu::always_inline]] static void stream(std::byte* to, const Lane& vector) { store(to, vector); }
};

}  // namespace
}  // namespace dlspec::optimized
