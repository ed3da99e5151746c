#include <dlspec/conformance/worker/supervisor/interrupt.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <initializer_list>

#include <dlspec/conformance/platform/channels.h>

namespace dlspec::conformance {

namespace {

std::atomic<int> received{0};
std::atomic<int> descriptor{-1};  // what poll() watches
std::atomic<int> waking{-1};      // what makes it readable
static_assert(std::atomic<int>::is_always_lock_free, "used in a signal handler");

void on_signal(int number) {
  const int saved = errno;
  received.store(number);
  wake(waking.load());
  errno = saved;
}

}  // namespace

void catch_interrupts() {
  int ends[2] = {-1, -1};
  if (open_wake_up(ends)) {
    descriptor.store(ends[0]);
    waking.store(ends[1]);
  }
  struct sigaction action{};
  action.sa_handler = on_signal;
  action.sa_flags = static_cast<int>(SA_RESETHAND | SA_RESTART);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before{};
    sigaction(number, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(number, &action, nullptr);  // keep SIGHUP ignored under nohup
  }
}

int interrupt_signal() { return received.load(); }

int interrupt_descriptor() { return descriptor.load(); }

}  // namespace dlspec::conformance
