// What faults and what does not, and what is said of it. Deaths happen in processes of their own.
#include <dlspec/conformance/oracle/fence.h>

#include <gtest/gtest.h>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>
#include <numeric>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include <dlspec/conformance/oracle/fault_report.h>
#include <dlspec/conformance/oracle/offer.h>
#include <dlspec/conformance/worker/protocol/fault.h>
#include <dlspec/reference/descriptor/text.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::conformance {
namespace {

struct End {
  int signal = 0;  // 0: it lived
  std::string said;
};

// Runs `act` in a child whose faults go into a pipe.
End end_of(const std::function<void()>& act) {
  int pipe_ends[2];
  if (pipe(pipe_ends) != 0) return {};
  const pid_t child = fork();
  if (child == 0) {
    const int quiet = open("/dev/null", O_WRONLY);
    dup2(quiet, STDERR_FILENO);
    report_faults_to(pipe_ends[1]);
    arm_fault_report();
    act();
    _exit(0);
  }
  close(pipe_ends[1]);
  End end;
  char bytes[512];
  for (ssize_t count = 0; (count = read(pipe_ends[0], bytes, sizeof bytes)) > 0;)
    end.said.append(bytes, static_cast<std::size_t>(count));
  close(pipe_ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  end.signal = WIFSIGNALED(status) ? WTERMSIG(status) : 0;
  return end;
}

// In words, or what it did instead.
std::string fault_of(const std::function<void()>& act) {
  const End end = end_of(act);
  if (end.signal == 0) return "lived";
  const auto fault = parse_fault(end.said);
  return fault ? fault->text : "died without a word: " + end.said;
}

volatile std::uint8_t sink;
void touch(const void* place) { sink = *static_cast<const volatile std::uint8_t*>(place); }
void overwrite(const void* place) { *static_cast<volatile std::uint8_t*>(const_cast<void*>(place)) = 1; }

[[maybe_unused]] void throw_something() { throw std::runtime_error("no"); }

std::unique_ptr<Offer> offer(const char* text, Placement placement = Placement::aligned) {
  OfferRequest request;
  request.descriptor = std::get<Descriptor>(reference::parse_text(text));
  const Layout& layout = request.descriptor.layout;
  const auto count = std::accumulate(layout.shape.begin(), layout.shape.end(), std::int64_t{1}, std::multiplies<>());
  request.contents.resize(static_cast<std::size_t>(count) * element_bits(layout.dtype) / 8, 7);
  request.placement = placement;
  std::string problem;
  auto made = Offer::make(std::move(request), problem);
  EXPECT_NE(made, nullptr) << problem;
  return made;
}

const std::uint8_t* data_of(Exported exported) { return static_cast<const std::uint8_t*>(exported.tensor().data); }

void release(Exported exported) {
  auto* const managed = const_cast<abi::v1::ManagedTensor*>(&exported.versioned());
  managed->deleter(managed);
}

TEST(Fence, HoldsBytesBetweenGuards) {
  const auto fence = Fence::make(100, FencePart::shape);
  ASSERT_TRUE(fence->guarded());
  ASSERT_EQ(fence->bytes().size(), Fence::page);
  std::fill(fence->bytes().begin(), fence->bytes().end(), std::uint8_t{1});
  const FenceHit beyond = FenceHit::at(fence->bytes().data() + fence->bytes().size() + 2);
  EXPECT_TRUE(beyond.found);
  EXPECT_EQ(beyond.where, FenceHit::Where::beyond);
  EXPECT_EQ(beyond.distance, 3U);
  EXPECT_EQ(beyond.part, FencePart::shape);
  EXPECT_EQ(FenceHit::at(fence->bytes().data() - 1).where, FenceHit::Where::before);
  EXPECT_EQ(FenceHit::at(fence->bytes().data()).distance, 0U);
  EXPECT_FALSE(FenceHit::at(&beyond).found);
}

TEST(Fence, ServesFromTheHeapWhenThereIsNoRoom) {
  std::vector<std::unique_ptr<Fence>> all;
  for (std::size_t i = 0; i <= Fence::most; ++i) all.push_back(Fence::make(1, FencePart::data));
  EXPECT_FALSE(all.back()->guarded());
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(all.back()->bytes().data()) % Fence::page, 0U);
  all.back()->set(FenceState::closed);
  all.back()->bytes()[0] = 1;
  all.clear();
  EXPECT_TRUE(Fence::make(1, FencePart::data)->guarded()) << "what was released is used again";
}

TEST(Fence, ThoseOfAnotherSizeMakeRoom) {
  std::vector<std::unique_ptr<Fence>> all;
  for (std::size_t i = 0; i < Fence::most; ++i) all.push_back(Fence::make(2 * Fence::page, FencePart::data));
  all.clear();
  for (std::size_t i = 0; i < Fence::most / 16; ++i) {
    all.push_back(Fence::make(3 * Fence::page, FencePart::data));
    ASSERT_TRUE(all.back()->guarded()) << i << " of three pages, after those of two";
  }
}

TEST(Fence, OneByteBesideTheDataIsNamed) {
  const char* const small = "uint8 (3):(1) @cpu v1.3";
  const auto end = offer(small, Placement::end);
  const std::uint8_t* const data = data_of(end->share());
  EXPECT_EQ(fault_of([&] { touch(data + 2); }), "lived");
  EXPECT_EQ(fault_of([&] { touch(data + 3); }), "it read 1 byte beyond the data");
  EXPECT_EQ(fault_of([&] { overwrite(data + 4); }), "it wrote to 2 bytes beyond the data");
  const auto start = offer(small, Placement::start);
  const std::uint8_t* const first = data_of(start->share());
  EXPECT_EQ(fault_of([&] { touch(first - 1); }), "it read 1 byte before the data");
}

TEST(Fence, AWriteBehindTheBufferForContentsIsNamed) {
  const auto fence = Fence::make(10, FencePart::buffer);
  std::uint8_t* const end = fence->bytes().data() + fence->bytes().size();
  EXPECT_EQ(fault_of([&] { overwrite(end - 1); }), "lived");
  EXPECT_EQ(fault_of([&] { overwrite(end); }), "it wrote to 1 byte beyond the buffer for the contents");
}

TEST(Fence, AFullPageIsAlignedAndGuarded) {
  const auto full = offer("float32 (64):(1) @cpu v1.3");
  const std::uint8_t* const data = data_of(full->share());
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(data) % 256, 0U);
  EXPECT_EQ(fault_of([&] { touch(data + 256); }), "it read 1 byte beyond the data");
}

TEST(Fence, ElementsBeforeDataAreInside) {
  const auto negative = offer("uint8 (4):(-1)+3 @cpu v1.3", Placement::end);
  const std::uint8_t* const data = data_of(negative->share());
  EXPECT_EQ(fault_of([&] {
              touch(data);
              touch(data + 3);
            }),
            "lived");
  EXPECT_EQ(fault_of([&] { touch(data + 4); }), "it read 1 byte beyond the data");
}

TEST(Fence, ShapeAndStridesEndAtGuards) {
  const auto made = offer("uint8 (2,3):(3,1) @cpu v1.3");
  const Exported exported = made->share();
  EXPECT_EQ(fault_of([&] { touch(exported.tensor().shape + 2); }), "it read 1 byte beyond the shape");
  EXPECT_EQ(fault_of([&] { touch(exported.tensor().strides + 2); }), "it read 1 byte beyond the strides");
}

TEST(Fence, ReadOnlyDataCannotBeWritten) {
  const auto made = offer("uint8 (3):(1) @cpu v1.3 ro");
  const std::uint8_t* const data = data_of(made->share());
  EXPECT_EQ(fault_of([&] { touch(data); }), "lived");
  EXPECT_EQ(fault_of([&] { overwrite(data); }), "it wrote to data that is marked READ_ONLY");
  made->let_write();
  EXPECT_EQ(fault_of([&] { overwrite(data); }), "lived");
}

TEST(Fence, WhatWasReleasedFaultsWhereThatIsWanted) {
  const auto made = offer("uint8 (3):(1) @cpu v1.3");
  made->close_on_release();
  const Exported exported = made->share();
  const abi::Tensor tensor = exported.tensor();
  release(exported);
  EXPECT_EQ(fault_of([&] { touch(tensor.data); }), "it read the data after the release");
  EXPECT_EQ(fault_of([&] { overwrite(tensor.shape); }), "it wrote to the shape after the release");
  EXPECT_EQ(fault_of([&] { touch(tensor.strides); }), "it read the strides after the release");
  EXPECT_EQ(fault_of([&] { touch(exported.object()); }), "it read the struct after the release");
  EXPECT_EQ(made->counts().late_writes, 0);
  EXPECT_TRUE(made->struct_intact());
  EXPECT_TRUE(made->memory_intact());
  EXPECT_EQ(made->contents(), (std::vector<std::uint8_t>{7, 7, 7}));
  EXPECT_EQ(data_of(made->share())[0], 7) << "the next round finds it open";
}

TEST(Fence, ADeleterThatIsCalledAgainTouchesNothing) {
  const auto made = offer("uint8 (3):(1) @cpu v1.3");
  made->close_on_release();
  const Exported exported = made->share();
  auto* const managed = const_cast<abi::v1::ManagedTensor*>(&exported.versioned());
  const auto deleter = managed->deleter;
  deleter(managed);
  deleter(managed);
  EXPECT_EQ(made->counts().repeated_calls, 1);
}

TEST(Fence, TheDeathIsThatOfTheFault) {
  const auto made = offer("uint8 (3):(1) @cpu v1.3", Placement::end);
  const std::uint8_t* const data = data_of(made->share());
  EXPECT_EQ(end_of([&] { touch(data + 3); }).signal, SIGSEGV);
  const End elsewhere = end_of([] { touch(reinterpret_cast<const void*>(16)); });
  EXPECT_EQ(elsewhere.signal, SIGSEGV);
  EXPECT_EQ(elsewhere.said, "") << "nothing is known of other memory";
  EXPECT_EQ(end_of([] { raise(SIGSEGV); }).signal, SIGSEGV);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(Fence, AnExceptionThatNobodyCatchesIsNamed) {
  const auto fail = []() noexcept { throw_something(); };
  EXPECT_EQ(fault_of(fail), "a C++ exception that nobody caught, std::runtime_error");
  EXPECT_EQ(fault_of([&] {
              const InCall marked(Callee::deleter);
              fail();
            }),
            "the deleter threw std::runtime_error");
  EXPECT_EQ(fault_of([&] {
              const InCall outer(Callee::deleter);
              const InCall marked(Callee::table_function);
              fail();
            }),
            "a function of the exchange table threw std::runtime_error");
  EXPECT_EQ(end_of(fail).signal, SIGABRT);
}
#endif

}  // namespace
}  // namespace dlspec::conformance
