#include <dlspec/optimized/rearrange/plan/lane_shuffle.h>

#include <dlspec/optimized/rearrange/plan/arithmetic.h>

namespace dlspec::optimized {
namespace {

constexpr auto window_bytes = static_cast<std::int64_t>(window_width);
constexpr std::int64_t max_gap = 2048;  // bytes, half a page: every page between elements so close holds one of them
constexpr std::uint8_t zero_byte = 128;

class LaneShuffler {
 public:
  LaneShuffler(const ByteShuffle& shuffle, std::int64_t lanes, LaneShuffle& lane_shuffle)
      : shuffle_(shuffle), lanes_(lanes), result_(lane_shuffle) {
    result_.vectors = 0;
    result_.first[0] = 0;
  }

  bool make() {
    if (!find_runs()) return false;
    find_spans();
    for (std::size_t i = 0; i < runs_; ++i) {
      if (!add_run(run_[i])) return false;
    }
    return true;
  }

 private:
  // Contiguous bytes of the destination; source_of_ holds their sources from `first` on.
  struct Run {
    std::int64_t to;
    std::int64_t bytes;
    std::size_t first;
  };
  // Bytes of the source from `first` to `last` without a gap as large as a page.
  struct Span {
    std::int64_t first;
    std::int64_t last;
  };

  // The indices of the windows, sorted by offset.
  static void sort(const Window* windows, std::size_t count, std::size_t* order) {
    for (std::size_t i = 0; i < count; ++i) {
      std::size_t source = i;
      for (; source > 0 && windows[order[source - 1]].offset > windows[i].offset; --source) {
        order[source] = order[source - 1];
      }
      order[source] = i;
    }
  }

  void find_spans() {
    std::size_t order[max_windows];
    sort(shuffle_.source, shuffle_.sources, order);
    for (std::size_t i = 0; i < shuffle_.sources; ++i) {
      const Window& window = shuffle_.source[order[i]];
      if (window.mask == 0) continue;
      const std::int64_t first = window.offset + __builtin_ctzll(window.mask);
      const std::int64_t last = window.offset + window_bytes - 1 - __builtin_clzll(window.mask);
      if (spans_ == 0 || first - span_[spans_ - 1].last > max_gap) {
        span_[spans_++] = {first, last};
      } else {
        span_[spans_ - 1].last = max(span_[spans_ - 1].last, last);
      }
      span_of_[order[i]] = spans_ - 1;
    }
  }

  // Finds the source of every destination byte, and the contiguous runs of the destination. False if a run is shorter
  // than a lane.
  bool find_runs() {
    std::size_t order[max_windows], next = 0;
    sort(shuffle_.destination, shuffle_.destinations, order);
    for (std::size_t i = 0; i < shuffle_.destinations; ++i) {
      const std::size_t d = order[i];
      std::uint16_t sources[window_width];
      for (std::size_t m = shuffle_.first_step[d]; m < shuffle_.first_step[d + 1]; ++m) {
        const ShuffleStep& shuffle_step = shuffle_.steps[m];
        for (std::uint64_t left = shuffle_step.mask; left != 0; left &= left - 1) {
          const auto byte = static_cast<std::size_t>(__builtin_ctzll(left));
          sources[byte] =
              static_cast<std::uint16_t>(2 * window_width * shuffle_step.source_pair + shuffle_step.index[byte]);
        }
      }
      const Window& window = shuffle_.destination[d];
      for (std::uint64_t left = window.mask; left != 0; left &= left - 1) {
        const auto byte = static_cast<std::size_t>(__builtin_ctzll(left));
        const std::int64_t to = window.offset + static_cast<std::int64_t>(byte);
        if (runs_ == 0 || run_[runs_ - 1].to + run_[runs_ - 1].bytes != to) {
          if (!last_run_fills_lane()) return false;
          run_[runs_++] = {to, 0, next};
        }
        ++run_[runs_ - 1].bytes;
        source_of_[next++] = sources[byte];
      }
    }
    return last_run_fills_lane();
  }

  // True unless the last run is shorter than a lane.
  [[nodiscard]] bool last_run_fills_lane() const { return runs_ == 0 || run_[runs_ - 1].bytes >= lane_width; }

  // Covers a run with vectors, the last of which may overlap the previous one, or with two lanes that may overlap.
  bool add_run(const Run& run) {
    const std::int64_t width = lanes_ * lane_width;
    if (run.bytes < width) return add_vector(run, 0, run.bytes - lane_width);
    for (std::int64_t done = 0; done < run.bytes; done += width) {
      const std::int64_t offset = min(done, run.bytes - width);
      if (!add_vector(run, offset, offset + lane_width)) return false;
    }
    return true;
  }

  // One vector: the run's bytes from `low` on in the first lane and from `high` on in the second.
  bool add_vector(const Run& run, std::int64_t low, std::int64_t high) {
    if (result_.vectors == max_lane_vectors) return false;
    const std::size_t v = result_.vectors++, first = result_.first[v];
    std::size_t max_count = 0;
    std::size_t count[max_lanes];
    for (std::int64_t lane = 0; lane < lanes_; ++lane) {
      const std::int64_t offset = lane == 0 ? low : high;
      result_.to[v][lane] = run.to + offset;
      count[lane] = add_lane(run.first + static_cast<std::size_t>(offset), first, lane);
      if (count[lane] == 0) return false;
      if (count[lane] > max_count) max_count = count[lane];
    }
    // A lane with fewer steps repeats its first load and takes nothing from it.
    for (std::int64_t lane = 0; lane < lanes_; ++lane) {
      for (std::size_t step = first + count[lane]; step < first + max_count; ++step) {
        begin_step(step, lane, result_.from[first][lane]);
      }
    }
    result_.first[v + 1] = first + max_count;
    return first + max_count <= max_lane_steps;
  }

  void begin_step(std::size_t step, std::int64_t lane, std::int64_t from) {
    result_.from[step][lane] = from;
    for (std::int64_t i = 0; i < lane_width; ++i) result_.control[step][lane * lane_width + i] = zero_byte;
  }

  // Greedy: loads 16 bytes from the lowest byte that is still missing, and takes all that they hold. Returns the number
  // of steps, or 0.
  std::size_t add_lane(std::size_t first, std::size_t step, std::int64_t lane) {
    std::int64_t from[lane_width];
    for (std::int64_t i = 0; i < lane_width; ++i) {
      const std::size_t source = source_of_[first + static_cast<std::size_t>(i)];
      from[i] = shuffle_.source[source / window_width].offset + static_cast<std::int64_t>(source % window_width);
    }
    std::uint32_t wanted = (1u << lane_width) - 1;
    std::size_t steps = 0;
    for (; wanted != 0; ++steps) {
      if (steps == max_steps_per_vector || step + steps == max_lane_steps) return 0;
      std::int64_t lowest = __builtin_ctz(wanted);
      for (std::int64_t i = lowest + 1; i < lane_width; ++i) {
        if ((wanted >> i & 1) != 0 && from[i] < from[lowest]) lowest = i;
      }
      const Span& span = span_[span_of_[source_of_[first + static_cast<std::size_t>(lowest)] / window_width]];
      const std::int64_t offset = min(from[lowest], span.last - lane_width + 1);
      if (offset < span.first) return 0;
      begin_step(step + steps, lane, offset);
      for (std::int64_t i = 0; i < lane_width; ++i) {
        const std::int64_t source = from[i] - offset;
        if ((wanted >> i & 1) == 0 || source < 0 || source >= lane_width) continue;
        result_.control[step + steps][lane * lane_width + i] = static_cast<std::uint8_t>(source);
        wanted &= ~(1u << i);
      }
    }
    return steps;
  }

  const ByteShuffle& shuffle_;
  const std::int64_t lanes_;
  LaneShuffle& result_;
  std::size_t runs_ = 0;
  std::size_t spans_ = 0;
  Span span_[max_windows];
  std::size_t span_of_[max_windows];  // by source window
  Run run_[max_windows * window_width / 2];
  std::uint16_t source_of_[max_windows * window_width];  // 64 * window + byte
};

}  // namespace

bool make_lane_shuffle(const Geometry& geometry, const ShuffleTile& tile, const ByteShuffle& shuffle,
                       std::int64_t width, LaneShuffle& lane_shuffle) noexcept {
  LaneShuffler shuffler(shuffle, width / lane_width, lane_shuffle);
  if (!shuffler.make()) return false;
  lane_shuffle.tail_to = lane_shuffle.tail_from = 0;
  if (shuffle.has_tail) {
    const Axis& axis = geometry.axes[tile.axis];
    const std::int64_t tail = axis.extent % tile.extents[tile.axis];
    lane_shuffle.tail_to = tail * axis.to;
    lane_shuffle.tail_from = tail * axis.from;
  }
  return true;
}

}  // namespace dlspec::optimized
