// A child process in its own process group, with a private channel at descriptor 3. It is killed together with all
// processes that it started.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <sys/types.h>

#include <dlspec/conformance/worker/supervisor/descriptor.h>

namespace dlspec::conformance {

// The command to run. A program without a slash is searched on the PATH of the *calling* process.
struct Command {
  std::vector<std::string> arguments;    // the program first
  std::vector<std::string> environment;  // "NAME=value"; nothing else is inherited
  std::string folder;                    // working folder; empty: the caller's
};

// The environment of the calling process, without these variables.
[[nodiscard]] std::vector<std::string> inherited_environment(const std::vector<std::string>& without = {});

// Pointers into `texts`, terminated by a null pointer, as execve expects. Valid as long as `texts`.
[[nodiscard]] std::vector<char*> null_terminated(const std::vector<std::string>& texts);

// How a process ended.
struct Ending {
  bool exited = false;  // false: killed by a signal
  int number = 0;       // exit status or signal
};
// "exited with status 3", "killed by SIGSEGV".
[[nodiscard]] std::string describe(const Ending& ending);

class Child {
 public:
  // Starts the command. Standard input is /dev/null, output and errors share one pipe, no other descriptor is
  // inherited, signal handling is reset, and core files are disabled. On failure nullopt, with a sentence part in
  // `error`.
  [[nodiscard]] static std::optional<Child> spawn(const Command& command, std::string& error);

  Child(Child&& other) noexcept;
  Child& operator=(Child&&) = delete;
  // Calls finish().
  ~Child();

  [[nodiscard]] pid_t pid() const { return pid_; }
  [[nodiscard]] int process() const { return process_.get(); }  // readable once the process has ended
  [[nodiscard]] int channel() const { return channel_.get(); }  // our end, non-blocking
  [[nodiscard]] int output() const { return output_.get(); }    // our end, non-blocking
  void close_output() { output_.reset(); }

  // Resident memory in bytes; 0 once the process has ended.
  [[nodiscard]] std::uint64_t resident() const;

  // Kills the process, its group and its orphans, and waits for the process. Returns how it ended; if it was already
  // dead, how it ended by itself. Later calls return the same result.
  Ending finish();

 private:
  Child() = default;

  pid_t pid_ = -1;
  std::string mark_;  // "DLSPEC_WORKER=…", inherited by all processes that it starts
  Descriptor process_;
  Descriptor channel_;
  Descriptor output_;
  std::optional<Ending> ending_;
};

}  // namespace dlspec::conformance
