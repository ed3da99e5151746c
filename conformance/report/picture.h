// A picture of the memory of a tensor: which element lies where, drawn as text and as SVG.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include <dlspec/vocabulary/layout.h>

namespace dlspec::conformance {

// What is drawn. Addresses count from `data`.
struct Drawn {
  Layout layout;
  std::uint32_t storage_bits = 8;  // from one element to the next, as reference::storage_bits says
  // The memory that there is, in bytes from data; none: not known, and nothing is out of range. What of it is near the
  // elements is drawn in full.
  std::optional<std::pair<std::int64_t, std::int64_t>> memory = {};
  std::int64_t row_length = 0;  // places in a row; 0: as many as fit the strides and the width
};

enum class Place : std::uint8_t {
  first,    // element 0
  element,  // another element
  shared,   // several elements
  gap,      // between elements, or before the first
  outside,  // an element outside the memory
  guard     // outside the memory, without an element
};

struct PictureCell {
  Place place = Place::gap;
  std::string text;  // the index, as "0,1"; "0,1 +2" where two more elements lie here; "" for a gap
};

struct PictureRow {
  std::string address;             // of the first place, as "data-40"
  std::vector<PictureCell> cells;  // none: `address` says what was left out
};

struct PictureStep {  // one step along an axis
  std::size_t axis = 0;
  std::int64_t extent = 0;
  std::int64_t places = 0;
  std::int64_t bits = 0;
  std::optional<std::size_t> row, column;  // where a step from element 0 leads, if that is drawn
};

struct Picture {
  std::string heading;  // "int64, shape (2,6), strides (12,-1), byte_offset 0"
  std::string places;   // "Each place is 8 bytes; ..."
  std::vector<PictureRow> rows;
  std::vector<PictureStep> steps;
  std::string left_out;                         // what is not drawn, as a sentence; or ""
  std::string impossible;                       // why nothing is drawn; or ""
  std::size_t first_row = 0, first_column = 0;  // of element 0
};

// `width`: columns of the text form, which decide how many places stand in a row. Large tensors are cut: of each axis
// the first indices are drawn, and rows in which nothing lies are left out.
[[nodiscard]] Picture picture_of(const Drawn& drawn, std::size_t width = 80);

struct PictureStyle {
  bool unicode = true;
  bool color = false;
};
// With a legend of what occurs. Ends with a line break.
[[nodiscard]] std::string picture_text(const Picture& picture, const PictureStyle& style);

// An <svg> element that needs nothing else: by itself a file, in a page part of it. Light and dark. `id` tells the
// pictures of a page apart.
[[nodiscard]] std::string picture_svg(const Picture& picture, const std::string& id);

// What the kinds of places mean, for those that occur, in the order of Place.
struct PictureLegend {
  Place place;
  std::string sample;  // what such a place shows
  std::string meaning;
};
[[nodiscard]] std::vector<PictureLegend> legend_of(const Picture& picture);

// "Axis 1 has 6 indices; the next one lies 1 place (8 bytes) before the last."
[[nodiscard]] std::string step_text(const PictureStep& step);

}  // namespace dlspec::conformance
