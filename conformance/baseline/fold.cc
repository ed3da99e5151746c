#include <dlspec/conformance/baseline/fold.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace dlspec::conformance {
namespace {

// The parts of a case id; the last one takes what is left.
using Parts = std::array<std::string_view, 4>;

Parts split(std::string_view id) {
  Parts parts;
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    const std::size_t slash = std::min(id.find('/'), id.size());
    parts[i] = id.substr(0, slash);
    id.remove_prefix(std::min(slash + 1, id.size()));
  }
  parts.back() = id;
  return parts;
}

std::vector<Parts> split_all(const std::vector<std::string>& ids) {
  std::vector<Parts> all;
  for (const std::string& id : ids) all.push_back(split(id));
  return all;
}

// What may stand in each place: these words, or any when there is none.
using Pattern = std::array<std::vector<std::string_view>, 4>;

bool matches(const Pattern& pattern, const Parts& parts) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto& words = pattern[i];
    if (!words.empty() && std::find(words.begin(), words.end(), parts[i]) == words.end()) return false;
  }
  return true;
}

std::size_t count(const Pattern& pattern, const std::vector<Parts>& all) {
  return static_cast<std::size_t>(
      std::count_if(all.begin(), all.end(), [&](const Parts& parts) { return matches(pattern, parts); }));
}

// The words that stand in this place of the wanted cases which fit the pattern elsewhere.
std::vector<std::string_view> words_at(std::size_t part, Pattern pattern, const std::vector<Parts>& wanted) {
  pattern[part].clear();
  std::vector<std::string_view> words;
  for (const Parts& parts : wanted) {
    if (!matches(pattern, parts)) continue;
    if (std::find(words.begin(), words.end(), parts[part]) == words.end()) words.push_back(parts[part]);
  }
  return words;
}

// As wide as it can be made, one part after the other: any word where that takes in nothing foreign, else those words
// that do not.
Pattern widened(Pattern pattern, const std::vector<Parts>& wanted, const std::vector<Parts>& others) {
  constexpr std::size_t order[] = {1, 2, 3, 0};  // dtypes first: most faults have them all
  for (const std::size_t part : order) {
    const std::vector<std::string_view> words = words_at(part, pattern, wanted);
    if (words.size() < 2) continue;
    Pattern wider = pattern;
    wider[part].clear();
    if (count(wider, others) == 0) {
      pattern = wider;
      continue;
    }
    std::vector<std::string_view> taken;
    for (const std::string_view word : words) {
      wider[part] = {word};
      if (count(wider, others) == 0) taken.push_back(word);
    }
    pattern[part] = taken;
  }
  return pattern;
}

std::string part_text(const std::vector<std::string_view>& words) {
  if (words.empty()) return "*";
  std::string text;
  for (const std::string_view word : words) text += (text.empty() ? "" : ",") + std::string(word);
  return words.size() == 1 ? text : "{" + text + "}";
}

std::string text_of(const Pattern& pattern) {
  std::string text;
  for (std::size_t i = 0; i < pattern.size(); ++i) text += (i == 0 ? "" : "/") + part_text(pattern[i]);
  return text;
}

Pattern exactly(const Parts& parts) {
  Pattern pattern;
  for (std::size_t i = 0; i < parts.size(); ++i) pattern[i] = {parts[i]};
  return pattern;
}

}  // namespace

std::vector<std::string> fold_cases(const std::vector<std::string>& wanted, const std::vector<std::string>& others) {
  std::vector<Parts> foreign = split_all(others);
  std::vector<Parts> left = split_all(wanted);
  std::vector<std::string> globs;
  while (!left.empty()) {
    const Pattern pattern = widened(exactly(left.front()), left, foreign);
    globs.push_back(text_of(pattern));
    // What is covered once is foreign from now on: no case belongs to two globs.
    const auto covered =
        std::stable_partition(left.begin(), left.end(), [&](const Parts& parts) { return !matches(pattern, parts); });
    foreign.insert(foreign.end(), covered, left.end());
    left.erase(covered, left.end());
  }
  return globs;
}

}  // namespace dlspec::conformance
