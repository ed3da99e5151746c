#include <dlspec/conformance/baseline/fold.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>

namespace dlspec::conformance {
namespace {

// The four parts of a case id; the last one holds the rest of it.
using CaseParts = std::array<std::string_view, 4>;

CaseParts split(std::string_view id) {
  CaseParts parts;
  for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
    const std::size_t slash = std::min(id.find('/'), id.size());
    parts[i] = id.substr(0, slash);
    id.remove_prefix(std::min(slash + 1, id.size()));
  }
  parts.back() = id;
  return parts;
}

std::vector<CaseParts> split_all(const std::vector<std::string>& ids) {
  std::vector<CaseParts> all;
  for (const std::string& id : ids) all.push_back(split(id));
  return all;
}

// The words that each part may be; none: every word.
using CasePattern = std::array<std::vector<std::string_view>, 4>;

bool matches(const CasePattern& pattern, const CaseParts& parts) {
  for (std::size_t i = 0; i < parts.size(); ++i) {
    const auto& words = pattern[i];
    if (!words.empty() && std::find(words.begin(), words.end(), parts[i]) == words.end()) return false;
  }
  return true;
}

std::size_t count(const CasePattern& pattern, const std::vector<CaseParts>& all) {
  return static_cast<std::size_t>(
      std::count_if(all.begin(), all.end(), [&](const CaseParts& parts) { return matches(pattern, parts); }));
}

// The words of this part in those wanted cases that match the pattern in all other parts.
std::vector<std::string_view> words_at(std::size_t part, CasePattern pattern, const std::vector<CaseParts>& wanted) {
  pattern[part].clear();
  std::vector<std::string_view> words;
  for (const CaseParts& parts : wanted) {
    if (!matches(pattern, parts)) continue;
    if (std::find(words.begin(), words.end(), parts[part]) == words.end()) words.push_back(parts[part]);
  }
  return words;
}

// Widens one part after the other: to every word where that matches no other case, else to those words that match none.
CasePattern widened(CasePattern pattern, const std::vector<CaseParts>& wanted, const std::vector<CaseParts>& others) {
  constexpr std::size_t order[] = {1, 2, 3, 0};  // dtypes first: most faults have them all
  for (const std::size_t part : order) {
    const std::vector<std::string_view> words = words_at(part, pattern, wanted);
    if (words.size() < 2) continue;
    CasePattern wider = pattern;
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

std::string text_of(const CasePattern& pattern) {
  std::string text;
  for (std::size_t i = 0; i < pattern.size(); ++i) text += (i == 0 ? "" : "/") + part_text(pattern[i]);
  return text;
}

CasePattern exactly(const CaseParts& parts) {
  CasePattern pattern;
  for (std::size_t i = 0; i < parts.size(); ++i) pattern[i] = {parts[i]};
  return pattern;
}

}  // namespace

std::vector<std::string> fold_cases(const std::vector<std::string>& wanted, const std::vector<std::string>& others) {
  std::vector<CaseParts> excluded = split_all(others);
  std::vector<CaseParts> left = split_all(wanted);
  std::vector<std::string> globs;
  while (!left.empty()) {
    const CasePattern pattern = widened(exactly(left.front()), left, excluded);
    globs.push_back(text_of(pattern));
    // A covered case counts as another one from now on: no case belongs to two globs.
    const auto covered = std::stable_partition(left.begin(), left.end(),
                                               [&](const CaseParts& parts) { return !matches(pattern, parts); });
    excluded.insert(excluded.end(), covered, left.end());
    left.erase(covered, left.end());
  }
  return globs;
}

}  // namespace dlspec::conformance
