// For tests of tables: texts that more than one row has, and words of a text.
#pragma once

#include <functional>
#include <iterator>
#include <set>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

namespace dlspec {

[[nodiscard]] inline std::vector<std::string> words(std::string_view text) {
  std::istringstream stream{std::string(text)};
  return {std::istream_iterator<std::string>(stream), {}};
}

// Texts that more than one row has, each on a line of its own. `text`: a member of the row, or a function of it.
template <class Rows, class Text>
[[nodiscard]] std::string repeated(const Rows& rows, Text text) {
  std::set<std::string> seen;
  std::string found;
  for (const auto& row : rows) {
    const std::string name(std::invoke(text, row));
    if (!seen.insert(name).second) found += name + "\n";
  }
  return found;
}

}  // namespace dlspec
