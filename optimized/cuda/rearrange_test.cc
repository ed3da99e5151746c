#include <dlspec/optimized/cuda/rearrange.h>

#include <gtest/gtest.h>

#include <array>
#include <utility>

#include <dlspec/optimized/cuda/library.h>
#include <dlspec/optimized/cuda/schedule/schedule.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::optimized::cuda {
namespace {

constexpr std::array<std::int64_t, 2> shape{40, 30}, to{30, 1}, from{1, 40}, none{0, 30};
constexpr abi::DataType float32{kDLFloat, 32, 1};

Rearrangement transpose() {
  Rearrangement copy;
  EXPECT_EQ(make_plan({float32, shape, to.data()}, {float32, shape, from.data()}, copy), Status::ok);
  return copy;
}

TEST(EmulatorEntryPoints, PlansForWhatTheAddressesAllow) {
  const Rearrangement copy = transpose();
  CudaPlan other;
  const CudaPlan* plan = nullptr;
  ASSERT_EQ(select_plan(copy, 1 << 20, 1 << 16, other, plan), Status::ok);
  EXPECT_EQ(plan, &copy.plan);
  ASSERT_EQ(select_plan(copy, (1 << 20) + 4, (1 << 16) + 8, other, plan), Status::ok);
  EXPECT_TRUE(plan == &other || plan->width == 4);
  EXPECT_EQ(plan->width, 4);
  ASSERT_EQ(select_plan(copy, (1 << 20) + 2, 1 << 16, other, plan), Status::ok);
  EXPECT_EQ(plan, &other);
  EXPECT_EQ(other.width, 2);
  ASSERT_EQ(select_plan(copy, 1 << 20, (1 << 16) + 3, other, plan), Status::ok);
  EXPECT_EQ(other.width, 1);
}

TEST(EmulatorEntryPoints, RefusalsComeBeforeTheLibrary) {
  const Rearrangement copy = transpose();
  std::array<float, 1200> memory{};
  const auto refused = [](const Outcome& outcome, Status status) {
    return outcome.launch == Launch::refused && outcome.status == status;
  };
  EXPECT_TRUE(refused(execute(copy, nullptr, memory.data(), nullptr), Status::null_pointer));
  EXPECT_TRUE(refused(execute(copy, memory.data(), nullptr, nullptr), Status::null_pointer));
  EXPECT_TRUE(refused(execute(copy, memory.data(), memory.data() + 1, nullptr), Status::operands_overlap));
  EXPECT_TRUE(refused(execute(copy, reinterpret_cast<void*>(~std::uintptr_t{100}), memory.data(), nullptr),
                      Status::size_overflow));
}

// A library whose launches are noted down, and whose memory is pinned from `pinned_from` on.
struct Noted {
  void* to = nullptr;
  const void* from = nullptr;
  void* stream = nullptr;
  int launches = 0;
  Answer answer = answer_ok;
  const void* pinned_from = nullptr;
};
Noted noted;
constexpr LibraryTable noting{
    .version = table_version,
    .plan_bytes = sizeof(CudaPlan),
    .count_devices = nullptr,
    .set_device = nullptr,
    .synchronize = nullptr,
    .allocate = nullptr,
    .release = nullptr,
    .copy = nullptr,
    .enqueue_copy = nullptr,
    .launch =
        [](const CudaPlan*, void* to_run, const void* from_run, void* stream) {
          noted.to = to_run;
          noted.from = from_run;
          noted.stream = stream;
          ++noted.launches;
          return noted.answer;
        },
    .memory_of =
        [](const void* pointer, MemoryKind* kind) {
          *kind = pointer < noted.pinned_from ? MemoryKind::pageable : MemoryKind::pinned;
          return answer_ok;
        },
};

TEST(EmulatorEntryPoints, StreamAndAddressesReachTheLibrary) {
  Rearrangement copy;
  constexpr std::array<std::int64_t, 2> backwards{-1, -40};
  ASSERT_EQ(make_plan({float32, shape, to.data()}, {float32, shape, backwards.data()}, copy), Status::ok);
  std::array<float, 2400> memory{};
  float* const source = memory.data() + 2399;
  noted = {};
  int stream = 0;
  EXPECT_EQ(execute_with(&noting, copy, memory.data(), source, &stream).launch, Launch::ok);
  EXPECT_EQ(noted.stream, &stream);
  EXPECT_EQ(noted.to, memory.data());
  EXPECT_EQ(noted.from, source + copy.geometry.from_start / 4);
  for (const auto& [answer, launch] : {std::pair{answer_no_device, Launch::no_device},
                                       {answer_wrong_architecture, Launch::wrong_architecture},
                                       {answer_bad_plan, Launch::failed},
                                       {answer_failed, Launch::failed}}) {
    noted.answer = answer;
    EXPECT_EQ(execute_with(&noting, copy, memory.data(), source, nullptr).launch, launch);
  }
  EXPECT_EQ(noted.launches, 5);
  // Either operand in pageable memory.
  noted.pinned_from = memory.data() + 1;
  EXPECT_EQ(execute_with(&noting, copy, memory.data(), source, nullptr).launch, Launch::not_device_memory);
  EXPECT_EQ(execute_with(&noting, transpose(), memory.data() + 1200, memory.data(), nullptr).launch,
            Launch::not_device_memory);
  EXPECT_EQ(noted.launches, 5);
  EXPECT_EQ(execute_with(nullptr, copy, memory.data(), source, nullptr).launch, Launch::no_library);
}

// What this machine has decides which refusal it is; host memory is never copied.
TEST(EmulatorEntryPoints, HostMemoryIsNotCopied) {
  const Rearrangement copy = transpose();
  std::array<float, 1200> destination{}, source{};
  source.fill(1);
  const Outcome outcome = execute(copy, destination.data(), source.data(), nullptr);
  if (library() == nullptr) {
    EXPECT_EQ(outcome.launch, Launch::no_library);
  } else {
    EXPECT_TRUE(outcome.launch == Launch::no_device || outcome.launch == Launch::not_device_memory);
  }
  EXPECT_EQ(destination[0], 0);
  EXPECT_EQ(destination[1199], 0);
}

TEST(EmulatorEntryPoints, NothingToDoNeedsNoPlan) {
  Rearrangement copy;
  ASSERT_EQ(make_plan({float32, none, to.data()}, {float32, none, from.data()}, copy), Status::ok);
  EXPECT_EQ(copy.plan.layout_class, Class::empty);
  CudaPlan other;
  const CudaPlan* plan = &other;
  EXPECT_EQ(select_plan(copy, 0, 0, other, plan), Status::ok);
  EXPECT_EQ(plan, nullptr);
  // A view onto itself.
  ASSERT_EQ(make_plan({float32, shape, to.data()}, {float32, shape, to.data()}, copy), Status::ok);
  plan = &other;
  EXPECT_EQ(select_plan(copy, 4096, 4096, other, plan), Status::ok);
  EXPECT_EQ(plan, nullptr);
}

TEST(EmulatorEntryPoints, PlansThatNoGpuLaunchesAreRefused) {
  const CudaPlan good = transpose().plan;
  EXPECT_TRUE(is_launchable(good));
  const auto refused = [&](auto change) {
    CudaPlan plan = good;
    change(plan);
    return !is_launchable(plan);
  };
  EXPECT_TRUE(refused([](CudaPlan& plan) { plan.threads = 0; }));
  EXPECT_TRUE(refused([](CudaPlan& plan) { plan.threads = 33; }));
  EXPECT_TRUE(refused([](CudaPlan& plan) { plan.threads = 288; }));
  EXPECT_TRUE(refused([](CudaPlan& plan) { plan.blocks = 0; }));
  EXPECT_TRUE(refused([](CudaPlan& plan) { plan.blocks = std::int64_t{1} << 31; }));
  EXPECT_TRUE(refused([](CudaPlan& plan) { plan.shared_bytes = 48 * 1024 + 1; }));
  EXPECT_TRUE(refused([](CudaPlan& plan) { plan.kernel = Kernel::none; }));
  EXPECT_FALSE(refused([](CudaPlan& plan) {
    plan.wide = 1;
    plan.blocks = std::int64_t{1} << 31;
  }));
}

}  // namespace
}  // namespace dlspec::optimized::cuda
