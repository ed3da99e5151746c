#include <algorithm>
#include <numeric>

#include <dlspec/optimized/cuda/schedule/box_plans.h>
#include <dlspec/optimized/cuda/schedule/walks.h>

namespace dlspec::optimized::cuda {
namespace {

constexpr std::int64_t word_bytes = 4;  // of accesses to pieces that are smaller
constexpr std::int64_t warp_row = 128;  // bytes of a warp's access of 4 bytes per thread
constexpr std::int64_t sector = 32;     // bytes
constexpr std::int64_t large_box = 16 << 10;
constexpr std::int64_t large_row = 256;

// One plan in the making.
class SharedTile {
 public:
  SharedTile(BoxAxes& axes, Alignment alignment, CudaPlan& plan)
      : axes_(axes),
        alignment_(alignment),
        plan_(plan),
        pieces_(plan.width < word_bytes ? word_bytes / plan.width : 1) {}

  void run() {
    choose_box();
    set_skew();
    reverse_source_chain();
    place_in_shared_memory();
    set_grid(axes_, plan_);
    set_threads(plan_);
  }

 private:
  [[nodiscard]] bool has_words() const { return pieces_ > 1; }

  void choose_box() {
    const bool large = plan_.bytes >= min_blocks * large_box / 2;
    const std::int64_t row = has_words() || !large ? warp_row : large_row;
    const std::int64_t bytes = std::clamp<std::int64_t>(plan_.bytes / min_blocks, 1024, large_box / 2);
    axes_.grow_tile(row, bytes, large_box);
    axes_.finish();
    for (int i = 0; i < axes_.size(); ++i) {
      if (axes_[i].split != no_split) round_part(axes_[i]);
    }
    axes_.finish();  // an axis may have become complete
    to_aligned_ = alignment_.to >= word_bytes && strides_are_words(&BoxAxis::to, &BoxAxis::to_chain);
    from_aligned_ = alignment_.from >= word_bytes && strides_are_words(&BoxAxis::from, &BoxAxis::from_chain);
    if (has_words()) {
      plan_.to_alignment = to_aligned_ ? word_bytes : plan_.width;
      plan_.from_alignment = from_aligned_ ? word_bytes : plan_.width;
    }
  }

  // Rows of whole sectors. Where words begin anywhere, a row and the rest of its first word fill a warp's access.
  void round_part(BoxAxis& axis) {
    const std::int64_t inner = (axis.to_chain     ? axes_.to_row()
                                : axis.from_chain ? axes_.from_row()
                                                  : axis.box * plan_.width) /
                               axis.box;
    const std::int64_t whole = sector / std::gcd(sector, inner);
    const std::int64_t more = std::min((axis.box + whole - 1) / whole * whole, axis.extent);
    const bool fits = axes_.box_bytes() / axis.box * more <= large_box;
    const std::int64_t less = axis.box / whole * whole;
    if (axis.box > whole / 2 && (fits || less > 0)) axis.box = fits ? more : less;
    if (!has_words() || axis.to_chain || !axis.from_chain) return;
    const bool aligned = alignment_.from >= word_bytes && strides_are_words(&BoxAxis::from, &BoxAxis::from_chain);
    const std::int64_t shorter = (axis.box * inner / warp_row * warp_row - word_bytes + plan_.width) / inner;
    if (!aligned && shorter > 1) axis.box = shorter;
  }

  // Do all rows begin at words, if the first run does?
  [[nodiscard]] bool strides_are_words(std::int64_t BoxAxis::* stride, bool BoxAxis::* chain) const {
    for (int i = 0; i < axes_.size(); ++i) {
      const BoxAxis& axis = axes_[i];
      const bool in_chain = axis.*chain, has_part = axis.split != no_split;
      // A chain that runs backwards begins at its last piece.
      const bool backwards = in_chain && axis.*stride < 0;
      if (backwards && (has_part || (axis.box - 1) * axis.*stride % word_bytes != 0)) return false;
      if ((!in_chain || has_part) && axis.*stride * (in_chain ? axis.box : 1) % word_bytes != 0) return false;
    }
    return true;
  }

  // Rows of the destination that begin anywhere, and of which a block has a part, are cut at words.
  void set_skew() {
    if (!has_words() || to_aligned_ || axes_.to_chain() == 0) return;
    BoxAxis& row = axes_[0];
    if (row.split != 0 || row.to != plan_.width || row.box % pieces_ != 0 || (row.from_chain && row.from < 0)) return;
    skewed_ = true;
    const auto skew = static_cast<std::uint32_t>(pieces_ - 1);
    plan_.splits[0].skew = skew;
    plan_.to_base -= skew * row.to;
    plan_.from_base -= skew * row.from;
  }

  // Words of the source are read forwards: a chain that runs backwards begins at its other end.
  void reverse_source_chain() {
    if (!has_words()) return;
    for (int i = 0; i < axes_.size(); ++i) {
      BoxAxis& axis = axes_[i];
      if (!axis.from_chain || axis.from > 0) continue;
      if (axis.split != no_split) {
        plan_.splits[axis.split].from_reversed = axis.from;
      } else {
        plan_.from_base += (axis.box - 1) * axis.from;
      }
    }
  }

  // Extent of an axis in shared memory.
  [[nodiscard]] std::int64_t stored(int i) const { return axes_[i].box + (skewed_ && i == 0 ? pieces_ - 1 : 0); }

  // In the order of the source: its chain, then the rows that follow, `extra` pieces apart.
  void set_shared_strides(std::int64_t extra) {
    std::int64_t next = plan_.width;
    bool in_chain = true;
    for (int i = 0; i < axes_.from_size(); ++i) {
      BoxAxis& axis = axes_[axes_.from_order(i)];
      if (axis.box == 1) continue;
      if (in_chain && !axis.from_chain) next += extra * plan_.width;
      in_chain = axis.from_chain;
      axis.shared = static_cast<std::int32_t>(next);
      next *= stored(axes_.from_order(i));
    }
    plan_.shared_base = 0;
    for (int i = 0; i < axes_.size(); ++i) {
      BoxAxis& axis = axes_[i];
      if (axis.from == 0 || axis.box == 1) axis.shared = 0;
      if (!is_reversed(axis)) continue;
      if (axis.split != no_split) {
        plan_.splits[axis.split].shared_reversed = axis.shared;
      } else {
        plan_.shared_base += static_cast<std::uint32_t>((axis.box - 1) * axis.shared);
      }
    }
    shared_bytes_ = next;
  }

  [[nodiscard]] bool is_reversed(const BoxAxis& axis) const { return has_words() && axis.from_chain && axis.from < 0; }

  // Tries distances between rows, and padding, until no two threads of a warp meet at a bank.
  void place_in_shared_memory() {
    const std::int64_t unit = std::max<std::int64_t>(plan_.width, word_bytes), units = warp_row / unit;
    // Rows that are odd numbers of pieces apart suit plain transposes.
    for (std::int64_t extra = 0; extra < pieces_ || extra < 2; ++extra) consider(extra, 0);
    consider(0, static_cast<std::uint32_t>(unit));
    const std::int64_t odd = best_extra_ % pieces_;
    for (std::int64_t i = 2; i < units; ++i) consider(odd + i * pieces_, 0);
    static_cast<void>(try_layout(best_extra_, best_pad_));
    plan_.shared_bytes = static_cast<std::uint32_t>(shared_bytes_ + (shared_bytes_ >> 7) * best_pad_ + unit);
  }

  void consider(std::int64_t extra, std::uint32_t pad) {
    if (least_cycles_ <= 2.0) return;  // one each for loading and for storing
    const double cycles = try_layout(extra, pad);
    if (cycles >= least_cycles_) return;
    least_cycles_ = cycles;
    best_extra_ = extra;
    best_pad_ = pad;
  }

  double try_layout(std::int64_t extra, std::uint32_t pad) {
    set_shared_strides(extra);
    plan_.shared_pad = pad;
    make_load();
    make_store();
    return bank_cycles(plan_, plan_.load, false) + bank_cycles(plan_, plan_.store, true);
  }

  void make_load() {
    WalkBuilder walk(plan_.load, max_threads);
    if (has_words()) {
      const std::int64_t row = set_chain(plan_.load, &BoxAxis::from_chain);
      walk.add({words(row, from_aligned_), 0, 0, 0, word_coordinate});
    }
    for (int i = 0; i < axes_.from_size(); ++i) {
      const int place = axes_.from_order(i);
      const BoxAxis& axis = axes_[place];
      if (axis.box == 1 || (has_words() && axis.from_chain)) continue;
      walk.add({stored(place), axis.shared, axis.to, axis.from, axis.split});
    }
    walk.finish();
  }

  void make_store() {
    WalkBuilder walk(plan_.store, max_threads);
    if (has_words()) {
      const std::int64_t row = set_chain(plan_.store, &BoxAxis::to_chain);
      walk.add({skewed_ ? axes_[0].box / pieces_ : words(row, to_aligned_), 0, 0, 0, word_coordinate});
      set_chain_axes();
    }
    for (int i = 0; i < axes_.size(); ++i) {
      const BoxAxis& axis = axes_[i];
      if (axis.box == 1 || (has_words() && axis.to_chain)) continue;
      walk.add({axis.box, store_shared(axis), axis.to, axis.from, axis.split});
    }
    walk.finish();
  }

  [[nodiscard]] std::int32_t store_shared(const BoxAxis& axis) const {
    return is_reversed(axis) ? -axis.shared : axis.shared;
  }

  [[nodiscard]] std::int64_t words(std::int64_t row, bool aligned) const {
    return (row + (aligned ? pieces_ - 1 : 2 * pieces_ - 2)) / pieces_;
  }

  // Pieces of the chain, and which split ends it.
  std::int64_t set_chain(Walk& walk, bool BoxAxis::* chain) {
    std::int64_t row = 1;
    walk.chain_split = -1;
    walk.chain_inner = 1;
    const bool loads = chain == &BoxAxis::from_chain;
    for (int i = 0; i < (loads ? axes_.from_size() : axes_.size()); ++i) {
      const int place = loads ? axes_.from_order(i) : i;
      const BoxAxis& axis = axes_[place];
      if (!(axis.*chain)) continue;
      if (axis.split != no_split) {
        walk.chain_split = axis.split;
        walk.chain_inner = static_cast<std::uint32_t>(row);
      }
      row *= loads ? stored(place) : axis.box;
    }
    walk.chain_pieces = static_cast<std::uint32_t>(row);
    return row;
  }

  void set_chain_axes() {
    plan_.chain_axes = 0;
    for (int i = 0; i < axes_.size(); ++i) {
      const BoxAxis& axis = axes_[i];
      if (!axis.to_chain) continue;
      plan_.chain[plan_.chain_axes++] = {make_divisor(static_cast<std::uint32_t>(axis.box)), store_shared(axis)};
    }
    if (plan_.chain_axes == 0) plan_.chain[plan_.chain_axes++] = {make_divisor(2), 0};
  }

  BoxAxes& axes_;
  const Alignment alignment_;
  CudaPlan& plan_;
  const std::int64_t pieces_;  // of a word
  bool to_aligned_ = false;
  bool from_aligned_ = false;
  bool skewed_ = false;
  std::int64_t shared_bytes_ = 0;
  double least_cycles_ = 1e9;
  std::int64_t best_extra_ = 0;
  std::uint32_t best_pad_ = 0;
};

}  // namespace

void plan_shared_tile(BoxAxes& axes, Alignment alignment, CudaPlan& plan) {
  plan.kernel = Kernel::shared_tile;
  SharedTile(axes, alignment, plan).run();
}

}  // namespace dlspec::optimized::cuda
