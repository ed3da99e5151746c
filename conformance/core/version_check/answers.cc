// Answers on standard output, a line for each line of standard input with three fields between tabs:
//   compare A B        "-1", "0" or "1"
//   hold BOUNDS A      "True" or "False", or "None" where BOUNDS is no text for VersionBounds
//   version A          "True" or "False"; the third field is empty
#include <iostream>
#include <string>

#include <dlspec/conformance/core/version.h>

using namespace dlspec::conformance;

namespace {

const char* truth(bool value) { return value ? "True" : "False"; }

std::string answer(const std::string& question, const std::string& first, const std::string& second) {
  if (question == "version") return truth(is_version(first));
  if (question == "compare") {
    const auto order = compare_versions(first, second);
    return order == 0 ? "0" : order < 0 ? "-1" : "1";
  }
  const auto bounds = parse_bounds(first);
  return bounds ? truth(bounds->hold(second)) : "None";
}

}  // namespace

int main() {
  std::string question, first, second;
  while (std::getline(std::getline(std::getline(std::cin, question, '\t'), first, '\t'), second)) {
    std::cout << answer(question, first, second) << '\n';
  }
}
