#include <dlspec/optimized/rearrange/engines/threads.h>

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <unistd.h>

#include <atomic>
#include <cstdint>
#include <cstdlib>

#include <dlspec/optimized/rearrange/engines/placement.h>

namespace dlspec::optimized {
namespace {

constexpr int most_threads = 256;
constexpr int few_threads =
    3;  // with more processors than they and the caller need the system finds an idle one by itself
constexpr int patience = 5000;  // pauses before a thread goes to sleep: longer than it takes to wake it

void pause_briefly() {
#if defined(__x86_64__)
  __builtin_ia32_pause();
#endif
}

// The threads of the process, one job at a time. A job's parts are handed out by a ticket: which job, how
// many parts, which one is next. Whoever raises the ticket owns the part, and the job does not end before that part
// is done, so that its description stays as it is meanwhile.
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
    // The first part is always the caller's: of copies in turns each thread finds again what it has in its cache.
    ticket_.store(number << 32 | static_cast<std::uint64_t>(parts) << 16 | 1, std::memory_order_release);
    wake();
    job(context, 0, parts);
    remaining_.fetch_sub(1, std::memory_order_acq_rel);
    while (take_part()) {
    }
    for (int tries = 0; remaining_.load(std::memory_order_acquire) != 0; ++tries) {
      if (tries < patience) {
        pause_briefly();
      } else if (const int left = remaining_.load(std::memory_order_acquire); left != 0) {
        remaining_.wait(left, std::memory_order_acquire);
      }
    }
    busy_.store(false, std::memory_order_release);
  }

  // In the child of a fork there are no threads but the one that forked.
  void forget_threads() {
    started_ = 0;
    busy_.store(false, std::memory_order_relaxed);
  }

  void stop() {
    stopped_.store(true, std::memory_order_release);
    if (busy_.exchange(true, std::memory_order_acquire)) return;  // a thread copies while the process ends
    ticket_.fetch_add(std::uint64_t{1} << 32, std::memory_order_release);
    ticket_.notify_all();
    for (int i = 0; i < started_; ++i) pthread_join(threads_[i].handle, nullptr);
    started_ = 0;
  }

 private:
  struct Thread {
    Pool* pool;
    pthread_t handle;
    Placement placement;
  };

  // As many as there may be and can be started; those that could not are tried again next time.
  void start(int wanted) {
    if (started_ >= wanted) return;
    // Signals are the program's affair.
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
    thread.placement.begin_elsewhere(attribute);
    const bool is_started = pthread_create(&thread.handle, &attribute, work, &thread) == 0;
    pthread_attr_destroy(&attribute);
    return is_started;
  }

  // Each thread's placement costs two system calls before the caller's own part begins.
  void wake() {
    if (started_ <= few_threads) {
      for (int i = 0; i < started_; ++i) threads_[i].placement.wake_elsewhere(threads_[i].handle);
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
    thread.placement.get_up();
    thread.pool->serve(thread.placement);
    return nullptr;
  }

  void serve(Placement& placement) {
    int tries = 0;
    while (!stopped_.load(std::memory_order_acquire)) {
      const std::uint64_t ticket = ticket_.load(std::memory_order_acquire);
      if (take_part()) {
        tries = 0;
      } else if (++tries < patience) {
        pause_briefly();
      } else if (!stopped_.load(std::memory_order_acquire)) {
        placement.lie_down();
        ticket_.wait(ticket, std::memory_order_acquire);
        placement.get_up();
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
  Thread threads_[most_threads];
};

Pool pool;

void forget_threads() { pool.forget_threads(); }

// Threads asleep in code that is unloaded would be a fault; so they end before it.
struct Guardian {
  Guardian() { pthread_atfork(nullptr, nullptr, forget_threads); }
  ~Guardian() { pool.stop(); }
};
const Guardian guardian;

int processors() {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
  const long count = sysconf(_SC_NPROCESSORS_ONLN);
  return count > 0 ? static_cast<int>(count) : 1;
}

int find_threads() {
  if (const char* const text = std::getenv("DLSPEC_THREADS"); text != nullptr) {
    char* end = nullptr;
    const long number = std::strtol(text, &end, 10);
    if (end != text && *end == 0 && number >= 1 && number <= most_threads) return static_cast<int>(number);
  }
  const int found = processors();
  return found < most_threads ? found : most_threads;
}

}  // namespace

int default_threads() noexcept {
  static const int threads = find_threads();
  return threads;
}

void run_on_threads(int parts, Job job, const void* context) noexcept {
  pool.run(parts < most_threads ? parts : most_threads, job, context);
}

}  // namespace dlspec::optimized
