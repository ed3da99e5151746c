#include <dlspec/conformance/platform/spawning.h>

#include <gtest/gtest.h>

#include <string>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <dlspec/conformance/worker/supervisor/child.h>
#include <dlspec/conformance/worker/supervisor/signal_name.h>

namespace dlspec::conformance {
namespace {

using Closing = void (*)(posix_spawn_file_actions_t&, int);

// Whether a child that is spawned with `close` still has `descriptor`.
bool inherits(int descriptor, Closing close, int first) {
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  close(actions, first);
  std::string script = "test -e /proc/self/fd/" + std::to_string(descriptor);
  char shell[] = "/bin/sh";
  char flag[] = "-c";
  char* const arguments[] = {shell, flag, script.data(), nullptr};
  pid_t pid = -1;
  EXPECT_EQ(posix_spawn(&pid, shell, &actions, nullptr, arguments, environ), 0);
  posix_spawn_file_actions_destroy(&actions);
  int status = -1;
  EXPECT_EQ(waitpid(pid, &status, 0), pid);
  return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

TEST(Spawning, NothingFromTheFirstOnIsInherited) {
  const int low = open("/dev/null", O_RDONLY);
  const int high = fcntl(low, F_DUPFD, 700);
  ASSERT_GE(low, 3);
  ASSERT_GE(high, 700);
  const auto nothing = [](posix_spawn_file_actions_t&, int) {};
  ASSERT_TRUE(inherits(low, nothing, 0));
  for (const Closing close : {&close_from, &close_each_from}) {
    EXPECT_FALSE(inherits(low, close, low));
    EXPECT_FALSE(inherits(high, close, low));
    EXPECT_TRUE(inherits(low, close, low + 1));
  }
  close(high);
  close(low);
}

TEST(Spawning, TheShellGoesToTheFolderAndIsTheCommandThen) {
  const std::vector<std::string> command =
      by_shell("/usr", {"/bin/sh", "-c", R"(test "$PWD" = /usr && test "$1 $#" = "a b 2")", "name", "a b", "c"});
  pid_t pid = -1;
  ASSERT_EQ(posix_spawn(&pid, command[0].c_str(), nullptr, nullptr, null_terminated(command).data(), environ), 0);
  int status = -1;
  EXPECT_EQ(waitpid(pid, &status, 0), pid);
  EXPECT_EQ(status, 0);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  EXPECT_TRUE(start_in(actions, "/usr"));
  posix_spawn_file_actions_destroy(&actions);
}

TEST(SignalNames, AreThoseOfTheHeader) {
  EXPECT_EQ(signal_name(SIGSEGV), "SIGSEGV");
  EXPECT_EQ(signal_name(SIGABRT), "SIGABRT");
  EXPECT_EQ(signal_name(SIGSYS), "SIGSYS");
  EXPECT_EQ(signal_name(SIGRTMIN + 1), "signal " + std::to_string(SIGRTMIN + 1));
}

}  // namespace
}  // namespace dlspec::conformance
