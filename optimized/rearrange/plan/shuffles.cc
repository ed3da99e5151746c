#include <dlspec/optimized/rearrange/plan/shuffles.h>

#include <dlspec/optimized/rearrange/plan/numbers.h>

namespace dlspec::optimized {
namespace {

constexpr auto window_width = static_cast<std::int64_t>(program_width);
constexpr std::int64_t close_by = 2048;  // bytes; half a page: between elements so close every page has one of them
constexpr std::uint8_t none = 128;
constexpr std::int64_t least_gain = 2;  // moves of items that a step saves

// What it takes to copy an item by itself.
std::int64_t moves_of(std::int64_t run) { return (run & (run - 1)) == 0 ? 1 : 2; }

class Shuffler {
 public:
  // In at most so many steps.
  Shuffler(const Program& program, std::int64_t lanes, std::int64_t most, Shuffles& shuffles)
      : program_(program), lanes_(lanes), most_(static_cast<std::size_t>(most)), shuffles_(shuffles) {
    shuffles_.vectors = 0;
    shuffles_.first[0] = 0;
  }

  bool make() {
    if (!find_places()) return false;
    find_spans();
    for (std::size_t i = 0; i < runs_; ++i) {
      if (!add_run(run_[i])) return false;
    }
    return true;
  }

 private:
  // Bytes of the destination that lie next to each other; the places that they come from stand in place_ from `first`
  // on.
  struct Run {
    std::int64_t to;
    std::int64_t bytes;
    std::size_t first;
  };
  // Bytes of the source from `first` to `last`, closer to each other than pages.
  struct Span {
    std::int64_t first;
    std::int64_t last;
  };

  // The numbers of the windows, the lowest first.
  static void sort(const Window* windows, std::size_t count, std::size_t* order) {
    for (std::size_t i = 0; i < count; ++i) {
      std::size_t place = i;
      for (; place > 0 && windows[order[place - 1]].offset > windows[i].offset; --place) {
        order[place] = order[place - 1];
      }
      order[place] = i;
    }
  }

  void find_spans() {
    std::size_t order[most_windows];
    sort(program_.source, program_.sources, order);
    for (std::size_t i = 0; i < program_.sources; ++i) {
      const Window& window = program_.source[order[i]];
      if (window.bytes == 0) continue;
      const std::int64_t first = window.offset + __builtin_ctzll(window.bytes);
      const std::int64_t last = window.offset + window_width - 1 - __builtin_clzll(window.bytes);
      if (spans_ == 0 || first - span_[spans_ - 1].last > close_by) {
        span_[spans_++] = {first, last};
      } else {
        span_[spans_ - 1].last = greater(span_[spans_ - 1].last, last);
      }
      span_of_[order[i]] = spans_ - 1;
    }
  }

  // Which byte each byte of the destination comes from, and which of them lie next to each other: at least a lane's
  // bytes.
  bool find_places() {
    std::size_t order[most_windows], next = 0;
    sort(program_.destination, program_.destinations, order);
    for (std::size_t i = 0; i < program_.destinations; ++i) {
      const std::size_t d = order[i];
      std::uint16_t places[program_width];
      for (std::size_t m = program_.first_move[d]; m < program_.first_move[d + 1]; ++m) {
        const Move& move = program_.moves[m];
        for (std::uint64_t left = move.mask; left != 0; left &= left - 1) {
          const auto byte = static_cast<std::size_t>(__builtin_ctzll(left));
          places[byte] = static_cast<std::uint16_t>(2 * program_width * move.sources + move.index[byte]);
        }
      }
      const Window& window = program_.destination[d];
      for (std::uint64_t left = window.bytes; left != 0; left &= left - 1) {
        const auto byte = static_cast<std::size_t>(__builtin_ctzll(left));
        const std::int64_t to = window.offset + static_cast<std::int64_t>(byte);
        if (runs_ == 0 || run_[runs_ - 1].to + run_[runs_ - 1].bytes != to) {
          if (!ends_with_a_lane()) return false;
          run_[runs_++] = {to, 0, next};
        }
        ++run_[runs_ - 1].bytes;
        place_[next++] = places[byte];
      }
    }
    return ends_with_a_lane();
  }

  // Has the last row that was found a lane's bytes?
  [[nodiscard]] bool ends_with_a_lane() const { return runs_ == 0 || run_[runs_ - 1].bytes >= lane_width; }

  // In vectors, the last of which may overlap the one before; or in two lanes that may.
  bool add_run(const Run& run) {
    const std::int64_t width = lanes_ * lane_width;
    if (run.bytes < width) return add_vector(run, 0, run.bytes - lane_width);
    for (std::int64_t done = 0; done < run.bytes; done += width) {
      const std::int64_t at = lesser(done, run.bytes - width);
      if (!add_vector(run, at, at + lane_width)) return false;
    }
    return true;
  }

  // Of the run's bytes from `low` and, in a second lane, from `high` on.
  bool add_vector(const Run& run, std::int64_t low, std::int64_t high) {
    if (shuffles_.vectors == most_shuffled) return false;
    const std::size_t v = shuffles_.vectors++, first = shuffles_.first[v];
    std::size_t most = 0;
    std::size_t count[most_lanes];
    for (std::int64_t lane = 0; lane < lanes_; ++lane) {
      const std::int64_t at = lane == 0 ? low : high;
      shuffles_.to[v][lane] = run.to + at;
      count[lane] = add_lane(run.first + static_cast<std::size_t>(at), first, lane);
      if (count[lane] == 0) return false;
      if (count[lane] > most) most = count[lane];
    }
    // Where a lane has less steps, it reads once more what it has read, and takes nothing of it.
    for (std::int64_t lane = 0; lane < lanes_; ++lane) {
      for (std::size_t step = first + count[lane]; step < first + most; ++step) {
        begin_step(step, lane, shuffles_.from[first][lane]);
      }
    }
    shuffles_.first[v + 1] = first + most;
    return first + most <= most_;
  }

  void begin_step(std::size_t step, std::int64_t lane, std::int64_t from) {
    shuffles_.from[step][lane] = from;
    for (std::int64_t i = 0; i < lane_width; ++i) shuffles_.control[step][lane * lane_width + i] = none;
  }

  // From the lowest byte that is still wanted, all that 16 bytes hold, until nothing is. The number of steps, or 0.
  std::size_t add_lane(std::size_t first, std::size_t step, std::int64_t lane) {
    std::int64_t from[lane_width];
    for (std::int64_t i = 0; i < lane_width; ++i) {
      const std::size_t place = place_[first + static_cast<std::size_t>(i)];
      from[i] = program_.source[place / program_width].offset + static_cast<std::int64_t>(place % program_width);
    }
    std::uint32_t wanted = (1u << lane_width) - 1;
    std::size_t steps = 0;
    for (; wanted != 0; ++steps) {
      if (steps == most_steps || step + steps == most_shuffles) return 0;
      std::int64_t lowest = __builtin_ctz(wanted);
      for (std::int64_t i = lowest + 1; i < lane_width; ++i) {
        if ((wanted >> i & 1) != 0 && from[i] < from[lowest]) lowest = i;
      }
      const Span& span = span_[span_of_[place_[first + static_cast<std::size_t>(lowest)] / program_width]];
      const std::int64_t at = lesser(from[lowest], span.last - lane_width + 1);
      if (at < span.first) return 0;
      begin_step(step + steps, lane, at);
      for (std::int64_t i = 0; i < lane_width; ++i) {
        const std::int64_t place = from[i] - at;
        if ((wanted >> i & 1) == 0 || place < 0 || place >= lane_width) continue;
        shuffles_.control[step + steps][lane * lane_width + i] = static_cast<std::uint8_t>(place);
        wanted &= ~(1u << i);
      }
    }
    return steps;
  }

  const Program& program_;
  const std::int64_t lanes_;
  const std::size_t most_;
  Shuffles& shuffles_;
  std::size_t runs_ = 0;
  std::size_t spans_ = 0;
  Span span_[most_windows];
  std::size_t span_of_[most_windows];  // by source window
  Run run_[most_windows * program_width / 2];
  std::uint16_t place_[most_windows * program_width];  // window and byte
};

}  // namespace

bool make_shuffles(const Geometry& geometry, const Cell& cell, const Program& program, std::int64_t width,
                   Shuffles& shuffles) noexcept {
  std::int64_t moves = moves_of(geometry.run);
  for (std::size_t i = 0; i < geometry.rank; ++i) moves *= cell.items[i];
  Shuffler shuffler(program, width / lane_width, moves / least_gain, shuffles);
  if (!shuffler.make()) return false;
  shuffles.rest_to = shuffles.rest_from = 0;
  if (program.has_part) {
    const Step& axis = geometry.axes[cell.along];
    const std::int64_t rest = axis.extent % cell.items[cell.along];
    shuffles.rest_to = rest * axis.to;
    shuffles.rest_from = rest * axis.from;
  }
  return true;
}

}  // namespace dlspec::optimized
