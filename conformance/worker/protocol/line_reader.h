// Lines out of a stream of bytes, bounded: what a worker may write is limited before it is looked at.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace dlspec::conformance {

// Longest line of the protocol in bytes, the line break not counted.
inline constexpr std::size_t longest_line = std::size_t{16} << 20;

class LineReader {
 public:
  explicit LineReader(std::size_t longest = longest_line) : longest_(longest) {}

  // Takes bytes as they arrive. After a line was too long, nothing more is kept.
  void append(std::string_view bytes);

  // The next whole line without its line break; nothing while there is none.
  [[nodiscard]] std::optional<std::string> next();

  // True once a line, finished or not, is longer than the bound. Lines before it can still be read.
  [[nodiscard]] bool too_long() const { return too_long_; }

  // Bytes of a line that has not ended yet.
  [[nodiscard]] std::size_t pending() const { return buffer_.size() - start_; }

 private:
  void drop_read();

  std::size_t longest_;
  std::string buffer_;
  std::size_t start_ = 0;       // of the first line not yet handed out
  std::size_t unfinished_ = 0;  // of the line that has not ended yet
  bool too_long_ = false;
};

}  // namespace dlspec::conformance
