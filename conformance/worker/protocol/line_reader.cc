#include <dlspec/conformance/worker/protocol/line_reader.h>

namespace dlspec::conformance {

void LineReader::append(std::string_view bytes) {
  if (too_long_) return;
  if (start_ == buffer_.size()) drop_read();
  const std::size_t last_break = bytes.rfind('\n');
  if (last_break != std::string_view::npos) unfinished_ = buffer_.size() + last_break + 1;
  buffer_.append(bytes);
  too_long_ = buffer_.size() - unfinished_ > longest_;
}

void LineReader::drop_read() {
  buffer_.erase(0, start_);
  unfinished_ -= start_;
  start_ = 0;
}

std::optional<std::string> LineReader::next() {
  constexpr std::size_t kept = std::size_t{1} << 20;  // bytes already read; erase them only above this size
  if (start_ == unfinished_) return std::nullopt;
  const std::size_t end = buffer_.find('\n', start_);
  if (end - start_ > longest_) {
    too_long_ = true;
    return std::nullopt;
  }
  std::string line = buffer_.substr(start_, end - start_);
  start_ = end + 1;
  if (start_ > kept) drop_read();
  return line;
}

}  // namespace dlspec::conformance
