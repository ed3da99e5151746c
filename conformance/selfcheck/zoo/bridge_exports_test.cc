// Bridges whose exports are unusual, right or wrong, or that write what they refuse.
#include <cstdint>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <dlspec/conformance/selfcheck/zoo/bridge_outcomes.h>
#include <dlspec/conformance/worker/native/builtin_bridge.h>
#include <dlspec/vocabulary/abi.h>

namespace dlspec::conformance {
namespace {

using Kind = Outcome::Kind;

// A bridge whose versioned exports are altered by a function.
template <void (*alter)(abi::v1::ManagedTensor& managed)>
DlspecBridge exporting() {
  DlspecBridge bridge = builtin_bridge;
  bridge.to_dlpack = [](const void* descriptor, void* data, int generation, void** exported, DlspecRefusal* refusal) {
    const int code = builtin_bridge.to_dlpack(descriptor, data, generation, exported, refusal);
    if (code == DLSPEC_OK && generation == DLSPEC_VERSIONED) alter(*static_cast<abi::v1::ManagedTensor*>(*exported));
    return code;
  };
  return bridge;
}

void lose_shape(abi::v1::ManagedTensor& managed) { managed.dl_tensor.shape = nullptr; }
void claim_axes(abi::v1::ManagedTensor& managed) { managed.dl_tensor.ndim = 1 << 30; }

TEST(Bridges, AreNotFollowedWhereTheyLeadNowhere) {
  const std::string matrix = "bridge.strides-null-expanded in bridge/float32/c/strides-null";
  EXPECT_EQ(judge_all(exporting<lose_shape>()).at(matrix).observed, "exported as float32 ():()");
  EXPECT_EQ(judge_all(exporting<claim_axes>()).at(matrix).observed, "exported as float32 ():()");
}

void leave_strides_out(abi::v1::ManagedTensor& managed) {
  managed.version = {1, 2};
  managed.dl_tensor.strides = nullptr;
}

TEST(Bridges, MayNotLeaveStridesOutFromTheVersionOn) {
  const std::string matrix = "bridge.strides-null-expanded in bridge/float32/c/strides-null";
  EXPECT_EQ(judge_all(exporting<leave_strides_out>()).at(matrix).observed, "strides are NULL");
}

void move_idle_strides(abi::v1::ManagedTensor& managed) {
  const abi::Tensor& tensor = managed.dl_tensor;
  for (std::int32_t axis = 0; axis < tensor.ndim; ++axis) {
    if (tensor.shape[axis] == 1) tensor.strides[axis] = 12345;
  }
}

TEST(Bridges, MayGiveAxesOfOneElementAnyStride) {
  EXPECT_EQ(list(judge_all(exporting<move_idle_strides>()), Kind::violated), "");
}

int made, released;
void (*own_deleter)(abi::v1::ManagedTensor*);

void count_releases(abi::v1::ManagedTensor& managed) {
  ++made;
  own_deleter = managed.deleter;
  managed.deleter = [](abi::v1::ManagedTensor* self) {
    ++released;
    own_deleter(self);
  };
}
void need_no_release(abi::v1::ManagedTensor& managed) {
  static std::vector<abi::v1::ManagedTensor*> kept;  // so that a leak checker finds them
  kept.push_back(&managed);
  managed.deleter = nullptr;
}

TEST(Bridges, ReleaseWhatTheyExport) {
  made = released = 0;
  EXPECT_EQ(list(judge_all(exporting<count_releases>()), Kind::violated), "");
  EXPECT_GT(made, 10);
  EXPECT_EQ(released, made);
  EXPECT_EQ(list(judge_all(exporting<need_no_release>()), Kind::violated), "");
}

// A library that casts: 2^63 becomes -2^63.
int describe_cast(const DlspecDescription* description, void** descriptor, DlspecRefusal* refusal) {
  static constexpr std::size_t stand_in = 7;
  DlspecDescription altered = *description;
  if (altered.ndim == 1 && altered.shape[0] == std::size_t{1} << 63) altered.shape = &stand_in;
  return builtin_bridge.describe(&altered, descriptor, refusal);
}
void cast_back(abi::v1::ManagedTensor& managed) {
  if (managed.dl_tensor.ndim == 1 && managed.dl_tensor.shape[0] == 7) managed.dl_tensor.shape[0] = INT64_MIN;
}

TEST(Bridges, ThatCastExtentsAreFound) {
  DlspecBridge bridge = exporting<cast_back>();
  bridge.describe = describe_cast;
  EXPECT_EQ(judge_all(bridge).at("bridge.size_t-range in bridge/int8/c/sizes").observed,
            "extents (9223372036854775808) and strides (0) are exported as int8 (-9223372036854775808):(0)");
}

int write_then_refuse(const void* to, void* to_data, const void* from, const void* from_data, DlspecRefusal* refusal) {
  const int code = builtin_bridge.rearrange(to, to_data, from, from_data, refusal);
  return to_data != nullptr ? DLSPEC_UNSUPPORTED : code;
}

TEST(Bridges, MayNotWriteWhatTheyRefuse) {
  DlspecBridge bridge = builtin_bridge;
  bridge.rearrange = write_then_refuse;
  const auto outcomes = judge_all(bridge);
  for (const char* name : {"bridge.rearrange-src-any in bridge/float32/c/source",
                           "bridge.rearrange-untouched-gaps in bridge/float32/strided/gaps"}) {
    EXPECT_EQ(outcomes.at(name).observed, "refused, and the destination was written to") << name;
  }
}

}  // namespace
}  // namespace dlspec::conformance
