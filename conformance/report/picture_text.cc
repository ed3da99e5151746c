// The picture of a tensor's memory for the terminal.
#include <algorithm>

#include <fmt/format.h>

#include <dlspec/conformance/report/picture.h>
#include <dlspec/conformance/report/wrap.h>

namespace dlspec::conformance {
namespace {

struct Marks {
  const char* gap;
  const char* guard;
  const char* forward;
  const char* backward;
  const char* none;
};
constexpr Marks unicode_marks{"\u00b7", "\u2592", "\u2192", "\u2190", "\u21bb"};
constexpr Marks ascii_marks{".", "#", "->", "<-", "="};

std::string painted(Place place, const std::string& text, bool color) {
  const char* code = "";
  switch (place) {
    case Place::first: code = "1;32"; break;
    case Place::shared: code = "33"; break;
    case Place::gap: code = "2"; break;
    case Place::guard: code = "31"; break;
    case Place::outside: code = "1;31"; break;
    case Place::element: break;
  }
  return color && *code != '\0' ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : text;
}

// Without colours, too, every kind of place looks different.
std::string cell_text(Place place, const std::string& text, const Marks& marks) {
  switch (place) {
    case Place::first: return "[" + text + "]";
    case Place::shared: return "(" + text + ")";
    case Place::outside: return "!" + text + "!";
    case Place::gap: return std::string(" ") + marks.gap + " ";
    case Place::guard: return std::string(" ") + marks.guard + " ";
    case Place::element: break;
  }
  return " " + text + " ";
}

std::string centred(const std::string& text, std::size_t width, std::string_view shown) {
  const std::size_t room = width - std::min(width, columns(text));
  return std::string(room / 2, ' ') + std::string(shown) + std::string(room - room / 2, ' ');
}

std::size_t cell_width(const Picture& picture, const Marks& marks) {
  std::size_t widest = 1;
  for (const PictureRow& row : picture.rows) {
    for (const PictureCell& cell : row.cells)
      widest = std::max(widest, columns(cell_text(cell.place, cell.text, marks)));
  }
  return widest;
}

std::size_t address_width(const Picture& picture) {
  std::size_t widest = 0;
  for (const PictureRow& row : picture.rows) widest = std::max(widest, row.cells.empty() ? 0 : row.address.size());
  return widest + 2;
}

std::string row_text(const PictureRow& row, std::size_t address_width, std::size_t width, const Marks& marks,
                     bool color) {
  if (row.cells.empty()) return "  " + row.address + "\n";
  std::string text = fmt::format("  {:<{}}", row.address, address_width);
  for (const PictureCell& cell : row.cells) {
    const std::string plain = cell_text(cell.place, cell.text, marks);
    text += centred(plain, width, painted(cell.place, plain, color));
  }
  text.erase(text.find_last_not_of(' ') + 1);
  return text + "\n";
}

const char* arrow(const PictureStep& step, const Marks& marks) {
  if (step.places == 0) return marks.none;
  return step.places > 0 ? marks.forward : marks.backward;
}

}  // namespace

std::string picture_text(const Picture& picture, const PictureStyle& style) {
  std::string text = picture.heading + "\n";
  if (!picture.impossible.empty()) return text + "  " + picture.impossible + "\n";
  const Marks& marks = style.unicode ? unicode_marks : ascii_marks;
  text += '\n';
  constexpr std::size_t indent = 2;
  const std::size_t width = cell_width(picture, marks);
  for (const PictureRow& row : picture.rows) text += row_text(row, address_width(picture), width, marks, style.color);
  text += '\n';
  for (const PictureLegend& line : legend_of(picture)) {
    const std::string plain = cell_text(line.place, line.sample, marks);
    text += "  " + centred(plain, width, painted(line.place, plain, style.color)) + "  " + line.meaning + "\n";
  }
  text += "  " + wrapped(picture.places, indent, indent, 78) + "\n";
  for (const PictureStep& step : picture.steps) {
    const std::string line = fmt::format("{} {}", arrow(step, marks), step_text(step));
    text += "  " + wrapped(line, indent + 2, indent, 78) + "\n";
  }
  if (!picture.left_out.empty()) text += "  " + picture.left_out + "\n";
  return text;
}

}  // namespace dlspec::conformance
