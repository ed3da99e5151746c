#include <dlspec/conformance/worker/supervisor/child.h>

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <utility>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <dlspec/conformance/platform/channels.h>
#include <dlspec/conformance/platform/process.h>
#include <dlspec/conformance/platform/spawning.h>
#include <dlspec/conformance/worker/protocol/channel.h>
#include <dlspec/conformance/worker/supervisor/orphans.h>
#include <dlspec/conformance/worker/supervisor/signal_name.h>

namespace dlspec::conformance {

namespace {

std::string fresh_mark() {
  static std::atomic<unsigned> count{0};
  return "DLSPEC_WORKER=" + std::to_string(getpid()) + "." + std::to_string(++count);
}

void do_not_block(int descriptor) { fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK); }

class Actions {
 public:
  Actions(int channel, int output, const std::string& folder) {
    posix_spawn_file_actions_init(&actions_);
    posix_spawn_file_actions_addopen(&actions_, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions_, output, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, output, STDERR_FILENO);
    posix_spawn_file_actions_adddup2(&actions_, channel, worker_channel);
    close_from(actions_, worker_channel + 1);
    in_folder_ = folder.empty() || start_in(actions_, folder);
  }
  Actions(const Actions&) = delete;
  Actions& operator=(const Actions&) = delete;
  ~Actions() { posix_spawn_file_actions_destroy(&actions_); }
  [[nodiscard]] const posix_spawn_file_actions_t* get() const { return &actions_; }
  [[nodiscard]] bool in_folder() const { return in_folder_; }

 private:
  posix_spawn_file_actions_t actions_{};
  bool in_folder_ = true;
};

class Attributes {
 public:
  Attributes() {
    posix_spawnattr_init(&attributes_);
    constexpr short flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK;
    posix_spawnattr_setflags(&attributes_, flags | close_others);
    posix_spawnattr_setpgroup(&attributes_, 0);
    sigset_t signals;
    sigfillset(&signals);
    posix_spawnattr_setsigdefault(&attributes_, &signals);
    sigemptyset(&signals);
    posix_spawnattr_setsigmask(&attributes_, &signals);
  }
  Attributes(const Attributes&) = delete;
  Attributes& operator=(const Attributes&) = delete;
  ~Attributes() { posix_spawnattr_destroy(&attributes_); }
  [[nodiscard]] const posix_spawnattr_t* get() const { return &attributes_; }

 private:
  posix_spawnattr_t attributes_{};
};

}  // namespace

std::vector<std::string> inherited_environment(const std::vector<std::string>& without) {
  std::vector<std::string> result;
  for (char** variable = own_environment(); *variable; ++variable) {
    const std::string text = *variable;
    const std::string name = text.substr(0, text.find('='));
    if (std::find(without.begin(), without.end(), name) == without.end()) result.push_back(text);
  }
  return result;
}

std::vector<char*> null_terminated(const std::vector<std::string>& texts) {
  std::vector<char*> result;
  for (const std::string& text : texts) result.push_back(const_cast<char*>(text.c_str()));
  result.push_back(nullptr);
  return result;
}

std::string describe(const Ending& ending) {
  if (ending.exited) return "exited with status " + std::to_string(ending.number);
  return "killed by " + signal_name(ending.number);
}

std::optional<Child> Child::spawn(const Command& command, std::string& error) {
  int channel[2];
  int output[2];
  if (!open_socket_pair(channel)) {
    error = std::string("no socket pair: ") + std::strerror(errno);
    return std::nullopt;
  }
  Child child;
  child.channel_ = Descriptor(channel[0]);
  const Descriptor far_channel(channel[1]);
  if (!open_pipe(output)) {
    error = std::string("no pipe: ") + std::strerror(errno);
    return std::nullopt;
  }
  child.output_ = Descriptor(output[0]);
  const Descriptor far_output(output[1]);
  do_not_block(channel[0]);
  do_not_block(output[0]);

  child.mark_ = fresh_mark();
  std::vector<std::string> environment = command.environment;
  std::erase_if(environment, [](const std::string& text) { return text.starts_with("DLSPEC_WORKER="); });
  environment.push_back(child.mark_);
  const Actions actions(channel[1], output[1], command.folder);
  const Attributes attributes;
  const std::vector<std::string> arguments =
      actions.in_folder() ? command.arguments : by_shell(command.folder, command.arguments);
  const int failed = posix_spawnp(&child.pid_, arguments.front().c_str(), actions.get(), attributes.get(),
                                  null_terminated(arguments).data(), null_terminated(environment).data());
  if (failed != 0) {
    child.pid_ = -1;
    error = command.arguments.front() + ": " + std::strerror(failed);
    return std::nullopt;
  }
  restrain_process(child.pid_);  // from outside: posix_spawn has no hook before exec
  child.process_ = Descriptor(watch_process(child.pid_));
  if (!child.process_.valid()) {
    error = std::string("no process descriptor (Linux 5.3 or later is needed): ") + std::strerror(errno);
    return std::nullopt;
  }
  return child;
}

Child::Child(Child&& other) noexcept
    : pid_(std::exchange(other.pid_, -1)),
      mark_(std::move(other.mark_)),
      process_(std::move(other.process_)),
      channel_(std::move(other.channel_)),
      output_(std::move(other.output_)),
      ending_(other.ending_) {}

Child::~Child() { finish(); }

std::uint64_t Child::resident() const { return resident_bytes(pid_); }

Ending Child::finish() {
  if (ending_ || pid_ < 0) return ending_.value_or(Ending{});
  kill(-pid_, SIGKILL);  // the group first: the process id cannot be reused before waitid
  kill(pid_, SIGKILL);
  siginfo_t info{};
  while (waitid(P_PID, static_cast<id_t>(pid_), &info, WEXITED) != 0 && errno == EINTR) {
  }
  ending_ = Ending{info.si_code == CLD_EXITED, info.si_status};
  kill_orphans(mark_);
  return *ending_;
}

}  // namespace dlspec::conformance
