#include <dlspec/conformance/worker/supervisor/conversation.h>

#include <algorithm>
#include <array>
#include <cerrno>

#include <poll.h>
#include <unistd.h>

#include <dlspec/conformance/platform/channels.h>
#include <dlspec/conformance/worker/supervisor/interrupt.h>

namespace dlspec::conformance {

namespace {

constexpr auto tick = std::chrono::milliseconds(10);  // between two checks of its memory
constexpr auto grace_after_close =
    std::chrono::milliseconds(500);  // the channel may close before the death is reported
constexpr std::size_t kept_output = std::size_t{64} << 10;

int milliseconds_until(Clock::time_point deadline) {
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(deadline - Clock::now());
  return static_cast<int>(std::clamp(left, std::chrono::milliseconds(0), std::chrono::milliseconds(tick)).count());
}

}  // namespace

void Conversation::send(std::string_view line) {
  pending_ += line;
  pending_ += '\n';
  write_pending();
}

void Conversation::write_pending() {
  while (!pending_.empty()) {
    const ssize_t count = ::send(child_.channel(), pending_.data(), pending_.size(), send_quietly | MSG_DONTWAIT);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0 && (errno == EAGAIN || errno == EWOULDBLOCK)) return;
    if (count < 0) {
      pending_.clear();  // the peer is gone; reading shows the reason
      left_unread_ = true;
      return;
    }
    pending_.erase(0, static_cast<std::size_t>(count));
  }
}

void Conversation::read_channel() {
  std::array<char, 65536> bytes;
  const ssize_t count = read(child_.channel(), bytes.data(), bytes.size());
  if (count > 0) {
    lines_.append({bytes.data(), static_cast<std::size_t>(count)});
  } else if (count == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)) {
    channel_closed_ = true;
    // The kernel reports ECONNRESET when the peer closed the socket with unread bytes.
    left_unread_ = left_unread_ || (count < 0 && errno == ECONNRESET);
  }
}

void Conversation::read_output() {
  std::array<char, 65536> bytes;
  const ssize_t count = read(child_.output(), bytes.data(), bytes.size());
  if (count > 0) {
    output_.append(bytes.data(), static_cast<std::size_t>(count));
    if (output_.size() > 2 * kept_output) output_.erase(0, output_.size() - kept_output);
  } else if (count == 0 || (errno != EAGAIN && errno != EWOULDBLOCK && errno != EINTR)) {
    child_.close_output();
  }
}

void Conversation::poll_once(Clock::time_point deadline) {
  std::array<pollfd, 4> watched{{
      {channel_closed_ ? -1 : child_.channel(), static_cast<short>(pending_.empty() ? POLLIN : POLLIN | POLLOUT), 0},
      {child_.output(), POLLIN, 0},
      {child_.process(), POLLIN, 0},
      {interrupt_descriptor(), POLLIN, 0},
  }};
  if (poll(watched.data(), watched.size(), milliseconds_until(deadline)) <= 0) return;
  if (watched[0].revents & POLLOUT) write_pending();
  if (watched[0].revents & (POLLIN | POLLHUP | POLLERR)) read_channel();
  if (watched[1].revents) read_output();
}

bool Conversation::over_memory() {
  if (memory_limit_ == 0 || Clock::now() - memory_read_ < tick) return false;
  memory_read_ = Clock::now();
  return child_.resident() > memory_limit_;
}

void Conversation::read_rest() {
  constexpr int pieces = 1024;  // 64 MiB: more than a pipe holds, but bounded if a process keeps writing
  for (int i = 0; i < pieces && child_.output() >= 0; ++i) {
    pollfd output{child_.output(), POLLIN, 0};
    if (poll(&output, 1, 0) <= 0) return;
    read_output();
  }
}

bool Conversation::ended() const {
  pollfd process{child_.process(), POLLIN, 0};
  return poll(&process, 1, 0) > 0;
}

Conversation::Event Conversation::wait_line(Clock::time_point deadline, std::string& line) {
  memory_read_ = Clock::now();
  for (;;) {
    if (auto next = lines_.next()) {
      line = std::move(*next);
      return Event::line;
    }
    if (lines_.too_long()) return Event::too_long;
    if (interrupt_signal() != 0) return Event::interrupted;
    if (ended()) {
      // Read what was written before the death, without waiting for end of stream: a grandchild may hold the other end
      // open.
      while (!channel_closed_ && lines_.pending() <= longest_line) {
        pollfd channel{child_.channel(), POLLIN, 0};
        if (poll(&channel, 1, 0) <= 0) break;
        read_channel();
      }
      if (auto next = lines_.next()) {
        line = std::move(*next);
        return Event::line;
      }
      return Event::ended;
    }
    if (channel_closed_) {
      const Event end = wait_end(std::min(deadline, Clock::now() + grace_after_close));
      return end == Event::deadline ? Event::closed : end;
    }
    if (Clock::now() >= deadline) return Event::deadline;
    if (over_memory()) return Event::memory;
    poll_once(deadline);
  }
}

Conversation::Event Conversation::wait_end(Clock::time_point deadline) {
  for (;;) {
    if (ended()) return Event::ended;
    if (interrupt_signal() != 0) return Event::interrupted;
    if (Clock::now() >= deadline) return Event::deadline;
    if (over_memory()) return Event::memory;
    poll_once(deadline);
    while (lines_.next()) {
    }
  }
}

}  // namespace dlspec::conformance
