#include <dlspec/conformance/worker/supervisor/interrupt.h>

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <initializer_list>

#include <sys/eventfd.h>
#include <unistd.h>

namespace dlspec::conformance {

namespace {

std::atomic<int> received{0};
std::atomic<int> descriptor{-1};
static_assert(std::atomic<int>::is_always_lock_free, "used in a signal handler");

void on_signal(int number) {
  const int saved = errno;
  received.store(number);
  const std::uint64_t one = 1;
  [[maybe_unused]] const ssize_t written = write(descriptor.load(), &one, sizeof one);
  errno = saved;
}

}  // namespace

void catch_interrupts() {
  descriptor.store(eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
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
