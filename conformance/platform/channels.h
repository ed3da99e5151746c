// Sockets, pipes and descriptors that wake up poll(): none is inherited, none raises a signal.
#pragma once

#include <cstddef>

#include <sys/socket.h>

namespace dlspec::conformance {

// A pair of connected sockets; false, with errno.
[[nodiscard]] bool open_socket_pair(int (&ends)[2]);

// A pipe: what is written to ends[1] is read from ends[0]; false, with errno.
[[nodiscard]] bool open_pipe(int (&ends)[2]);

// A pair for a signal handler: wake(ends[1]) makes poll() find ends[0] readable, for ever. Both may be the same.
[[nodiscard]] bool open_wake_up(int (&ends)[2]);
void wake(int end);  // may be called in a signal handler

// Flags of send(): no SIGPIPE when the other end is gone.
#ifdef MSG_NOSIGNAL
inline constexpr int send_quietly = MSG_NOSIGNAL;
#else
inline constexpr int send_quietly = 0;  // the socket itself is quiet, see open_socket_pair
#endif

}  // namespace dlspec::conformance
