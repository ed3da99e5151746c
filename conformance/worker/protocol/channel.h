// The worker's end of the protocol channel, for workers written in C++.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <dlspec/conformance/worker/protocol/line_reader.h>

namespace dlspec::conformance {

// The file descriptor of the worker's end of the channel when the worker starts.
inline constexpr int worker_channel = 3;

// Line-based channel with blocking I/O. Does not own the descriptor. Not thread-safe.
class Channel {
 public:
  explicit Channel(int descriptor) : descriptor_(descriptor) {}

  // The next line; nullopt at end of stream, after an error, and after a line that is too long.
  [[nodiscard]] std::optional<std::string> receive();

  // Sends the line and a line break. False when the peer has closed the channel. Does not raise SIGPIPE.
  bool send(std::string_view line);

 private:
  int descriptor_;
  LineReader lines_;
};

// Moves the descriptor to a high number with close-on-exec, closes the old one, and closes the new one in forked
// children, which must not write in the worker's name. Returns the new number, or -1. Call it once, before the subject
// is loaded.
[[nodiscard]] int take_channel(int descriptor);

}  // namespace dlspec::conformance
