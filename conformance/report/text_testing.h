// What tests of texts for people share.
#pragma once

#include <sstream>
#include <string>

namespace dlspec::conformance::text_testing {

// The text with line breaks and indents folded into single blanks.
inline std::string unwrapped(const std::string& text) {
  std::istringstream words(text);
  std::string line;
  for (std::string word; words >> word;) line += line.empty() ? word : " " + word;
  return line;
}

}  // namespace dlspec::conformance::text_testing
