#include <dlspec/conformance/platform/channels.h>

#include <cstdint>

#include <fcntl.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/eventfd.h>
#endif

namespace dlspec::conformance {

#ifdef __linux__

bool open_socket_pair(int (&ends)[2]) { return socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) == 0; }

bool open_pipe(int (&ends)[2]) { return pipe2(ends, O_CLOEXEC) == 0; }

bool open_wake_up(int (&ends)[2]) { return (ends[0] = ends[1] = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) >= 0; }

#else

namespace {

// Another thread may start a process in between, which then has the descriptor: children close all but their own.
bool keep(const int (&ends)[2]) {
  for (const int end : ends) fcntl(end, F_SETFD, FD_CLOEXEC);
  return true;
}

}  // namespace

bool open_socket_pair(int (&ends)[2]) {
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) return false;
#ifdef SO_NOSIGPIPE
  const int yes = 1;
  for (const int end : ends) setsockopt(end, SOL_SOCKET, SO_NOSIGPIPE, &yes, sizeof yes);
#endif
  return keep(ends);
}

bool open_pipe(int (&ends)[2]) { return pipe(ends) == 0 && keep(ends); }

bool open_wake_up(int (&ends)[2]) {
  if (!open_pipe(ends)) return false;
  for (const int end : ends) fcntl(end, F_SETFL, fcntl(end, F_GETFL) | O_NONBLOCK);
  return true;
}

#endif

void wake(int end) {
  const std::uint64_t one = 1;  // eight bytes, as an eventfd wants them
  [[maybe_unused]] const ssize_t written = write(end, &one, sizeof one);
}

}  // namespace dlspec::conformance
