// Splits a byte stream into lines of bounded length, so that a worker cannot exhaust the supervisor's memory.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace dlspec::conformance {

// Maximum length of a line in bytes, without its line break.
inline constexpr std::size_t longest_line = std::size_t{16} << 20;

class LineReader {
 public:
  explicit LineReader(std::size_t longest = longest_line) : longest_(longest) {}

  // Appends received bytes. Discards everything after a line that is too long.
  void append(std::string_view bytes);

  // The next complete line without its line break; nullopt when there is none yet.
  [[nodiscard]] std::optional<std::string> next();

  // True once a line, complete or not, exceeds the maximum. Lines before it can still be read.
  [[nodiscard]] bool too_long() const { return too_long_; }

  // Number of bytes of the incomplete line.
  [[nodiscard]] std::size_t pending() const { return buffer_.size() - start_; }

 private:
  void drop_read();

  std::size_t longest_;
  std::string buffer_;
  std::size_t start_ = 0;       // offset of the first unread line
  std::size_t unfinished_ = 0;  // offset of the incomplete line
  bool too_long_ = false;
};

}  // namespace dlspec::conformance
