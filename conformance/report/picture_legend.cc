// The words beside a picture of memory: what its places mean, and where each axis leads.
#include <cstdlib>
#include <map>

#include <fmt/format.h>

#include <dlspec/conformance/report/picture.h>
#include <dlspec/conformance/report/picture_text.h>

namespace dlspec::conformance {

std::vector<PictureLegend> legend_of(const Picture& picture) {
  std::map<Place, std::string> samples;
  for (const PictureRow& row : picture.rows) {
    for (const PictureCell& cell : row.cells) samples.emplace(cell.place, cell.text);
  }
  std::vector<PictureLegend> legend;
  for (const auto& [place, sample] : samples) {
    std::string meaning;
    switch (place) {
      case Place::first:
        meaning = "element 0, at data + byte_offset";
        if (sample.find('+') != std::string::npos) meaning += ", and how many more elements lie there";
        break;
      case Place::element: meaning = "the element with this index"; break;
      case Place::shared: meaning = "several elements in one place: the first index, and how many more"; break;
      case Place::gap:
        meaning = "memory that belongs to no element";
        if (!picture.left_out.empty()) meaning += " that is drawn";
        break;
      case Place::outside: meaning = "an element outside the memory of the tensor"; break;
      case Place::guard: meaning = "memory that is not the tensor's"; break;
    }
    legend.push_back({place, sample, meaning});
  }
  return legend;
}

std::string step_text(const PictureStep& step) {
  const std::string axis = fmt::format("axis {}", step.axis);
  if (step.extent == 1) return axis + " has one index: its stride is never used";
  const std::string indices = fmt::format("{} has {} indices", axis, step.extent);
  if (step.places == 0) return indices + ", all in the same place (stride 0)";
  const std::int64_t places = std::abs(step.places);
  return fmt::format("{}, each {} {} ({}) {} the one before it", indices, places, places == 1 ? "place" : "places",
                     byte_text(step.bits), step.places > 0 ? "after" : "in front of");
}

}  // namespace dlspec::conformance
