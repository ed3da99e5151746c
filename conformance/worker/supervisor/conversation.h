// Lines to and from a child, with everything that can go wrong meanwhile watched in one place: its
// death, a deadline, its memory, its chatter on standard output, the user's Ctrl-C.
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
    line,         // a whole line was read
    ended,        // the process is dead, and no further line was left to read
    closed,       // the process lives but closed the channel
    too_long,     // a line beyond the bound
    deadline,     // the time is up
    memory,       // it holds more than allowed
    interrupted,  // the user wants to stop
  };

  // `memory_limit`: resident bytes; 0: any.
  Conversation(Child child, std::uint64_t memory_limit) : child_(std::move(child)), memory_limit_(memory_limit) {}

  // Queued; travels while waiting.
  void send(std::string_view line);

  // Waits for the next line. What the process says elsewhere is drained without end.
  [[nodiscard]] Event wait_line(Clock::time_point deadline, std::string& line);

  // Waits until the process has ended: `ended`, `deadline`, `memory` or `interrupted`. Lines are dropped.
  [[nodiscard]] Event wait_end(Clock::time_point deadline);

  [[nodiscard]] bool ended() const;

  // The process ended without having read all that it was sent: it was dead, or dying, before.
  [[nodiscard]] bool left_unread() const { return left_unread_; }

  // The last part of what it wrote on standard output and error, at most 128 KiB.
  [[nodiscard]] const std::string& output() const { return output_; }

  // After the end: takes what is left in the output pipe, without waiting.
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
