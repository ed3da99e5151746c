// A process of ours: started in a group of its own, with a private channel at descriptor 3, and taken
// down with everything that it started.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include <dlspec/conformance/worker/supervisor/descriptor.h>

namespace dlspec::conformance {

// What is run. The program is looked for on the PATH of the *calling* process when it has no slash.
struct Command {
  std::vector<std::string> arguments;    // the program first
  std::vector<std::string> environment;  // "NAME=value", the whole of it
  std::string folder;                    // working folder; empty: the caller's
};

// The environment of the calling process, without these variables.
[[nodiscard]] std::vector<std::string> inherited_environment(const std::vector<std::string>& without = {});

// The texts as exec wants them: pointers into `texts`, and a null pointer at the end. Valid as long as `texts` is.
[[nodiscard]] std::vector<char*> null_terminated(const std::vector<std::string>& texts);

// How a process ended.
struct Ending {
  bool exited = false;  // otherwise a signal killed it
  int number = 0;       // exit status or signal
};
// "exited with status 3", "killed by SIGSEGV".
[[nodiscard]] std::string describe(const Ending& ending);

// Orphans of our children become children of ours, so that none escapes by starting a session of its
// own. For the whole process; the command does this first.
void adopt_orphans();

class Child {
 public:
  // Standard input is /dev/null, output and errors share one pipe, no other descriptor is inherited,
  // signals are as in a fresh process, no core file is written. Nothing and a sentence part in `error`
  // when it cannot be started.
  [[nodiscard]] static std::optional<Child> spawn(const Command& command, std::string& error);

  Child(Child&& other) noexcept;
  Child& operator=(Child&&) = delete;
  // Kills what is left of it.
  ~Child();

  [[nodiscard]] pid_t pid() const { return pid_; }
  [[nodiscard]] int process() const { return process_.get(); }  // readable once it has ended
  [[nodiscard]] int channel() const { return channel_.get(); }  // our end: does not block
  [[nodiscard]] int output() const { return output_.get(); }    // our end: does not block
  void close_output() { output_.reset(); }

  // Bytes of memory that it holds resident, 0 once it has ended.
  [[nodiscard]] std::uint64_t resident() const;

  // Kills the process, its group and whatever else it left behind, and waits for the process. How it
  // ended, which is its own doing if it was dead before. Call it once or twice, it does not matter.
  Ending finish();

 private:
  Child() = default;

  pid_t pid_ = -1;
  std::string mark_;  // "DLSPEC_WORKER=…" in the environment of it and of all that it starts
  Descriptor process_;
  Descriptor channel_;
  Descriptor output_;
  std::optional<Ending> ending_;
};

}  // namespace dlspec::conformance
