#include <dlspec/optimized/rearrange/engines/threads.h>

#include <gtest/gtest.h>
#include <sched.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <thread>
#include <vector>

namespace dlspec::optimized {
namespace {

struct PartCounts {
  std::atomic<int> calls[256] = {};
  std::atomic<int> parts{0};
};

void count(const void* context, int part, int parts) {
  auto& counts = *static_cast<PartCounts*>(const_cast<void*>(context));
  ++counts.calls[part];
  counts.parts = parts;
}

void expect_each_part_once(int parts) {
  PartCounts counts;
  run_on_threads(parts, count, &counts);
  EXPECT_EQ(counts.parts, parts);
  for (int part = 0; part < 256; ++part) EXPECT_EQ(counts.calls[part], part < parts ? 1 : 0) << part;
}

// A thread's affinity mask excludes the caller's processor only while it is started or woken. This test is the first
// one, because with many threads the affinity is not changed.
TEST(Threads, KeepTheAffinityOfTheProcess) {
  struct Seen {
    cpu_set_t processors[2];
    std::atomic<int> begun{0};
  };
  const Job look = [](const void* context, int part, int) {
    auto& seen = *static_cast<Seen*>(const_cast<void*>(context));
    sched_getaffinity(0, sizeof(cpu_set_t), &seen.processors[part]);
    ++seen.begun;
    for (int i = 0; i < 1000 && seen.begun < 2; ++i) usleep(1000);  // until both threads have a part
  };
  cpu_set_t all;
  ASSERT_EQ(sched_getaffinity(0, sizeof all, &all), 0);
  for (int times = 0; times < 5; ++times) {
    Seen seen;
    run_on_threads(2, look, &seen);
    EXPECT_TRUE(CPU_EQUAL(&seen.processors[0], &all)) << times;
    EXPECT_TRUE(CPU_EQUAL(&seen.processors[1], &all)) << times;
    usleep(5000);  // longer than the threads spin
  }
}

TEST(Threads, DoEveryPartOnce) {
  for (const int parts : {1, 2, 3, 7, 2, 7}) {
    for (int times = 0; times < 200; ++times) expect_each_part_once(parts);
  }
}

// The caller returns when the slowest part is done, whichever thread runs it.
TEST(Threads, AreWaitedFor) {
  std::atomic<int> done{0};
  const Job sleep = [](const void* context, int, int) {
    usleep(20'000);
    ++*static_cast<std::atomic<int>*>(const_cast<void*>(context));
  };
  for (int times = 1; times <= 3; ++times) {
    run_on_threads(3, sleep, &done);
    EXPECT_EQ(done, 3 * times);
  }
}

TEST(Threads, ServeSeveralCallersAtATime) {
  std::vector<std::thread> callers;
  for (int i = 0; i < 4; ++i) {
    callers.emplace_back([] {
      for (int times = 0; times < 200; ++times) expect_each_part_once(3);
    });
  }
  for (std::thread& caller : callers) caller.join();
}

// A job that starts a job.
TEST(Threads, ServeAJobWithinAJob) {
  PartCounts counts;
  run_on_threads(3, [](const void* context, int, int) { run_on_threads(2, count, context); }, &counts);
  EXPECT_EQ(counts.calls[0], 3);
  EXPECT_EQ(counts.calls[1], 3);
}

TEST(Threads, WorkAfterAFork) {
#if defined(__SANITIZE_THREAD__)
  GTEST_SKIP() << "ThreadSanitizer ends a child that starts threads.";
#endif
  expect_each_part_once(4);
  const pid_t child = fork();
  ASSERT_GE(child, 0);
  if (child == 0) {
    PartCounts counts;
    run_on_threads(4, count, &counts);
    _exit(counts.calls[0] == 1 && counts.calls[3] == 1 ? 0 : 1);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
}

TEST(Threads, AtLeastOne) { EXPECT_GE(default_threads(), 1); }

}  // namespace
}  // namespace dlspec::optimized
