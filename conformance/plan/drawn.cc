#include <dlspec/conformance/plan/drawn.h>

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <iterator>
#include <map>
#include <mutex>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include <dlspec/conformance/plan/drawn_dtypes.h>
#include <dlspec/conformance/plan/sequence_generator.h>
#include <dlspec/conformance/plan/side_rows.h>
#include <dlspec/conformance/plan/thorough.h>

namespace dlspec::conformance {
namespace {

constexpr std::string_view prefix = "drawn";
constexpr std::uint32_t most_layouts = 100'000;
constexpr std::size_t rows_of_a_run = 240;
constexpr std::uint32_t first_special = 160;  // from here on every fourth layout is long, every second dtype drawn
constexpr std::size_t rows_when_thorough = 1600;
// Rows are appended to the table: as long as these are the first, the paths that are drawn stay.
constexpr std::size_t rows_to_draw_from = 7510;
constexpr std::int64_t most_elements = 64;     // some libraries read one by one, and some paths read them 300 times
constexpr std::int64_t most_when_long = 2200;  // elements: more than a block or a vector register has
constexpr std::int64_t longest_span = 4096;    // elements

// Mostly few axes: one to four in 3 of 4 layouts, up to twelve in the others.
std::size_t draw_rank(SequenceRandom& random) {
  return random.below(4) != 0 ? 1 + random.below(4) : 5 + random.below(8);
}

std::vector<std::int64_t> draw_shape(SequenceRandom& random) {
  constexpr std::int64_t extents[] = {2, 2, 3, 3, 4, 5, 7};
  constexpr std::size_t one_of = 10;  // axes has a single place
  const std::size_t rank = draw_rank(random);
  std::vector<std::int64_t> shape;
  std::int64_t elements = 1;
  for (std::size_t axis = 0; axis < rank; ++axis) {
    std::int64_t extent = random.below(one_of) == 0 ? 1 : extents[random.below(std::size(extents))];
    if (elements * extent > most_elements) extent = elements * 2 <= most_elements ? 2 : 1;
    elements *= extent;
    shape.push_back(extent);
  }
  if (elements == 1) shape.front() = 5;  // one element has no order
  return shape;
}

// How often an axis has what a layout may have, in a hundred axes. Not both of the last two: wrong elements are
// reported under the rule on one of them.
struct Likelihood {
  std::size_t gap = 0, negative = 0, repeated = 0;
};

Likelihood draw_likelihood(SequenceRandom& random) {
  constexpr std::size_t some[] = {0, 0, 30, 100};
  Likelihood likely;
  likely.gap = some[random.below(4)];
  if (random.below(6) == 0) {
    likely.repeated = 40;
  } else {
    likely.negative = some[random.below(4)];
  }
  return likely;
}

// Two or three axes, one of which, at least, has more elements than a block has, and no power of 2.
std::vector<std::int64_t> draw_long_shape(SequenceRandom& random) {
  constexpr std::int64_t extents[] = {17, 21, 33, 35, 40, 65, 67};
  std::vector<std::int64_t> shape{extents[random.below(std::size(extents))], extents[random.below(std::size(extents))]};
  if (shape[0] * shape[1] > most_when_long) shape[0] = 1 + shape[0] % 16;
  if (random.below(2) == 0) std::swap(shape[0], shape[1]);
  if (shape[0] * shape[1] * 2 <= most_when_long && random.below(2) == 0)
    shape.insert(shape.begin() + static_cast<std::ptrdiff_t>(random.below(3)), 2);
  return shape;
}

bool is_long(std::uint32_t number) { return number >= first_special && number % 4 == 3; }

LayoutRow draw_layout(SequenceRandom& random, bool long_axes) {
  LayoutRow row;
  row.shape = long_axes ? draw_long_shape(random) : draw_shape(random);
  const Likelihood likely = draw_likelihood(random);
  std::vector<std::int64_t> strides(row.shape.size());
  std::int64_t step = 1, below = 0;  // the next axis's stride; how far elements lie before the first
  std::int64_t left = std::accumulate(row.shape.begin(), row.shape.end(), std::int64_t{1}, std::multiplies<>());
  for (const std::size_t axis : draw_order(random, row.shape.size())) {
    const std::int64_t extent = row.shape[axis];
    strides[axis] = step;
    if (extent == 1) continue;
    const std::int64_t wider = step + (1 + static_cast<std::int64_t>(random.below(4))) * ((step + 1) / 2);
    if (random.below(100) < likely.gap && wider * left <= longest_span) strides[axis] = step = wider;
    left /= extent;
    if (random.below(100) < likely.repeated) {
      strides[axis] = 0;
      continue;
    }
    if (random.below(100) < likely.negative) {
      strides[axis] = -step;
      below += (extent - 1) * step;
    }
    step *= extent;
  }
  row.offset = below + (random.below(2) == 0 ? 0 : static_cast<std::int64_t>(random.below(9)));
  row.strides = std::move(strides);
  return row;
}

bool has_axis(const LayoutRow& row, bool (*is_it)(std::int64_t stride)) {
  for (std::size_t axis = 0; axis < row.shape.size(); ++axis) {
    if (row.shape[axis] > 1 && is_it((*row.strides)[axis])) return true;
  }
  return false;
}

bool is_repeated(const LayoutRow& row) {
  return has_axis(row, [](std::int64_t stride) { return stride == 0; });
}

// As in layouts.def: axes that go backwards always begin behind an offset.
std::vector<RuleId> rules_of(const LayoutRow& row) {
  if (has_axis(row, [](std::int64_t stride) { return stride < 0; })) return {RuleId::tensor_strides_negative_ok};
  std::vector<RuleId> rules;
  if (row.offset != 0) rules.push_back(RuleId::tensor_byte_offset_honoured);
  if (is_repeated(row)) rules.push_back(RuleId::tensor_strides_zero_ok);
  return rules;
}

std::optional<std::uint32_t> number_of(std::string_view name) {
  if (!name.starts_with(prefix)) return std::nullopt;
  name.remove_prefix(prefix.size());
  std::uint32_t number = 0;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), number);
  const bool is_canonical = name == std::to_string(number);
  if (error != std::errc() || end != name.data() + name.size() || !is_canonical || number >= most_layouts)
    return std::nullopt;
  return number;
}

// The levels of both rows, each factor's from one of them.
CoveringRow crossed(const CoveringRow& one, const CoveringRow& other, SequenceRandom& random) {
  CoveringRow row = one;
  for (std::size_t factor = 2; factor < row.size(); ++factor) {
    if (random.below(2) == 0) row[factor] = other[factor];
  }
  return row;
}

// A path of the table that tries no stimulus, and says nothing of the size.
CoveringRow draw_parent(const CoveringModel& model, bool native, Role role, SequenceRandom& random) {
  const std::span<const PathRow> table = path_rows().first(rows_to_draw_from);
  for (;;) {
    const PathRow& row = table[random.below(table.size())];
    if (row.native != native || row.role != role || !stimulus_of(row.variant).empty()) continue;
    if (row.variant.find("size=") == std::string::npos) return covering_row(model, row);
  }
}

template <std::size_t count>
std::vector<PathRow> make_rows(bool native, Role role) {
  const CoveringModel& model = path_model(native, role);
  const std::size_t vectors = covering_row(model, {native, role, "float32x4", "c", "path:ordinary"})[0];
  SequenceRandom random(native ? 1 : 2);
  std::vector<PathRow> rows;
  SequenceRandom random_dtype(native ? 3 : 4);
  while (rows.size() < count) {
    const LayoutRow& layout = *find_layout(std::string(prefix) + std::to_string(rows.size()));
    const CoveringRow one = draw_parent(model, native, role, random);
    CoveringRow levels = crossed(one, draw_parent(model, native, role, random), random);
    if (rows.size() >= first_special && rows.size() % 2 == 1) levels[0] = vectors;
    levels[1] = covering_row(model, {native, role, "float32", table_layout(layout), "path:ordinary"})[1];
    if (!is_allowed(model, levels)) continue;
    rows.push_back(path_of_levels(model, native, role, levels));
    rows.back().layout = layout.name;
    if (rows.size() > first_special && rows.size() % 2 == 0)
      rows.back().dtype = drawn_dtypes()[random_dtype.below(drawn_dtypes().size())];
  }
  return rows;
}

}  // namespace

std::vector<std::size_t> draw_order(SequenceRandom& random, std::size_t rank) {
  std::vector<std::size_t> axes(rank);
  std::iota(axes.rbegin(), axes.rend(), std::size_t{0});
  const std::size_t kind = random.below(3);
  if (kind == 1 && rank > 1) {
    const std::size_t place = random.below(rank - 1);
    std::swap(axes[place], axes[place + 1]);
  }
  for (std::size_t i = rank; kind == 2 && i > 1; --i) std::swap(axes[i - 1], axes[random.below(i)]);
  return axes;
}

const LayoutRow* drawn_layout(std::string_view name) {
  struct Named {
    std::string name;
    LayoutRow row;
  };
  const std::optional<std::uint32_t> number = number_of(name);
  if (!number) return nullptr;
  static std::mutex mutex;
  static std::map<std::uint32_t, Named> known;  // never moves what it has
  const std::lock_guard<std::mutex> lock(mutex);
  const auto [place, is_new] = known.try_emplace(*number);
  if (is_new) {
    SequenceRandom random(*number);
    place->second = {std::string(name), draw_layout(random, is_long(*number))};
    place->second.row.name = place->second.name.c_str();
    place->second.row.drawn = true;
    place->second.row.consumer_rules = rules_of(place->second.row);
  }
  return &place->second.row;
}

const char* table_layout(const LayoutRow& layout) {
  if (!layout.drawn) return layout.name;
  const bool is_large =
      std::accumulate(layout.shape.begin(), layout.shape.end(), std::int64_t{1}, std::multiplies<>()) > most_elements;
  if (is_large) return is_repeated(layout) ? "wide_broadcast" : "wide_strided";
  return is_repeated(layout) ? "broadcast_offset" : "sliced";
}

std::span<const PathRow> drawn_rows(bool native, Role role, bool thorough) {
  static SideRows few(make_rows<rows_of_a_run>), many(make_rows<rows_when_thorough>);
  return (thorough ? many : few).of(native, role);
}

}  // namespace dlspec::conformance
