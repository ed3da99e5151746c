#include <dlspec/conformance/core/shell.h>

#include <algorithm>
#include <cstddef>

namespace dlspec::conformance {

namespace {

constexpr const char* blanks = " \t\n";

class Splitter {
 public:
  explicit Splitter(const std::string& text) : text_(text) {}

  // Reads the next word, without its quotes. False where there is none, or where the text ends inside it: is_open().
  bool next(std::string& word) {
    word.clear();
    begin_ = at_ = std::min(text_.find_first_not_of(blanks, at_), text_.size());
    while (at_ < text_.size() && std::string(blanks).find(text_[at_]) == std::string::npos) {
      is_open_ = !piece(word);
      if (is_open_) return false;
    }
    return begin_ < at_;
  }
  [[nodiscard]] bool is_open() const { return is_open_; }
  // The word that next() read, as it is written.
  [[nodiscard]] std::string written() const { return text_.substr(begin_, at_ - begin_); }

 private:
  // Reads one character, one escaped character or one quotation. False when the text ends inside it.
  bool piece(std::string& word) {
    const char first = text_[at_++];
    if (first == '\\') return escaped(word);
    if (first != '\'' && first != '"') {
      word += first;
      return true;
    }
    for (; at_ < text_.size(); ++at_) {
      if (text_[at_] == first) {
        ++at_;
        return true;
      }
      if (first == '"' && text_[at_] == '\\' && at_ + 1 < text_.size()) ++at_;
      word += text_[at_];
    }
    return false;
  }

  bool escaped(std::string& word) {
    if (at_ == text_.size()) return false;
    word += text_[at_++];
    return true;
  }

  const std::string& text_;
  std::size_t begin_ = 0, at_ = 0;
  bool is_open_ = false;
};

}  // namespace

std::optional<std::vector<std::string>> split_words(const std::string& text) {
  Splitter splitter(text);
  std::vector<std::string> words;
  for (std::string word; splitter.next(word);) words.push_back(word);
  if (splitter.is_open()) return std::nullopt;
  return words;
}

std::vector<std::string> written_words(const std::string& text) {
  Splitter splitter(text);
  std::vector<std::string> words;
  for (std::string word; splitter.next(word);) words.push_back(splitter.written());
  if (splitter.is_open()) words.push_back(splitter.written());
  return words;
}

std::string shell_quoted(const std::string& word) {
  constexpr const char* plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@%+=:,./-";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace dlspec::conformance
