// Descriptors in a child of fork() while other threads of the parent create them: no lock may be inherited locked.
#include <atomic>
#include <chrono>
#include <csignal>
#include <thread>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

#include <gtest/gtest.h>

#include <dlspec/infiniop/infiniop.h>

namespace {

constexpr int children = 100;
constexpr int busy_threads = 4;
constexpr int objects = 256;
constexpr std::chrono::seconds hang{60};  // a child needs microseconds

// All objects live at once, so that their addresses differ and every part of the registry of live objects is used.
bool creates_and_destroys() {
  const size_t shape[] = {2, 3};
  const ptrdiff_t strides[] = {3, 1};
  infiniopTensorDescriptor_t made[objects] = {};
  bool good = true;
  for (auto& one : made)
    good = good && infiniopCreateTensorDescriptor(&one, 2, shape, strides, INFINI_DTYPE_F32) == INFINI_STATUS_SUCCESS;
  for (auto& one : made) good = infiniopDestroyTensorDescriptor(one) == INFINI_STATUS_SUCCESS && good;
  return good;
}

// The exit status of the child, or -1 if it had to be killed.
int wait_for(pid_t child) {
  int status = 0;
  for (const auto begin = std::chrono::steady_clock::now(); std::chrono::steady_clock::now() - begin < hang;) {
    if (waitpid(child, &status, WNOHANG) == child) return WIFEXITED(status) ? WEXITSTATUS(status) : -2;
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
  }
  kill(child, SIGKILL);
  waitpid(child, &status, 0);
  return -1;
}

TEST(Fork, ChildrenCreateDescriptorsWhileThreadsOfTheParentDo) {
  std::atomic<bool> stop{false};
  std::vector<std::thread> threads;
  for (int i = 0; i < busy_threads; ++i) {
    threads.emplace_back([&] {
      while (!stop.load()) creates_and_destroys();
    });
  }
  int status = 0;
  for (int i = 0; i < children && status == 0; ++i) {
    const pid_t child = fork();
    if (child == 0) _exit(creates_and_destroys() ? 0 : 1);
    status = child < 0 ? -3 : wait_for(child);
  }
  stop.store(true);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(status, 0) << "-1: a child hung, 1: a call failed in a child";
}

TEST(Fork, ChildrenDestroyWhatTheParentCreated) {
  infiniopTensorDescriptor_t made = nullptr;
  const size_t shape[] = {2};
  ASSERT_EQ(infiniopCreateTensorDescriptor(&made, 1, shape, nullptr, INFINI_DTYPE_F32), INFINI_STATUS_SUCCESS);
  const pid_t child = fork();
  if (child == 0) _exit(infiniopDestroyTensorDescriptor(made) == INFINI_STATUS_SUCCESS ? 0 : 1);
  EXPECT_EQ(wait_for(child), 0);
  EXPECT_EQ(infiniopDestroyTensorDescriptor(made), INFINI_STATUS_SUCCESS);
}

}  // namespace
