#include "comparison.h"

#include <algorithm>
#include <cstdio>
#include <map>
#include <utility>
#include <vector>

namespace dlspec::bench {
namespace {

constexpr int repetitions = 9;

struct SampledTimes {
  std::vector<double> slow;
  std::vector<double> fast;
};

std::vector<std::string>& case_names() {
  static std::vector<std::string> names;
  return names;
}

double median(std::vector<double> values) {
  if (values.empty()) return 0;
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// Collects the time of each repetition; names are "CASE/slow" and "CASE/fast" with suffixes.
class Collector : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }

  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.error_occurred) failed_ = true;
      if (run.error_occurred || run.run_type != Run::RT_Iteration) continue;
      const std::string& name = run.run_name.function_name;
      const std::size_t slash = name.rfind('/');
      SampledTimes& times = times_[name.substr(0, slash)];
      (name.substr(slash + 1) == "slow" ? times.slow : times.fast).push_back(run.GetAdjustedCPUTime());
    }
  }

  void print(const std::string& slow_name, const std::string& fast_name) const {
    std::printf("%-66s %12s %12s %8s\n", "median of CPU time", slow_name.c_str(), fast_name.c_str(), "ratio");
    for (const std::string& name : case_names()) {
      const auto found = times_.find(name);
      if (found == times_.end()) continue;
      const double slow = median(found->second.slow);
      const double fast = median(found->second.fast);
      std::printf("%-66s %9.1f ns %9.1f ns %8.1f\n", name.c_str(), slow, fast, fast > 0 ? slow / fast : 0);
    }
  }

  [[nodiscard]] bool failed() const { return failed_; }

 private:
  std::map<std::string, SampledTimes> times_;
  bool failed_ = false;
};

void add(const std::string& name, Body body) {
  benchmark::RegisterBenchmark(name.c_str(), std::move(body))->Repetitions(repetitions)->MinTime(0.02);
}

}  // namespace

void add_case(const std::string& name, Body slow, Body fast) {
  case_names().push_back(name);
  add(name + "/slow", std::move(slow));
  add(name + "/fast", std::move(fast));
}

int run_comparison(int argc, char** argv, const std::string& slow_name, const std::string& fast_name) {
  std::vector<char*> arguments(argv, argv + argc);
  std::string interleaving = "--benchmark_enable_random_interleaving=true";
  arguments.insert(arguments.begin() + 1, interleaving.data());
  int count = static_cast<int>(arguments.size());
  benchmark::Initialize(&count, arguments.data());
  if (benchmark::ReportUnrecognizedArguments(count, arguments.data())) return 2;
  Collector collector;
  benchmark::RunSpecifiedBenchmarks(&collector);
  collector.print(slow_name, fast_name);
  return collector.failed() ? 1 : 0;
}

}  // namespace dlspec::bench
