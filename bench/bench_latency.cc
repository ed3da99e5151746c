// What a rearrangement costs before and besides its copying: planning, and copies of so few elements that nothing
// else counts. Usage: see --help.
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <dlspec/optimized/rearrange/rearrange.h>

#include "rearrange_cases.h"

namespace {

using namespace dlspec::bench;
using dlspec::Status;
using dlspec::optimized::Plan;

constexpr const char* usage =
    "usage: bench_latency [--layouts N] [--seed N] [--verbose 1]\n"
    "  --layouts N   random layouts of each rank from 1 to 16 (default 400)\n"
    "  --verbose 1   a line for each case of the table as well\n";
constexpr int batches = 9, many_batches = 99;  // of a random layout, of a case of the table
constexpr std::int64_t small = 64;             // elements

double now() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

// Nanoseconds of one call: the best of some batches, for whatever else the machine does only adds.
double time_of(const std::function<void(int)>& repeat, int count) {
  int times = 1;
  for (;; times *= 2) {
    const double start = now();
    repeat(times);
    if (now() - start > 100e3) break;
  }
  double best = 1e30;
  for (int i = 0; i < count; ++i) {
    const double start = now();
    repeat(times);
    best = std::min(best, (now() - start) / times);
  }
  return best;
}

std::string list(const std::vector<std::int64_t>& numbers) {
  std::string text = "(";
  for (const std::int64_t number : numbers) text += (text.size() > 1 ? "," : "") + std::to_string(number);
  return text + ")";
}

std::string text_of(const RearrangeCase& item) {
  return "item " + std::to_string(item.item) + " " + list(item.shape) + " to " + list(item.to) + " from " +
         list(item.from);
}

double plan_time(const RearrangeCase& item, int count) {
  const auto to = item.to_view(), from = item.from_view();
  Plan plan;
  if (make_plan(to, from, plan) != Status::ok) return -1;
  return time_of(
      [&](int times) {
        for (int i = 0; i < times; ++i) static_cast<void>(make_plan(to, from, plan));
      },
      count);
}

struct Times {
  double planned, one_shot;
};

// A small array lies among others: a vector that reaches beyond its ends, with its places masked, meets pages that are
// there (where they are not, the processor takes up to two microseconds over each). Nor do two arrays begin at the same
// place of a page. And the destination is moved from page to page, the best of which counts: a load that resembles a
// store of the call before, the same place of another page in a sixteenth of all pages, waits for two hundred
// nanoseconds.
constexpr std::size_t page = 4096, pages = 3, apart = 1088;

Times small_times(const RearrangeCase& item, int count) {
  const std::size_t to_size = item.to_size() + (pages + 2) * page, from_size = item.from_size() + 2 * page;
  const Memory to_memory = allocate(to_size), from_memory = allocate(from_size);
  std::memset(to_memory.get(), 1, to_size);
  std::memset(from_memory.get(), 1, from_size);
  const auto to_view = item.to_view(), from_view = item.from_view();
  const std::byte* const from = from_memory.get() + apart + item.from_offset * item.item;
  Plan plan;
  if (make_plan(to_view, from_view, plan) != Status::ok) return {-1, -1};
  Times best{1e30, 1e30};
  for (std::size_t i = 1; i <= pages; ++i) {
    std::byte* const to = to_memory.get() + i * page + item.to_offset * item.item;
    const auto planned = [&](int times) {
      for (int k = 0; k < times; ++k) static_cast<void>(execute(plan, to, from));
    };
    const auto one_shot = [&](int times) {
      for (int k = 0; k < times; ++k) static_cast<void>(rearrange(to_view, to, from_view, from));
    };
    best = {std::min(best.planned, time_of(planned, count)), std::min(best.one_shot, time_of(one_shot, count))};
  }
  return best;
}

// Axes in any order, forwards or backwards, tight or with a gap; of the source some repeated.
class Layouts {
 public:
  explicit Layouts(unsigned seed) : random_(seed) {}

  RearrangeCase next(std::size_t rank, std::int64_t most_elements) {
    RearrangeCase item;
    static constexpr std::uint16_t items[] = {1, 2, 3, 4, 8, 12, 16};
    static constexpr std::int64_t extents[] = {1, 2, 2, 2, 3, 3, 4, 5, 7, 8, 16, 17, 64, 100};
    item.item = items[below(std::size(items))];
    std::int64_t left = most_elements;
    for (std::size_t axis = 0; axis < rank; ++axis) {
      item.shape.push_back(std::min(left, extents[below(std::size(extents))]));
      left /= item.shape.back();
    }
    std::shuffle(item.shape.begin(), item.shape.end(), random_);
    item.to = strides(item, false, item.to_offset);
    item.from = strides(item, true, item.from_offset);
    return item;
  }

 private:
  std::size_t below(std::size_t end) { return random_() % end; }

  std::vector<std::int64_t> strides(const RearrangeCase& item, bool source, std::int64_t& offset) {
    std::vector<std::size_t> order(item.shape.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::shuffle(order.begin(), order.end(), random_);
    std::vector<std::int64_t> result(order.size());
    std::int64_t reached = 1;
    for (const std::size_t axis : order) {
      if (source && below(12) == 0) continue;  // repeated
      reached += below(6) == 0 ? 2 : 0;
      result[axis] = reached;
      reached *= item.shape[axis];
      if (below(6) != 0) continue;
      result[axis] = -result[axis];
      offset -= (item.shape[axis] - 1) * result[axis];
    }
    return result;
  }

  std::mt19937 random_;
};

struct Figures {
  std::vector<double> times;
  std::string worst;
  void add(double time, const std::string& text) {
    if (time < 0) return;
    if (times.empty() || time > *std::max_element(times.begin(), times.end())) worst = text;
    times.push_back(time);
  }
  void print(const char* name) {
    if (times.empty()) return;
    std::sort(times.begin(), times.end());
    const auto at = [&](double part) {
      return times[static_cast<std::size_t>(part * static_cast<double>(times.size() - 1))];
    };
    std::printf("%-34s %6zu %8.0f %8.0f %8.0f  %s\n", name, times.size(), at(0.5), at(0.99), at(1), worst.c_str());
  }
};

void time_cases(bool verbose) {
  Figures plans;
  for (const RearrangeCase& item : read_cases(DLSPEC_BENCH_CASES)) {
    const double plan = plan_time(item, many_batches);
    plans.add(plan, item.name);
    const bool is_small = item.bytes() <= small * item.item;
    const Times times = is_small || item.bytes() <= 256 ? small_times(item, many_batches) : Times{-1, -1};
    if (times.planned >= 0) {
      std::printf("%-34s plan %7.1f   execute %6.1f   one-shot %6.1f\n", item.name.c_str(), plan, times.planned,
                  times.one_shot);
    } else if (verbose) {
      std::printf("%-34s plan %7.1f\n", item.name.c_str(), plan);
    }
  }
  std::printf("\n%-34s %6s %8s %8s %8s  ns\n", "", "count", "median", "99 %", "most");
  plans.print("plan, the table's cases");
}

void time_random(std::size_t count, unsigned seed) {
  Layouts layouts(seed);
  Figures large, planned, one_shot;
  for (std::size_t rank = 1; rank <= 16; ++rank) {
    for (std::size_t i = 0; i < count; ++i) {
      const RearrangeCase any = layouts.next(rank, std::int64_t{1} << 40);
      large.add(plan_time(any, batches), text_of(any));
      const RearrangeCase few = layouts.next(rank, small);
      const Times times = small_times(few, batches);
      planned.add(times.planned, text_of(few));
      one_shot.add(times.one_shot, text_of(few));
    }
  }
  large.print("plan, random layouts");
  planned.print("execute, at most 64 elements");
  one_shot.print("one-shot, at most 64 elements");
}

}  // namespace

int main(int argc, char** argv) {
  std::size_t layouts = 400;
  unsigned seed = 1;
  bool verbose = false;
  for (int i = 1; i < argc; i += 2) {
    const std::string name = argv[i];
    const int value = i + 1 < argc ? std::atoi(argv[i + 1]) : 0;
    if (value > 0 && name == "--layouts")
      layouts = static_cast<std::size_t>(value);
    else if (value > 0 && name == "--seed")
      seed = static_cast<unsigned>(value);
    else if (value > 0 && name == "--verbose")
      verbose = true;
    else
      return std::fputs(usage, stderr), 2;
  }
  time_cases(verbose);
  time_random(layouts, seed);
  return 0;
}
