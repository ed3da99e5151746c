#include <dlspec/conformance/report/picture.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <numeric>

#include <fmt/format.h>

#include <dlspec/conformance/report/picture_text.h>
#include <dlspec/reference/descriptor/extent.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::conformance {
namespace {

constexpr std::int64_t most_elements = 128;  // that are drawn
constexpr std::int64_t most_in_axis = 16;    // indices of an axis that are drawn
constexpr std::size_t most_axes = 12;
constexpr std::size_t most_rows = 24;         // of places
constexpr std::int64_t near = 24;             // places without elements at the ends that are drawn
constexpr std::int64_t farthest = 1LL << 40;  // places; beyond it nothing is drawn
constexpr std::size_t address_width = 14;     // columns in front of a row

std::string tuple(const std::vector<std::int64_t>& numbers) {
  return fmt::format("({}{})", fmt::join(numbers, ","), numbers.size() == 1 ? "," : "");
}

// Strides in elements, also where the struct has none.
std::vector<std::int64_t> strides_of(const Layout& layout) {
  if (layout.strides) return *layout.strides;
  return reference::row_major_strides(layout.shape).value_or(std::vector<std::int64_t>(layout.shape.size(), 0));
}

std::string address_text(std::int64_t bits) {
  const std::int64_t byte = bits >= 0 || bits % 8 == 0 ? bits / 8 : bits / 8 - 1;
  const std::int64_t rest = bits - byte * 8;
  return fmt::format("data{}{}{}", byte < 0 ? '-' : '+', std::abs(byte), rest == 0 ? "" : fmt::format(".{}", rest));
}

// A tensor that can be drawn: small extents, and strides that lead nowhere far.
struct Axes {
  std::vector<std::int64_t> shape;    // as drawn
  std::vector<std::int64_t> strides;  // in places
  bool is_cut = false;
};

// The first indices of each axis: never more than most_in_axis, and fewer of the longest where that is too many.
Axes cut_axes(const Layout& layout) {
  Axes axes{layout.shape, strides_of(layout)};
  for (std::int64_t& extent : axes.shape) extent = std::min(extent, most_in_axis);
  const auto count = [&] {
    return std::accumulate(axes.shape.begin(), axes.shape.end(), std::int64_t{1}, std::multiplies<>());
  };
  while (count() > most_elements) {
    auto longest = std::max_element(axes.shape.begin(), axes.shape.end());
    *longest = (*longest + 1) / 2;
  }
  axes.is_cut = axes.shape != layout.shape;
  return axes;
}

// The elements in index order: index and place, counted from element 0.
struct Element {
  std::string index;
  std::int64_t place = 0;
};

std::vector<Element> elements_of(const Axes& axes) {
  std::vector<Element> elements;
  std::vector<std::int64_t> index(axes.shape.size(), 0);
  for (;;) {
    Element element;
    element.index = index.empty() ? "()" : fmt::format("{}", fmt::join(index, ","));
    for (std::size_t i = 0; i < index.size(); ++i) element.place += index[i] * axes.strides[i];
    elements.push_back(std::move(element));
    std::size_t axis = index.size();
    while (axis > 0 && ++index[axis - 1] == axes.shape[axis - 1]) index[--axis] = 0;
    if (axis == 0) return elements;
  }
}

bool leads_far(const Axes& axes) {
  for (std::size_t i = 0; i < axes.shape.size(); ++i) {
    if (axes.shape[i] > 1 && (axes.strides[i] > farthest || axes.strides[i] < -farthest)) return true;
  }
  return false;
}

class Painter {
 public:
  Painter(const Drawn& drawn, Axes axes, std::size_t width) : drawn_(drawn), axes_(std::move(axes)), width_(width) {
    bits_ = drawn_.storage_bits;
    start_bits_ = static_cast<std::int64_t>(drawn_.layout.byte_offset) * 8;
    for (const Element& element : elements_of(axes_)) {
      low_ = std::min(low_, element.place);
      high_ = std::max(high_, element.place);
      std::vector<std::string>& here = places_[element.place];
      here.push_back(element.index);
    }
    for (const auto& [place, indices] : places_) longest_ = std::max(longest_, shown(indices).size());
    if (drawn_.memory) reach_memory(*drawn_.memory);
  }

  void paint(Picture& picture) {
    choose_rows();
    add_rows(picture);
    add_steps(picture);
  }

 private:
  static std::string shown(const std::vector<std::string>& indices) {
    return indices.size() == 1 ? indices.front() : fmt::format("{}+{}", indices.front(), indices.size() - 1);
  }

  // The whole places of the memory, where they are not far from the elements.
  void reach_memory(const std::pair<std::int64_t, std::int64_t>& memory) {
    const std::int64_t first = (memory.first * 8 - start_bits_) / bits_;
    const std::int64_t last = (memory.second * 8 - start_bits_) / bits_ - 1;
    if (first < low_ && low_ - first <= near) low_ = first;
    if (last > high_ && last - high_ <= near) high_ = last;
  }

  // As many places in a row as a step along some axis spans, so that its elements stand below each other; else as many
  // as fit. A row begins at a whole byte.
  void choose_rows() {
    const std::size_t cell = longest_ + 2;  // brackets, or blanks
    const auto fitting = static_cast<std::int64_t>(
        std::max<std::size_t>(1, (width_ > address_width ? width_ - address_width : cell) / cell));
    while (bits_ * in_byte_ % 8 != 0) in_byte_ *= 2;
    constexpr std::int64_t least = 3;
    row_length_ = 0;
    for (std::size_t i = 0; i < axes_.shape.size(); ++i) {
      const std::int64_t step = std::abs(axes_.strides[i]);
      if (axes_.shape[i] > 1 && step >= least && step <= fitting && step % in_byte_ == 0)
        row_length_ = std::max(row_length_, step);
    }
    rows_are_steps_ = row_length_ != 0;
    if (drawn_.row_length > 0) row_length_ = drawn_.row_length;
    begin_ = first_place();
    begin_ -= (begin_ % in_byte_ + in_byte_) % in_byte_;
    if (row_length_ != 0) return;
    const std::int64_t all = (high_ - begin_ + in_byte_) / in_byte_ * in_byte_;
    row_length_ = std::max(in_byte_, std::min(fitting / in_byte_ * in_byte_, all));
  }

  // The lowest element, or data where element 0 is not far behind it.
  [[nodiscard]] std::int64_t first_place() const {
    const std::int64_t data = -(start_bits_ / bits_);
    return start_bits_ % bits_ == 0 && data < low_ && low_ - data <= near ? data : low_;
  }

  [[nodiscard]] bool is_outside(std::int64_t place) const {
    if (!drawn_.memory) return false;
    const std::int64_t from = start_bits_ + place * bits_;
    return from < drawn_.memory->first * 8 || from + bits_ > drawn_.memory->second * 8;
  }

  [[nodiscard]] PictureCell cell_at(std::int64_t place) const {
    const auto found = places_.find(place);
    if (found == places_.end()) return {is_outside(place) ? Place::guard : Place::gap, ""};
    PictureCell cell{Place::element, shown(found->second)};
    if (found->second.size() > 1) cell.place = Place::shared;
    if (place == 0) cell.place = Place::first;
    if (is_outside(place)) cell.place = Place::outside;
    return cell;
  }

  [[nodiscard]] std::int64_t byte_aligned(std::int64_t place) const {
    return place - ((place - begin_) % in_byte_ + in_byte_) % in_byte_;
  }

  // Places without elements that fill more than a row are counted and not visited: a stride may span billions.
  void add_rows(Picture& picture) {
    for (std::int64_t row = begin_; row <= high_;) {
      const auto next = places_.lower_bound(row);
      const std::int64_t element = next == places_.end() ? row : next->first;
      if (element >= row + row_length_ && row != begin_) {
        const std::int64_t to =
            rows_are_steps_ ? row + (element - row) / row_length_ * row_length_ : byte_aligned(element);
        picture.rows.push_back({fmt::format("... {} {} {}", to - row, to - row == 1 ? "place" : "places",
                                            axes_.is_cut ? "not drawn" : "without elements"),
                                {}});
        row = to;
      }
      if (picture.rows.size() >= most_rows) {
        picture.rows.push_back({"... more, up to " + address_text(start_bits_ + (high_ + 1) * bits_), {}});
        return;
      }
      row += add_row(picture, row);
    }
  }

  // The number of places in the row. What follows the last element before a far one is left to the count.
  std::int64_t add_row(Picture& picture, std::int64_t from) {
    PictureRow row{address_text(start_bits_ + from * bits_), {}};
    std::int64_t last = std::min(from + row_length_ - 1, high_);
    const auto beyond = places_.lower_bound(last + 1);
    if (!rows_are_steps_ && beyond != places_.end() && beyond->first > last + row_length_) {
      const auto element = std::prev(beyond);
      if (element->first >= from) last = element->first;
    }
    for (std::int64_t place = from; place <= last; ++place) {
      where_[place] = {picture.rows.size(), row.cells.size()};
      row.cells.push_back(cell_at(place));
    }
    picture.rows.push_back(std::move(row));
    return last - from + 1;
  }

  void add_steps(Picture& picture) {
    if (const auto first = where_.find(0); first != where_.end())
      std::tie(picture.first_row, picture.first_column) = first->second;
    for (std::size_t i = 0; i < axes_.shape.size(); ++i) {
      const std::int64_t extent = drawn_.layout.shape[i];
      PictureStep step{i, extent, extent > 1 ? axes_.strides[i] : 0, 0, {}, {}};
      step.bits = step.places * bits_;
      const auto target = where_.find(step.places);
      if (extent > 1 && target != where_.end()) {
        step.row = target->second.first;
        step.column = target->second.second;
      }
      picture.steps.push_back(step);
    }
  }

  const Drawn& drawn_;
  Axes axes_;
  std::size_t width_;
  std::int64_t bits_ = 8, start_bits_ = 0;
  std::int64_t low_ = 0, high_ = 0;  // the reach, in places from element 0
  std::map<std::int64_t, std::vector<std::string>> places_;
  std::map<std::int64_t, std::pair<std::size_t, std::size_t>> where_;
  std::size_t longest_ = 1;
  std::int64_t row_length_ = 1, begin_ = 0;
  std::int64_t in_byte_ = 1;     // a row begins at a multiple of as many places, which fill whole bytes
  bool rows_are_steps_ = false;  // a row is as long as a step along some axis
};

std::string heading_of(const Drawn& drawn) {
  const Layout& layout = drawn.layout;
  return fmt::format("{}, shape {}, strides {}, byte_offset {}", dtype_name(layout.dtype), tuple(layout.shape),
                     layout.strides ? tuple(*layout.strides) : std::string("NULL (row-major)"), layout.byte_offset);
}

// Why the layout cannot be drawn; "" where it can.
std::string obstacle(const Drawn& drawn) {
  const Layout& layout = drawn.layout;
  if (layout.strides && layout.strides->size() != layout.shape.size())
    return "There are not as many strides as extents.";
  if (!reference::extents_valid(layout.shape)) return "An extent is negative: no index exists.";
  if (reference::is_empty(layout.shape)) return "An extent is 0: the tensor has no elements, and no memory is its own.";
  if (layout.shape.size() > most_axes) return fmt::format("More than {} axes are not drawn.", most_axes);
  if (drawn.storage_bits == 0) return "An element has no bits.";
  constexpr std::uint64_t largest = std::uint64_t{1} << 56;
  if (layout.byte_offset > largest) return "byte_offset leads too far away to be drawn.";
  return "";
}

}  // namespace

Picture picture_of(const Drawn& drawn, std::size_t width) {
  Picture picture;
  picture.heading = heading_of(drawn);
  picture.impossible = obstacle(drawn);
  if (!picture.impossible.empty()) return picture;
  Axes axes = cut_axes(drawn.layout);
  if (leads_far(axes)) {
    picture.impossible = "A stride leads too far away to be drawn.";
    return picture;
  }
  picture.places = fmt::format(
      "Each place is one element of {}. At the left: where the row begins, in bytes from the "
      "pointer data.",
      byte_text(drawn.storage_bits));
  if (axes.is_cut)
    picture.left_out = fmt::format("Of the elements only those of indices below {} are drawn.", tuple(axes.shape));
  Painter(drawn, std::move(axes), width).paint(picture);
  return picture;
}

}  // namespace dlspec::conformance
