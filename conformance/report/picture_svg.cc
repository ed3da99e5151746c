// The picture of a tensor's memory as SVG.
#include <algorithm>
#include <cstdlib>

#include <fmt/format.h>

#include <dlspec/conformance/report/formats.h>
#include <dlspec/conformance/report/picture.h>
#include <dlspec/conformance/report/wrap.h>

namespace dlspec::conformance {
namespace {

// In pixels at its natural size.
constexpr int character = 8, cell_height = 26, row_height = 48, margin = 8, line_height = 20, address_room = 128;
constexpr int bend = 20, tip = 5, label_height = 14;  // of arrows

constexpr const char* style = R"css(
.dlspec-memory { max-width: 100%; height: auto; font: 13px ui-monospace, monospace; --ink: #1b1b1f; --faint: #5b5e66;
  --line: #8a8d96; --page: #fff; --first: #bfe8c8; --part: #e3ecfb; --shared: #f6e3b3;
  --outside: #f9cdca; --guard: #ececef; --arrow: #0b57d0; }
@media (prefers-color-scheme: dark) { .dlspec-memory { --ink: #e6e7ea; --faint: #a3a6ae; --line: #6b6f78;
  --page: #16171a; --first: #1f5a2f; --part: #26364f; --shared: #5a4715; --outside: #6b2521; --guard: #2c2e34;
  --arrow: #9cc2ff; } }
.dlspec-memory text { fill: var(--ink); } .dlspec-memory .faint { fill: var(--faint); }
.dlspec-memory rect { stroke: var(--line); fill: var(--page); } .dlspec-memory .sheet { stroke: none; }
.dlspec-memory .first rect { fill: var(--first); stroke-width: 2; } .dlspec-memory .element rect { fill: var(--part); }
.dlspec-memory .shared rect { fill: var(--shared); } .dlspec-memory .gap rect { stroke-dasharray: 3 3; }
.dlspec-memory .outside rect { fill: var(--outside); stroke-width: 2; }
.dlspec-memory .guard rect { fill: var(--guard); stroke: none; }
.dlspec-memory .arrow { fill: none; stroke: var(--arrow); stroke-width: 2; }
.dlspec-memory .tip { fill: var(--arrow); stroke: none; } .dlspec-memory .axis { fill: var(--arrow); font-weight: 700;
  paint-order: stroke; stroke: var(--page); stroke-width: 5; stroke-linejoin: round; }
)css";

const char* class_of(Place place) {
  switch (place) {
    case Place::first: return "first";
    case Place::element: return "element";
    case Place::shared: return "shared";
    case Place::gap: return "gap";
    case Place::outside: return "outside";
    case Place::guard: return "guard";
  }
  return "";
}

std::string text_at(int x, int y, const std::string& text, const char* attributes = "") {
  return fmt::format("<text x=\"{}\" y=\"{}\"{}>{}</text>\n", x, y, attributes, escape_markup(text));
}

class Sheet {
 public:
  explicit Sheet(const Picture& picture) : picture_(picture) {
    std::size_t longest = 3;
    for (const PictureRow& row : picture.rows) {
      longest_row_ = std::max(longest_row_, row.cells.size());
      for (const PictureCell& cell : row.cells) longest = std::max(longest, columns(cell.text));
    }
    cell_width_ = static_cast<int>(longest) * character + 2 * margin;
  }

  std::string draw(const std::string& id) {
    line(picture_.heading, "");
    if (!picture_.impossible.empty()) {
      line(picture_.impossible, " class=\"faint\"");
    } else {
      grid();
      steps();
      legend();
    }
    const int height = y_ + margin;
    return fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" class=\"dlspec-memory\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" "
        "height=\"{1}\" role=\"img\" aria-labelledby=\"{2}-title\"><title id=\"{2}-title\">Memory of {3}</title>"
        "<style>{4}</style>\n<rect class=\"sheet\" width=\"100%\" height=\"100%\"/>\n{5}</svg>\n",
        width_, height, escape_markup(id), escape_markup(picture_.heading), style, body_);
  }

 private:
  // A paragraph as wide as the grid, and not narrower than a narrow page.
  void line(const std::string& text, const char* attributes) {
    constexpr std::size_t narrowest = 42;
    const std::size_t grid = static_cast<std::size_t>(left_of(longest_row_)) / character;
    for (const std::string& each : lines_of(text, std::max(narrowest, grid))) {
      y_ += line_height;
      body_ += text_at(margin, y_, each, attributes);
      reserve(margin + static_cast<int>(columns(each)) * character);
    }
  }
  void reserve(int right) { width_ = std::max(width_, right + margin); }

  [[nodiscard]] int left_of(std::size_t column) const { return address_room + static_cast<int>(column) * cell_width_; }
  [[nodiscard]] int centre_of(std::size_t column) const { return left_of(column) + cell_width_ / 2; }
  [[nodiscard]] int top_of(std::size_t row) const {
    return grid_top_ + static_cast<int>(row) * row_height + (row >= picture_.first_row ? over_ : 0);
  }

  void cell(Place place, int x, int y, const std::string& text) {
    body_ += fmt::format("<g class=\"{}\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/>", class_of(place), x, y,
                         cell_width_, cell_height);
    if (!text.empty()) body_ += text_at(x + cell_width_ / 2, y + 18, text, " text-anchor=\"middle\"");
    body_ += "</g>\n";
  }

  void grid() {
    const auto over = std::count_if(picture_.steps.begin(), picture_.steps.end(), [&](const PictureStep& step) {
      return step.row == picture_.first_row && step.places != 0 && step.extent > 1;
    });
    // Arrows within the row of element 0 are over it, where other rows are, too.
    constexpr int room_for_one = 46, room_of_all = 12;
    over_ = over == 0 ? 0 : room_for_one - room_of_all + label_height * static_cast<int>(over - 1);
    grid_top_ = y_ + room_of_all;
    for (std::size_t i = 0; i < picture_.rows.size(); ++i) {
      const PictureRow& row = picture_.rows[i];
      body_ += text_at(margin, top_of(i) + 18, row.address, " class=\"faint\"");
      for (std::size_t j = 0; j < row.cells.size(); ++j)
        cell(row.cells[j].place, left_of(j), top_of(i), row.cells[j].text);
      reserve(row.cells.empty() ? margin + static_cast<int>(row.address.size()) * character
                                : left_of(row.cells.size()));
    }
    y_ = top_of(picture_.rows.size());
    std::vector<PictureStep> shortest_first = picture_.steps;
    std::stable_sort(shortest_first.begin(), shortest_first.end(), [](const PictureStep& a, const PictureStep& b) {
      return std::abs(a.places) < std::abs(b.places);
    });
    for (const PictureStep& step : shortest_first) arrow(step);
    body_ += labels_;
  }

  // From element 0 to the element one step along the axis; a loop where that is the same place.
  void arrow(const PictureStep& step) {
    if (!step.row || step.extent < 2) return;
    const std::size_t from = picture_.first_row, to = *step.row;
    const std::size_t rows = std::max(from, to) - std::min(from, to);
    if (step.places == 0) return loop(step);
    if (rows == 0) return beside(step);
    return rows == 1 ? across(step) : past(step);
  }

  [[nodiscard]] int first_x() const { return centre_of(picture_.first_column); }
  [[nodiscard]] int first_y() const { return top_of(picture_.first_row); }
  void path(const std::string& way) { body_ += fmt::format("<path class=\"arrow\" d=\"{}\"/>\n", way); }
  // Over all arrows: one that passes behind a label is hidden by the label's edge.
  void label(const PictureStep& step, int x, int y, const char* anchor = "start") {
    labels_ += text_at(x, y, fmt::format("axis {}", step.axis),
                       fmt::format(" class=\"axis\" text-anchor=\"{}\"", anchor).c_str());
  }

  void loop(const PictureStep& step) {
    const int x = first_x(), bottom = first_y() + cell_height;
    path(fmt::format("M{} {} c-6 20 26 20 18 7", x - 10, bottom));
    point(x + 8, bottom, -1);
    label(step, x + 16 + 52 * loops_++, bottom + 16);
  }

  // Within the row: over it, and each arrow higher than the one before.
  void beside(const PictureStep& step) {
    const int x0 = first_x(), x1 = centre_of(*step.column), y = first_y(), height = bend + label_height * besides_++;
    path(fmt::format("M{} {} Q{} {} {} {}", x0, y, (x0 + x1) / 2, y - 2 * height, x1, y - tip));
    point(x1, y, 1);
    label(step, (x0 + x1) / 2, y - height - 6, "middle");
  }

  // To the next row, or the one above.
  void across(const PictureStep& step) {
    const int x0 = first_x(), x1 = centre_of(*step.column);
    const bool down = *step.row > picture_.first_row;
    const int from = first_y() + (down ? cell_height : 0), to = top_of(*step.row) + (down ? 0 : cell_height);
    path(fmt::format("M{} {} L{} {}", x0, from, x1, down ? to - tip : to + tip));
    point(x1, to, down ? 1 : -1);
    label(step, x0 + 8 + 52 * loops_++, from + (down ? 15 : -6));
  }

  // To a row farther off: at the left of those between.
  void past(const PictureStep& step) {
    const int x0 = left_of(picture_.first_column), x1 = left_of(*step.column), out = bend + label_height * pasts_++;
    const int y0 = first_y() + cell_height / 2, y1 = top_of(*step.row) + cell_height / 2, x = std::min(x0, x1) - out;
    path(fmt::format("M{} {} C{} {} {} {} {} {}", x0, y0, x, y0, x, y1, x1 - tip, y1));
    body_ += fmt::format("<path class=\"tip\" d=\"M{} {} l-8 -5 v10 z\"/>\n", x1, y1);
    label(step, x - 4, y1 > y0 ? first_y() + cell_height + 12 : first_y() - 8, "end");  // between the addresses
  }

  // The tip of an arrow that ends here and points up or down.
  void point(int x, int y, int down) {
    body_ += fmt::format("<path class=\"tip\" d=\"M{} {} l-5 {} h10 z\"/>\n", x, y, -8 * down);
  }

  void steps() {
    for (const PictureStep& step : picture_.steps) line(step_text(step), "");
    line(picture_.places, " class=\"faint\"");
    if (!picture_.left_out.empty()) line(picture_.left_out, " class=\"faint\"");
  }

  void legend() {
    y_ += margin;
    for (const PictureLegend& each : legend_of(picture_)) {
      cell(each.place, margin, y_, each.sample);
      const int x = 2 * margin + cell_width_;
      y_ -= 2;
      for (const std::string& text : lines_of(each.meaning, 40)) {
        y_ += line_height;
        body_ += text_at(x, y_, text);
        reserve(x + static_cast<int>(text.size()) * character);
      }
      y_ += margin + 2;
    }
  }

  const Picture& picture_;
  std::string body_, labels_;
  std::size_t longest_row_ = 0;
  int over_ = 0;                             // room in front of the row of element 0
  int besides_ = 0, pasts_ = 0, loops_ = 0;  // arrows so far, so that no label is on another
  int cell_width_ = 0, grid_top_ = 0, y_ = 0, width_ = 320;
};

}  // namespace

std::string picture_svg(const Picture& picture, const std::string& id) { return Sheet(picture).draw(id); }

}  // namespace dlspec::conformance
