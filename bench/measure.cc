#include "measure.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <ctime>
#include <functional>
#include <numeric>
#include <random>

namespace dlspec::bench {
namespace {

double read_clock(clockid_t clock) {
  timespec time{};
  clock_gettime(clock, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

// One thread is timed by its CPU time, so that other load matters less; several by the wall clock.
double now(int threads) { return read_clock(threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC); }

double seconds(const std::function<void(int)>& repeat, int times, int threads) {
  const double start = now(threads);
  repeat(times);
  return now(threads) - start;
}

// The quantile `part`: 0.5 gives the median.
double quantile(std::vector<double> values, double part) {
  const auto position = values.begin() + std::lround(static_cast<double>(values.size() - 1) * part);
  std::nth_element(values.begin(), position, values.end());
  return *position;
}
double median(const std::vector<double>& values) { return quantile(values, 0.5); }

// Returns when no other thread of the process runs, after a second at the latest: OpenMP threads spin for many
// milliseconds after their work, on processors that the next implementation's threads need.
void wait_for_idle_threads() {
  constexpr timespec moment{0, 2'000'000};
  for (int tries = 0; tries < 500; ++tries) {
    const double before = read_clock(CLOCK_PROCESS_CPUTIME_ID);
    nanosleep(&moment, nullptr);
    if (read_clock(CLOCK_PROCESS_CPUTIME_ID) - before < 0.2e-3) return;
  }
}

// Calls per round: to warm up the caches, and timed (1 to 2 ms).
struct Calls {
  int before;
  int timed;
};

Calls calls_per_round(const std::function<void(int)>& repeat, int threads) {
  int times = 1;
  for (;; times *= 2) {
    const double taken = seconds(repeat, times, threads);
    // A call longer than this exceeds the caches anyway.
    if (taken > 0.4e-3) return {taken < 20e-3 ? 5 : 1, std::max(1, static_cast<int>(1.5e-3 / taken * times))};
  }
}

}  // namespace

Figures measure(const std::vector<Implementation>& all, int rounds, int threads) {
  std::vector<Calls> calls;
  for (const Implementation& one : all) {
    if (threads > 1) wait_for_idle_threads();
    calls.push_back(calls_per_round(one.repeat, threads));
  }
  std::vector<std::vector<double>> taken(all.size());
  std::vector<std::size_t> order(all.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::mt19937 random(1);
  for (int round = 0; round < rounds; ++round) {
    std::shuffle(order.begin(), order.end(), random);
    for (const std::size_t i : order) {
      if (threads > 1) wait_for_idle_threads();
      all[i].repeat(calls[i].before);
      taken[i].push_back(seconds(all[i].repeat, calls[i].timed, threads) / calls[i].timed);
    }
  }
  Figures figures;
  figures.memcpy_seconds = median(taken[0]);
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::vector<double> ratios(taken[i].size());
    for (std::size_t round = 0; round < ratios.size(); ++round) ratios[round] = taken[0][round] / taken[i][round];
    const double ratio = median(ratios);
    figures.ratio[all[i].name] = ratio;
    figures.quartiles[all[i].name] = {quantile(ratios, 0.25), quantile(ratios, 0.75)};
    figures.order.push_back(all[i].name);
    if (all[i].is_limit && all[i].name != "fill" && all[i].name != "plan")
      figures.limit = std::max(figures.limit, ratio);
  }
  return figures;
}

}  // namespace dlspec::bench
