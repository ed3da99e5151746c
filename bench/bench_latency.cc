// The fixed cost of a rearrangement: planning, and copies of so few elements that nothing else counts. Usage: see
// --help.
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
constexpr int batches = 9, case_batches = 99;  // per random layout; per case of the table
constexpr std::int64_t small = 64;             // elements

double now() {
  timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e9 + static_cast<double>(time.tv_nsec);
}

// Nanoseconds per call: the minimum over the batches, because other load only adds time.
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

std::string text_of(const RearrangeCase& bench_case) {
  return std::to_string(bench_case.element_size) + "-byte elements " + list(bench_case.shape) + " to " +
         list(bench_case.to) + " from " + list(bench_case.from);
}

double plan_time(const RearrangeCase& bench_case, int count) {
  const auto to = bench_case.to_view(), from = bench_case.from_view();
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

// Small arrays lie inside mapped memory: a masked load that extends beyond a mapped page takes up to 2 us for each
// access. The two arrays begin at different page offsets, and the destination moves from page to page, the best of
// which counts: with 4K aliasing, loads wait for stores of the previous call.
constexpr std::size_t page = 4096, pages = 3, apart = 1088;

Times small_times(const RearrangeCase& bench_case, int count) {
  const std::size_t to_size = bench_case.to_size() + (pages + 2) * page, from_size = bench_case.from_size() + 2 * page;
  const Memory to_memory = allocate(to_size), from_memory = allocate(from_size);
  std::memset(to_memory.get(), 1, to_size);
  std::memset(from_memory.get(), 1, from_size);
  const auto to_view = bench_case.to_view(), from_view = bench_case.from_view();
  const std::byte* const from = from_memory.get() + apart + bench_case.from_offset * bench_case.element_size;
  Plan plan;
  if (make_plan(to_view, from_view, plan) != Status::ok) return {-1, -1};
  Times best{1e30, 1e30};
  for (std::size_t i = 1; i <= pages; ++i) {
    std::byte* const to = to_memory.get() + i * page + bench_case.to_offset * bench_case.element_size;
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

// Axes in any order and direction, tight or with gaps; some broadcast axes in the source.
class Layouts {
 public:
  explicit Layouts(unsigned seed) : random_(seed) {}

  RearrangeCase next(std::size_t rank, std::int64_t max_elements) {
    RearrangeCase bench_case;
    static constexpr std::uint16_t element_sizes[] = {1, 2, 3, 4, 8, 12, 16};
    static constexpr std::int64_t extents[] = {1, 2, 2, 2, 3, 3, 4, 5, 7, 8, 16, 17, 64, 100};
    bench_case.element_size = element_sizes[below(std::size(element_sizes))];
    std::int64_t left = max_elements;
    for (std::size_t axis = 0; axis < rank; ++axis) {
      bench_case.shape.push_back(std::min(left, extents[below(std::size(extents))]));
      left /= bench_case.shape.back();
    }
    std::shuffle(bench_case.shape.begin(), bench_case.shape.end(), random_);
    bench_case.to = strides(bench_case, false, bench_case.to_offset);
    bench_case.from = strides(bench_case, true, bench_case.from_offset);
    return bench_case;
  }

 private:
  std::size_t below(std::size_t end) { return random_() % end; }

  std::vector<std::int64_t> strides(const RearrangeCase& bench_case, bool source, std::int64_t& offset) {
    std::vector<std::size_t> order(bench_case.shape.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    std::shuffle(order.begin(), order.end(), random_);
    std::vector<std::int64_t> result(order.size());
    std::int64_t span = 1;
    for (const std::size_t axis : order) {
      if (source && below(12) == 0) continue;  // broadcast
      span += below(6) == 0 ? 2 : 0;
      result[axis] = span;
      span *= bench_case.shape[axis];
      if (below(6) != 0) continue;
      result[axis] = -result[axis];
      offset -= (bench_case.shape[axis] - 1) * result[axis];
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
  for (const RearrangeCase& bench_case : read_cases(DLSPEC_BENCH_CASES)) {
    const double plan = plan_time(bench_case, case_batches);
    plans.add(plan, bench_case.name);
    const bool is_small = bench_case.bytes() <= small * bench_case.element_size;
    const Times times = is_small || bench_case.bytes() <= 256 ? small_times(bench_case, case_batches) : Times{-1, -1};
    if (times.planned >= 0) {
      std::printf("%-34s plan %7.1f   execute %6.1f   one-shot %6.1f\n", bench_case.name.c_str(), plan, times.planned,
                  times.one_shot);
    } else if (verbose) {
      std::printf("%-34s plan %7.1f\n", bench_case.name.c_str(), plan);
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
