// Times two implementations of one function, interleaved in one run, and prints them side by side.
#pragma once

#include <functional>
#include <string>

#include <benchmark/benchmark.h>

namespace dlspec::bench {

using Body = std::function<void(benchmark::State&)>;

// Registers a case; `slow` and `fast` loop over the state.
void add_case(const std::string& name, Body slow, Body fast);

// Runs all cases, several repetitions each in random order; prints both medians and their ratio. Accepts Google
// Benchmark's options; --benchmark_filter selects. Returns an exit status.
int run_comparison(int argc, char** argv, const std::string& slow_name, const std::string& fast_name);

}  // namespace dlspec::bench
