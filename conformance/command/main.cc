// The dlspec command: parses options, calls a subcommand and returns its exit status.
#include <cstdio>
#include <cstring>
#include <exception>

#include <fcntl.h>
#include <unistd.h>

#include <dlspec/conformance/platform/process.h>
#include <dlspec/conformance/selfcheck/zoo/exhibits.h>
#include <dlspec/conformance/subject/launch.h>
#include <dlspec/conformance/verdict/status.h>
#include <dlspec/conformance/worker/native/native_worker.h>
#include <dlspec/conformance/worker/protocol/channel.h>
#include <dlspec/conformance/worker/supervisor/child.h>
#include <dlspec/conformance/worker/supervisor/interrupt.h>

#include "program.h"
#include "terminal.h"

namespace {

using namespace dlspec::command;
namespace conformance = dlspec::conformance;

struct Dispatch {
  conformance::Invocation invocation;
  int operator()(const RunOptions& options) const { return run(options, invocation); }
  int operator()(const MatrixOptions& options) const { return matrix(options, invocation); }
  int operator()(const InspectOptions& options) const { return inspect(options); }
  int operator()(const RulesOptions& options) const { return rules(options); }
  int operator()(const SelftestOptions& options) const { return selftest(options); }
  int operator()(const FuzzOptions& options) const { return fuzz(options, invocation); }
  int operator()(const HeaderOptions& options) const { return header(options); }
  int operator()(const ReportOptions& options) const { return report(options); }
  int operator()(const BaselineOptions& options) const { return baseline(options); }
  int operator()(const InitOptions& options) const { return init(options, invocation); }
  int operator()(const Finished& finished) const {
    std::fprintf(finished.status == 0 ? stdout : stderr, "%s\n", finished.text.c_str());
    return finished.status;
  }
};

conformance::Invocation invocation(const char* invoked_as) {
  const auto tested = static_cast<std::uint32_t>(conformance::shown_rules().size());
  return {invoked_as, DLSPEC_VERSION, DLSPEC_COMMIT, tested};
}

// Opens descriptors 0 to 2 if they are closed at start, so that no channel gets their number.
void fill_standard_descriptors() {
  while (true) {
    const int descriptor = open("/dev/null", O_RDWR);
    if (descriptor < 0) return;
    if (descriptor > STDERR_FILENO) {
      close(descriptor);
      return;
    }
  }
}

}  // namespace

int main(int argc, char** argv) {
  using namespace dlspec::conformance;
  if (argc == 2 && std::strcmp(argv[1], native_worker_argument) == 0) return native_worker_main(worker_channel);
  try {
    fill_standard_descriptors();
    adopt_orphans(true);
    catch_interrupts();
    const Options options = parse_options({argv + 1, argv + argc});
    const int status = std::visit(Dispatch{invocation(argc > 0 ? argv[0] : "dlspec")}, options);
    // An interrupt is how an exploration without a time limit ends.
    const bool cut_short = interrupt_signal() != 0 && !std::holds_alternative<FuzzOptions>(options);
    return cut_short ? 128 + interrupt_signal() : status;
  } catch (const std::exception& error) {
    complain(std::string("internal error: ") + error.what());
    return exit_unjudged;
  }
}
