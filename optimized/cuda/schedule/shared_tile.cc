#include <algorithm>
#include <numeric>

#include <dlspec/optimized/cuda/schedule/box_plans.h>
#include <dlspec/optimized/cuda/schedule/shared_memory.h>
#include <dlspec/optimized/cuda/schedule/walks.h>

namespace dlspec::optimized::cuda {
namespace {

constexpr std::int64_t warp_row = 128;  // bytes of a warp's access of 4 bytes per thread
constexpr std::int64_t large_box = 16 << 10;
constexpr std::int64_t large_row = 256;

// One plan in the making.
class SharedTile {
 public:
  SharedTile(BoxAxes& axes, Alignment alignment, CudaPlan& plan)
      : axes_(axes),
        alignment_(alignment),
        plan_(plan),
        words_{.pieces = plan.width < word_bytes ? word_bytes / plan.width : 1} {}

  void run() {
    choose_box();
    set_skew();
    reverse_source_chain();
    place_in_shared_memory(axes_, words_, plan_);
    set_grid(axes_, plan_);
    set_threads(plan_);
  }

 private:
  [[nodiscard]] bool has_words() const { return words_.pieces > 1; }

  void choose_box() {
    const bool large = plan_.bytes >= min_blocks * large_box / 2;
    const std::int64_t row = has_words() || !large ? warp_row : large_row;
    const std::int64_t bytes = std::clamp<std::int64_t>(plan_.bytes / (2 * min_blocks), 1024, large_box);
    axes_.grow_tile(row, bytes, large_box);
    axes_.finish();
    for (int i = 0; i < axes_.size(); ++i) {
      if (axes_[i].split != no_split) round_part(axes_[i]);
    }
    axes_.finish();  // an axis may have become complete
    words_.to_aligned = alignment_.to >= word_bytes && are_words(&BoxAxis::to, &BoxAxis::to_chain);
    words_.from_aligned = alignment_.from >= word_bytes && are_words(&BoxAxis::from, &BoxAxis::from_chain);
    if (has_words()) {
      plan_.to_alignment = words_.to_aligned ? word_bytes : plan_.width;
      plan_.from_alignment = words_.from_aligned ? word_bytes : plan_.width;
    }
  }

  // Where rows begin at sectors, or are cut there, they have whole sectors; else they fill the accesses of whole warps.
  void round_part(BoxAxis& axis) {
    const std::int64_t inner = (axis.to_chain     ? axes_.to_row()
                                : axis.from_chain ? axes_.from_row()
                                                  : axis.box * plan_.width) /
                               axis.box;
    if (axis.to_chain ? !is_cut(axis) && !begin_at(sector, &BoxAxis::to, &BoxAxis::to_chain)
                      : axis.from_chain && !begin_at(sector, &BoxAxis::from, &BoxAxis::from_chain)) {
      return fill_warps(axis, inner);
    }
    const std::int64_t whole = sector / std::gcd(sector, inner);
    const std::int64_t more = std::min((axis.box + whole - 1) / whole * whole, axis.extent);
    const bool fits = axes_.box_bytes() / axis.box * more <= large_box;
    const std::int64_t less = axis.box / whole * whole;
    if (axis.box > whole / 2 && (fits || less > 0)) axis.box = fits ? more : less;
  }

  // Will set_skew() cut the rows that end with this axis?
  [[nodiscard]] bool is_cut(const BoxAxis& axis) const {
    return has_words() && &axis == &axes_[0] && !is_reversed(axis);
  }

  // Shortens the rows so that no warp has only the end of one. They may begin and end inside words.
  void fill_warps(BoxAxis& axis, std::int64_t inner) const {
    const std::int64_t word = std::max<std::int64_t>(plan_.width, word_bytes), beside = word - plan_.width;
    const std::int64_t whole = (axis.box * inner + 2 * beside) / (warp_threads * word) * warp_threads * word;
    const std::int64_t shorter = (whole - beside) / inner;
    if (shorter > 1) axis.box = shorter;
  }

  // Do all rows begin at multiples of `bytes`, if the first one does?
  [[nodiscard]] bool begin_at(std::int64_t bytes, std::int64_t BoxAxis::* stride, bool BoxAxis::* chain) const {
    for (int i = 0; i < axes_.size(); ++i) {
      if (!(axes_[i].*chain) && axes_[i].*stride % bytes != 0) return false;
    }
    return true;
  }

  // Do all parts of rows begin at words?
  [[nodiscard]] bool are_words(std::int64_t BoxAxis::* stride, bool BoxAxis::* chain) const {
    for (int i = 0; i < axes_.size(); ++i) {
      const BoxAxis& axis = axes_[i];
      if (!(axis.*chain)) continue;
      const bool has_part = axis.split != no_split;
      // A chain that runs backwards begins at its last piece.
      const bool backwards = axis.*stride < 0;
      if (backwards && (has_part || (axis.box - 1) * axis.*stride % word_bytes != 0)) return false;
      if (has_part && axis.*stride * axis.box % word_bytes != 0) return false;
    }
    return begin_at(word_bytes, stride, chain);
  }

  // Rows of the destination that begin anywhere, and of which a block has a part, are cut at words.
  void set_skew() {
    if (!has_words() || words_.to_aligned || axes_.to_chain() == 0) return;
    BoxAxis& row = axes_[0];
    if (row.split != 0 || row.to != plan_.width || row.box % words_.pieces != 0 || is_reversed(row)) return;
    words_.skewed = true;
    const auto skew = static_cast<std::uint32_t>(words_.pieces - 1);
    plan_.splits[0].skew = skew;
    plan_.to_base -= skew * row.to;
    plan_.from_base -= skew * row.from;
  }

  // Rows of the source are read forwards: a chain that runs backwards begins at its other end.
  void reverse_source_chain() {
    for (int i = 0; i < axes_.size(); ++i) {
      const BoxAxis& axis = axes_[i];
      if (!is_reversed(axis)) continue;
      if (axis.split != no_split) {
        plan_.splits[axis.split].from_reversed = axis.from;
      } else {
        plan_.from_base += (axis.box - 1) * axis.from;
      }
    }
  }

  BoxAxes& axes_;
  const Alignment alignment_;
  CudaPlan& plan_;
  RowWords words_;
};

}  // namespace

void plan_shared_tile(BoxAxes& axes, Alignment alignment, CudaPlan& plan) {
  plan.kernel = Kernel::shared_tile;
  SharedTile(axes, alignment, plan).run();
}

}  // namespace dlspec::optimized::cuda
