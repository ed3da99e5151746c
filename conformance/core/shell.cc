#include <dlspec/conformance/core/shell.h>

#include <cstddef>

namespace dlspec::conformance {

namespace {

constexpr const char* blanks = " \t\n";

class Splitter {
 public:
  explicit Splitter(const std::string& text) : text_(text) {}

  std::optional<std::vector<std::string>> split() {
    while ((at_ = text_.find_first_not_of(blanks, at_)) != std::string::npos) {
      std::string word;
      while (at_ < text_.size() && std::string(blanks).find(text_[at_]) == std::string::npos) {
        if (!piece(word)) return std::nullopt;
      }
      words_.push_back(std::move(word));
    }
    return std::move(words_);
  }

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
  std::size_t at_ = 0;
  std::vector<std::string> words_;
};

}  // namespace

std::optional<std::vector<std::string>> split_words(const std::string& text) { return Splitter(text).split(); }

std::string shell_quoted(const std::string& word) {
  constexpr const char* plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_@%+=:,./-";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

}  // namespace dlspec::conformance
