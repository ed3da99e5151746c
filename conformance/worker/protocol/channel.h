// The worker's side of the private descriptor, for workers written in C++.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <dlspec/conformance/worker/protocol/line_reader.h>

namespace dlspec::conformance {

// The descriptor on which a worker finds its end of the channel when it starts.
inline constexpr int worker_channel = 3;

// Blocking; does not own the descriptor. One thread at a time.
class Channel {
 public:
  explicit Channel(int descriptor) : descriptor_(descriptor) {}

  // The next line; nothing at the end of the stream, after an error and after a line that is too long.
  [[nodiscard]] std::optional<std::string> receive();

  // Adds the line break. False when the other side is gone. Raises no SIGPIPE.
  bool send(std::string_view line);

 private:
  int descriptor_;
  LineReader lines_;
};

// Moves a descriptor to a high number that no program run by the subject inherits, closes it under its
// old number, and closes it in forked children, who must not speak in the worker's place. The new
// number, or -1. Call it once, before the subject is loaded.
[[nodiscard]] int take_channel(int descriptor);

}  // namespace dlspec::conformance
