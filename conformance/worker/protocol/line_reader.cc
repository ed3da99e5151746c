#include <dlspec/conformance/worker/protocol/line_reader.h>

namespace dlspec::conformance {

void LineReader::append(std::string_view bytes) {
  if (too_long_) return;
  if (start_ > 0 && start_ == buffer_.size()) {
    buffer_.clear();
    start_ = scanned_ = 0;
  }
  buffer_.append(bytes);
  // The unfinished line is what follows the last line break.
  const std::size_t last_break = buffer_.rfind('\n');
  const std::size_t unfinished = last_break == std::string::npos || last_break < start_ ? start_ : last_break + 1;
  too_long_ = buffer_.size() - unfinished > longest_;
}

std::optional<std::string> LineReader::next() {
  const std::size_t end = buffer_.find('\n', scanned_ > start_ ? scanned_ : start_);
  if (end == std::string::npos) {
    scanned_ = buffer_.size();
    return std::nullopt;
  }
  if (end - start_ > longest_) {
    too_long_ = true;
    return std::nullopt;
  }
  std::string line = buffer_.substr(start_, end - start_);
  start_ = scanned_ = end + 1;
  if (start_ > longest_line / 16) {
    buffer_.erase(0, start_);
    start_ = scanned_ = 0;
  }
  return line;
}

}  // namespace dlspec::conformance
