#include <dlspec/conformance/worker/protocol/channel.h>

#include <cerrno>

#include <fcntl.h>
#include <pthread.h>
#include <sys/socket.h>
#include <unistd.h>

#include <dlspec/conformance/platform/channels.h>

namespace dlspec::conformance {

namespace {

int open_channel = -1;

void close_in_child() {
  if (open_channel >= 0) close(open_channel);
  open_channel = -1;
}

}  // namespace

std::optional<std::string> Channel::receive() {
  char bytes[65536];
  for (;;) {
    if (auto line = lines_.next()) return line;
    if (lines_.too_long()) return std::nullopt;
    const ssize_t count = read(descriptor_, bytes, sizeof bytes);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return std::nullopt;
    lines_.append({bytes, static_cast<std::size_t>(count)});
  }
}

bool Channel::send(std::string_view line) {
  std::string text(line);
  text += '\n';
  for (std::size_t sent = 0; sent < text.size();) {
    const ssize_t count = ::send(descriptor_, text.data() + sent, text.size() - sent, send_quietly);
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    sent += static_cast<std::size_t>(count);
  }
  return true;
}

int take_channel(int descriptor) {
  constexpr int high = 200;
  int moved = fcntl(descriptor, F_DUPFD_CLOEXEC, high);
  if (moved < 0) moved = fcntl(descriptor, F_DUPFD_CLOEXEC, 10);  // when the limit on open files is low
  if (moved < 0) return -1;
  close(descriptor);
  open_channel = moved;
  pthread_atfork(nullptr, nullptr, close_in_child);
  return moved;
}

}  // namespace dlspec::conformance
