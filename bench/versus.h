// Two implementations of one question, timed interleaved in one run and printed side by side.
#pragma once

#include <functional>
#include <string>

#include <benchmark/benchmark.h>

namespace dlspec::bench {

using Body = std::function<void(benchmark::State&)>;

// Registers a case; `slow` and `fast` loop over the state.
void add_case(const std::string& name, Body slow, Body fast);

// Runs all cases, several repetitions each in random order, and prints the median of both and their
// ratio. Takes Google Benchmark's options; --benchmark_filter selects. Returns an exit status.
int run_versus(int argc, char** argv, const std::string& slow_name, const std::string& fast_name);

}  // namespace dlspec::bench
