#include <dlspec/conformance/header/measured.h>

#include <sstream>
#include <string>

namespace dlspec::conformance {
namespace {

bool read_line(std::istringstream& line, const std::string& kind, Measured& into) {
  std::string name;
  line >> name;
  if (kind == "struct") {
    MeasuredStruct& one = into.structs[name];
    line >> one.size >> one.alignment;
  } else if (kind == "member") {
    std::string member;
    line >> member;
    Place& place = into.structs[name].members[member];
    line >> place.offset >> place.size;
  } else if (kind == "enumerator") {
    line >> into.enumerators[name];
  } else if (kind == "macro") {
    line >> into.macros[name];
  } else if (kind == "elements") {
    MeasuredElements& elements = into.elements[name];
    line >> elements.size >> elements.is_signed;
  } else {
    return false;
  }
  return !line.fail();
}

}  // namespace

std::optional<Measured> read_measured(std::string_view text) {
  Measured measured;
  std::istringstream lines{std::string(text)};
  for (std::string line; std::getline(lines, line);) {
    std::istringstream words(line);
    std::string kind;
    words >> kind;
    if (!read_line(words, kind, measured)) return std::nullopt;
  }
  return measured;
}

}  // namespace dlspec::conformance
