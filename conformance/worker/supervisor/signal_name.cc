#include <dlspec/conformance/worker/supervisor/signal_name.h>

#include <csignal>

namespace dlspec::conformance {

std::string signal_name(int number) {
  struct Name {
    int number;
    const char* text;
  };
  static constexpr Name names[] = {
      {SIGHUP, "SIGHUP"},       {SIGINT, "SIGINT"},   {SIGQUIT, "SIGQUIT"}, {SIGILL, "SIGILL"},   {SIGTRAP, "SIGTRAP"},
      {SIGABRT, "SIGABRT"},     {SIGBUS, "SIGBUS"},   {SIGFPE, "SIGFPE"},   {SIGKILL, "SIGKILL"}, {SIGUSR1, "SIGUSR1"},
      {SIGSEGV, "SIGSEGV"},     {SIGUSR2, "SIGUSR2"}, {SIGPIPE, "SIGPIPE"}, {SIGALRM, "SIGALRM"}, {SIGTERM, "SIGTERM"},
      {SIGCHLD, "SIGCHLD"},     {SIGCONT, "SIGCONT"}, {SIGSTOP, "SIGSTOP"}, {SIGTSTP, "SIGTSTP"}, {SIGTTIN, "SIGTTIN"},
      {SIGTTOU, "SIGTTOU"},     {SIGURG, "SIGURG"},   {SIGXCPU, "SIGXCPU"}, {SIGXFSZ, "SIGXFSZ"}, {SIGPROF, "SIGPROF"},
      {SIGVTALRM, "SIGVTALRM"}, {SIGSYS, "SIGSYS"},
#ifdef SIGIO
      {SIGIO, "SIGIO"},
#endif
#ifdef SIGSTKFLT
      {SIGSTKFLT, "SIGSTKFLT"},
#endif
#ifdef SIGPWR
      {SIGPWR, "SIGPWR"},
#endif
#ifdef SIGWINCH
      {SIGWINCH, "SIGWINCH"},
#endif
  };
  for (const Name& name : names) {
    if (name.number == number) return name.text;
  }
  return "signal " + std::to_string(number);
}

}  // namespace dlspec::conformance
