// Line-based communication with a child. One poll loop watches its channel, its death, a deadline, its memory, its
// standard output and the user's Ctrl-C. Not thread-safe.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include <dlspec/conformance/worker/protocol/line_reader.h>
#include <dlspec/conformance/worker/supervisor/child.h>

namespace dlspec::conformance {

using Clock = std::chrono::steady_clock;

class Conversation {
 public:
  enum class Event : std::uint8_t {
    line,         // a complete line was read
    ended,        // the process is dead and all its lines have been read
    closed,       // the process is alive but has closed the channel
    too_long,     // a line exceeds longest_line
    deadline,     // the deadline has passed
    memory,       // the process exceeds the memory limit
    interrupted,  // the user asked to stop
  };

  // `memory_limit`: resident bytes; 0: unlimited.
  Conversation(Child child, std::uint64_t memory_limit) : child_(std::move(child)), memory_limit_(memory_limit) {}

  // Queues the line; wait_line and wait_end send what does not fit at once.
  void send(std::string_view line);

  // Waits for the next line. Drains standard output and error meanwhile.
  [[nodiscard]] Event wait_line(Clock::time_point deadline, std::string& line);

  // Waits until the process has ended: `ended`, `deadline`, `memory` or `interrupted`. Lines are dropped.
  [[nodiscard]] Event wait_end(Clock::time_point deadline);

  [[nodiscard]] bool ended() const;

  // True when the process ended without reading everything: it died before the last request reached it.
  [[nodiscard]] bool left_unread() const { return left_unread_; }

  // The end of its standard output and error, at most 128 KiB.
  [[nodiscard]] const std::string& output() const { return output_; }

  // After the end of the process: reads the rest of the output pipe without waiting.
  void read_rest();

  [[nodiscard]] Child& child() { return child_; }

 private:
  void poll_once(Clock::time_point deadline);
  void write_pending();
  void read_channel();
  void read_output();
  [[nodiscard]] bool over_memory();

  Child child_;
  std::uint64_t memory_limit_;
  std::string pending_;
  LineReader lines_;
  std::string output_;
  bool channel_closed_ = false;
  bool left_unread_ = false;
  Clock::time_point memory_read_{};
};

}  // namespace dlspec::conformance
