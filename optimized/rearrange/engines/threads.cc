#include <dlspec/optimized/rearrange/engines/threads.h>

#include <pthread.h>
#include <signal.h>

#include <atomic>
#include <cstdint>

#include <dlspec/optimized/rearrange/engines/settings.h>
#include <dlspec/optimized/rearrange/engines/wake_up.h>

namespace dlspec::optimized {
namespace {

constexpr int max_pinned_threads = 3;  // with more threads, the scheduler finds an idle processor by itself
constexpr int max_spins = 5000;        // PAUSE instructions before a thread sleeps: longer than a wake-up takes

void pause_briefly() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

// The threads of the process, one job at a time. An atomic ticket hands out a job's parts: job number, number of parts,
// next part. Whoever increments the ticket owns the part, and the job does not end before that part is done, so its
// description stays valid meanwhile.
class Pool {
 public:
  void run(int parts, Job job, const void* context) {
    if (stopped_.load(std::memory_order_relaxed) || busy_.exchange(true, std::memory_order_acquire)) {
      for (int part = 0; part < parts; ++part) job(context, part, parts);
      return;
    }
    start(parts - 1);
    job_ = job;
    context_ = context;
    remaining_.store(parts, std::memory_order_relaxed);
    const std::uint64_t number = (ticket_.load(std::memory_order_relaxed) >> 32) + 1;
    // The caller always takes the first part: in repeated copies each thread finds its own data in its cache.
    ticket_.store(number << 32 | static_cast<std::uint64_t>(parts) << 16 | 1, std::memory_order_release);
    wake();
    job(context, 0, parts);
    remaining_.fetch_sub(1, std::memory_order_acq_rel);
    while (take_part()) {
    }
    for (int tries = 0; remaining_.load(std::memory_order_acquire) != 0; ++tries) {
      if (tries < max_spins) {
        pause_briefly();
      } else if (const int left = remaining_.load(std::memory_order_acquire); left != 0) {
        remaining_.wait(left, std::memory_order_acquire);
      }
    }
    busy_.store(false, std::memory_order_release);
  }

  // After fork() the child has only the thread that forked.
  void forget_threads() {
    started_ = 0;
    busy_.store(false, std::memory_order_relaxed);
  }

  void stop() {
    stopped_.store(true, std::memory_order_release);
    if (busy_.exchange(true, std::memory_order_acquire)) return;  // a thread still copies while the process ends
    ticket_.fetch_add(std::uint64_t{1} << 32, std::memory_order_release);
    ticket_.notify_all();
    for (int i = 0; i < started_; ++i) pthread_join(threads_[i].handle, nullptr);
    started_ = 0;
  }

 private:
  struct Thread {
    Pool* pool;
    pthread_t handle;
    WakeUp wake_up;
  };

  // Starts as many threads as possible; those that fail are tried again next time.
  void start(int wanted) {
    if (started_ >= wanted) return;
    // Signals belong to the program: the pool's threads block them all.
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    while (started_ < wanted && start_one(threads_[started_])) ++started_;
    pthread_sigmask(SIG_SETMASK, &before, nullptr);
  }

  bool start_one(Thread& thread) {
    pthread_attr_t attribute;
    if (pthread_attr_init(&attribute) != 0) return false;
    thread.pool = this;
    thread.wake_up.start_on_other_cpu(attribute);
    const bool is_started = pthread_create(&thread.handle, &attribute, work, &thread) == 0;
    pthread_attr_destroy(&attribute);
    return is_started;
  }

  // Setting a thread's affinity costs two system calls before the caller's own part begins.
  void wake() {
    if (started_ <= max_pinned_threads) {
      for (int i = 0; i < started_; ++i) threads_[i].wake_up.wake_on_other_cpu(threads_[i].handle);
    }
    ticket_.notify_all();
  }

  bool take_part() {
    std::uint64_t ticket = ticket_.load(std::memory_order_acquire);
    for (;;) {
      const auto parts = static_cast<int>(ticket >> 16 & 0xFFFF), next = static_cast<int>(ticket & 0xFFFF);
      if (next >= parts) return false;
      if (!ticket_.compare_exchange_weak(ticket, ticket + 1, std::memory_order_acq_rel, std::memory_order_acquire))
        continue;
      job_(context_, next, parts);
      if (remaining_.fetch_sub(1, std::memory_order_acq_rel) == 1) remaining_.notify_one();
      return true;
    }
  }

  static void* work(void* self) {
    Thread& thread = *static_cast<Thread*>(self);
    thread.wake_up.end_sleep();
    thread.pool->serve(thread.wake_up);
    return nullptr;
  }

  void serve(WakeUp& wake_up) {
    int tries = 0;
    while (!stopped_.load(std::memory_order_acquire)) {
      const std::uint64_t ticket = ticket_.load(std::memory_order_acquire);
      if (take_part()) {
        tries = 0;
      } else if (++tries < max_spins) {
        pause_briefly();
      } else if (!stopped_.load(std::memory_order_acquire)) {
        wake_up.begin_sleep();
        ticket_.wait(ticket, std::memory_order_acquire);
        wake_up.end_sleep();
        tries = 0;
      }
    }
  }

  alignas(64) std::atomic<std::uint64_t> ticket_{0};
  alignas(64) std::atomic<int> remaining_{0};
  alignas(64) std::atomic<bool> busy_{false};
  std::atomic<bool> stopped_{false};
  Job job_ = nullptr;
  const void* context_ = nullptr;
  int started_ = 0;
  Thread threads_[max_threads];
};

Pool pool;

void forget_threads() { pool.forget_threads(); }

// A thread that sleeps in unloaded code would fault: join before.
struct PoolLifetime {
  PoolLifetime() { pthread_atfork(nullptr, nullptr, forget_threads); }
  ~PoolLifetime() { pool.stop(); }
};
const PoolLifetime pool_lifetime;

}  // namespace

int default_threads() noexcept { return settings().threads; }

void run_on_threads(int parts, Job job, const void* context) noexcept {
  pool.run(parts < max_threads ? parts : max_threads, job, context);
}

}  // namespace dlspec::optimized
