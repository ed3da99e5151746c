#include <dlspec/conformance/oracle/fault_report.h>

#include <cxxabi.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <string_view>
#include <typeinfo>

#include <dlspec/conformance/platform/channels.h>
#include <dlspec/conformance/platform/memory.h>

namespace dlspec::conformance {
namespace {

std::atomic<int> channel{-1};
thread_local Callee running = Callee::nothing;

constexpr int watched_signals[] = {SIGSEGV, SIGBUS};
struct sigaction before[2];  // what was there when ours was set, in the order of watched_signals
std::terminate_handler terminate_before = nullptr;

// Text in a fixed piece of memory: all that a signal handler may use.
class Line {
 public:
  explicit Line(std::span<char> place) : place_(place) {}
  void add(std::string_view text) {
    for (const char character : text) {
      if (size_ < place_.size()) place_[size_++] = character;
    }
  }
  void add(std::size_t number) {
    char digits[24];
    std::size_t first = sizeof digits;
    do {
      digits[--first] = static_cast<char>('0' + number % 10);
      number /= 10;
    } while (number != 0);
    add(std::string_view(digits + first, sizeof digits - first));
  }
  [[nodiscard]] std::size_t size() const { return size_; }

 private:
  std::span<char> place_;
  std::size_t size_ = 0;
};

const char* name_of(FencePart part) {
  switch (part) {
    case FencePart::data: return "data";
    case FencePart::structure: return "struct";
    case FencePart::shape: return "shape";
    case FencePart::strides: return "strides";
    case FencePart::buffer: return "buffer for the contents";
  }
  return "data";
}

const char* name_of(FenceState state) {
  switch (state) {
    case FenceState::open: return "open";
    case FenceState::read_only: return "read-only";
    case FenceState::closed: return "closed";
  }
  return "open";
}

const char* name_of(FenceHit::Where where) {
  switch (where) {
    case FenceHit::Where::before: return "before";
    case FenceHit::Where::inside: return "inside";
    case FenceHit::Where::beyond: return "beyond";
  }
  return "inside";
}

void say(const char* line, std::size_t size) {
  const int mine = channel;
  if (mine < 0) return;
  if (::send(mine, line, size, send_quietly) < 0) (void)!::write(mine, line, size);  // a pipe, in tests
}

// The handler that was there before takes over: it, or the default action, sees the same fault again
// when the instruction is repeated.
void step_aside(int signal) {
  for (std::size_t i = 0; i < std::size(watched_signals); ++i) {
    if (watched_signals[i] == signal) sigaction(signal, &before[i], nullptr);
  }
}

void on_fault(int signal, siginfo_t* info, void* context) {
  const bool by_an_access = info->si_code > 0;  // else somebody sent it, and there is no address
  if (by_an_access) {
    if (const FenceHit hit = FenceHit::at(info->si_addr); hit.found) {
      char line[256];
      say(line, fault_line(hit, access_of(context), getpid(), line));
    }
  }
  step_aside(signal);
  if (!by_an_access) raise(signal);
}

const char* name_of(Callee callee) {
  switch (callee) {
    case Callee::deleter: return "deleter";
    case Callee::table_function: return "table function";
    case Callee::nothing: break;
  }
  return "";
}

[[noreturn]] void on_terminate() {
  int status = -1;
  const std::type_info* const type = abi::__cxa_current_exception_type();
  char* const readable = type != nullptr ? abi::__cxa_demangle(type->name(), nullptr, nullptr, &status) : nullptr;
  char text[512];
  Line line(text);
  line.add(R"({"fault":{"pid":)");
  line.add(static_cast<std::size_t>(getpid()));
  line.add(R"(,"exception":")");
  for (const char* c = readable != nullptr ? readable : ""; *c != '\0' && line.size() < 400; ++c) {
    if (*c != '"' && *c != '\\' && *c >= ' ') line.add(std::string_view(c, 1));
  }
  line.add(R"(","callee":")");
  line.add(name_of(running));
  line.add("\"}}\n");
  say(text, line.size());
  if (terminate_before != nullptr && terminate_before != &on_terminate) terminate_before();
  std::abort();
}

bool is_ours(const struct sigaction& action) {
  return (action.sa_flags & SA_SIGINFO) != 0 && action.sa_sigaction == &on_fault;
}

// A stack that overflowed has no room for a handler. Never freed: it is in use until the end.
void use_signal_stack() {
  constexpr std::size_t size = std::size_t{64} * 1024;
  stack_t present{};
  if (sigaltstack(nullptr, &present) != 0 || (present.ss_flags & SS_DISABLE) == 0) return;
  static char* const memory = static_cast<char*>(std::malloc(size));
  if (memory == nullptr) return;
  stack_t mine{};
  mine.ss_sp = memory;
  mine.ss_size = size;
  sigaltstack(&mine, nullptr);
}

}  // namespace

std::size_t fault_line(const FenceHit& hit, const char* access, int pid, std::span<char> place) noexcept {
  Line line(place);
  line.add(R"({"fault":{"pid":)");
  line.add(static_cast<std::size_t>(pid));
  line.add(R"(,"access":")");
  line.add(access);
  line.add(R"(","part":")");
  line.add(name_of(hit.part));
  line.add(R"(","state":")");
  line.add(name_of(hit.state));
  line.add(R"(","where":")");
  line.add(name_of(hit.where));
  line.add(R"(","distance":)");
  line.add(hit.distance);
  line.add("}}\n");
  return line.size();
}

void report_faults_to(int descriptor) {
  // A forked child is not the worker: it dies in silence.
  static const int registered = pthread_atfork(nullptr, nullptr, [] { channel = -1; });
  (void)registered;
  channel = descriptor;
  if (descriptor >= 0) use_signal_stack();
}

void arm_fault_report() {
  if (channel < 0) return;
  for (std::size_t i = 0; i < std::size(watched_signals); ++i) {
    struct sigaction present{};
    if (sigaction(watched_signals[i], nullptr, &present) != 0 || is_ours(present)) continue;
    struct sigaction ours{};
    ours.sa_sigaction = &on_fault;
    ours.sa_flags = SA_SIGINFO | SA_ONSTACK;
    sigemptyset(&ours.sa_mask);
    before[i] = present;
    sigaction(watched_signals[i], &ours, nullptr);
  }
  if (std::get_terminate() != &on_terminate) terminate_before = std::set_terminate(&on_terminate);
}

InCall::InCall(Callee callee) : outer_(running) { running = callee; }
InCall::~InCall() { running = outer_; }

}  // namespace dlspec::conformance
