// Copies between layouts, relative to memcpy: the engines, the limits of the machine and other libraries, interleaved
// in one run. Usage: see --help.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include <dlspec/optimized/rearrange/engines/engine.h>

#include "implementations.h"
#include "measure.h"

namespace {

using namespace dlspec::bench;

constexpr const char* usage =
    "usage: bench_rearrange [--cases FILE] [--only TEXT] [--threads N] [--rounds N] [--engines A,B]\n"
    "                       [--peers yes|no] [--limits yes|no] [--pages normal|huge] [--json FILE]\n"
    "  --only TEXT     cases with TEXT in their name or class, or `core`\n"
    "  --threads N     threads that engines and limits may use (default 1)\n"
    "  --rounds N      measurements of each implementation (default 11)\n"
    "  --engines A,B   rows of the engine table (default: the best one)\n"
    "  --peers no      without other libraries\n"
    "  --limits no     without other ways to move as many bytes than memcpy\n"
    "  --pages huge    buffers in huge pages, where the system has them\n"
    "  --json FILE     the figures as a document\n";

struct Options {
  std::string cases = DLSPEC_BENCH_CASES;
  std::string only, json;
  std::vector<std::string> engines;
  int threads = 1;
  int rounds = 11;
  bool peers = true;
  bool limits = true;
};

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts(1);
  for (const char c : text) {
    if (c == ',') {
      parts.emplace_back();
    } else {
      parts.back() += c;
    }
  }
  return parts;
}

std::string join(const std::vector<std::string>& parts) {
  std::string text;
  for (const std::string& part : parts) text += (text.empty() ? "" : "; ") + part;
  return text;
}

bool parse(int argc, char** argv, Options& options) {
  for (int i = 1; i < argc; i += 2) {
    const std::string name = argv[i];
    if (i + 1 == argc) return false;
    const std::string value = argv[i + 1];
    if (name == "--cases")
      options.cases = value;
    else if (name == "--only")
      options.only = value;
    else if (name == "--json")
      options.json = value;
    else if (name == "--engines")
      options.engines = split(value);
    else if (name == "--peers" && (value == "yes" || value == "no"))
      options.peers = value == "yes";
    else if (name == "--limits" && (value == "yes" || value == "no"))
      options.limits = value == "yes";
    else if (name == "--pages" && (value == "normal" || value == "huge"))
      use_huge_pages(value == "huge");
    else if (name == "--threads")
      options.threads = std::atoi(value.c_str());
    else if (name == "--rounds")
      options.rounds = std::atoi(value.c_str());
    else
      return false;
  }
  if (options.engines.empty()) options.engines = {dlspec::optimized::best_engine("").name};
  return options.threads > 0 && options.rounds > 0;
}

// Each result must equal that of the scalar engine. A wrong engine ends the run; a wrong peer is left out.
bool agree(const Trial& trial, std::size_t size, std::vector<Implementation>& all) {
  const Memory expected = allocate(size);
  std::vector<Implementation> scalar;
  add_engines(
      {trial.bench_case, expected.get() + trial.bench_case.to_offset * trial.bench_case.element_size, trial.from, 1},
      {"scalar"}, scalar);
  if (scalar.empty()) {
    std::fprintf(stderr, "%s: no engine supports this case: its destination must be injective\n",
                 trial.bench_case.name.c_str());
    return false;
  }
  scalar[0].repeat(1);
  std::byte* const start = trial.to - trial.bench_case.to_offset * trial.bench_case.element_size;
  const auto is_right = [&](const Implementation& one) {
    if (one.is_limit) return true;
    std::memset(start, 0, size);
    one.repeat(1);
    if (std::memcmp(start, expected.get(), size) == 0) return true;
    std::fprintf(stderr, "%s: %s copies wrongly\n", trial.bench_case.name.c_str(), one.name.c_str());
    return false;
  };
  const auto wrong = std::stable_partition(all.begin(), all.end(), is_right);
  const bool ours = std::any_of(wrong, all.end(), [](const Implementation& one) { return !one.is_peer; });
  all.erase(wrong, all.end());
  return !ours;
}

bool selected(const RearrangeCase& bench_case, const std::string& only) {
  return only.empty() || (only == "core" && bench_case.core) || bench_case.name.find(only) != std::string::npos ||
         bench_case.group == only;
}

struct Means {
  std::map<std::string, std::pair<double, int>> logs;
  void add(const std::string& name, double ratio) {
    logs[name].first += std::log(ratio);
    ++logs[name].second;
  }
  void print(const char* what) const {
    std::printf("geometric mean, %s:", what);
    for (const auto& [name, sum] : logs)
      std::printf("  %s %.2f (%d)", name.c_str(), std::exp(sum.first / sum.second), sum.second);
    std::printf("\n");
  }
};

void print_row(const RearrangeCase& bench_case, const Figures& figures, int threads) {
  std::printf("%-26s %9.3f %6.2f", bench_case.name.c_str(), figures.memcpy_seconds * 1e6, figures.limit);
  if (const auto goal = bench_case.goal[threads > 1]; goal)
    std::printf(" %6.2f", *goal);
  else
    std::printf("      -");
  for (const std::string& name : figures.order) {
    if (name == "memcpy" || name == "movsb" || name == "stream" || name == "vectors") continue;
    const bool in_time = name == "one-shot" || name == "plan" || bench_case.group == "tiny";
    if (in_time && name != "fill")
      std::printf("  %s %.1f ns", name.c_str(), figures.memcpy_seconds / figures.ratio.at(name) * 1e9);
    else
      std::printf("  %s %.2f", name.c_str(), figures.ratio.at(name));
  }
  std::printf("\n");
  std::fflush(stdout);
}

int run(const Options& options) {
  Means every, core;
  std::string note;
  nlohmann::json document = {
      {"schema", "dlspec-rearrange/1"}, {"threads", options.threads}, {"cases", nlohmann::json::array()}};
  std::printf("%-26s %9s %6s %6s  rates relative to memcpy, %d thread(s)\n", "case", "memcpy us", "limit", "goal",
              options.threads);
  for (const RearrangeCase& bench_case : read_cases(options.cases)) {
    if (!selected(bench_case, options.only)) continue;
    const Memory to = allocate(bench_case.to_size()), from = allocate(bench_case.from_size());
    for (std::size_t i = 0; i < bench_case.from_size(); ++i) from[i] = static_cast<std::byte>(i * 2654435761u >> 13);
    const Trial trial{bench_case, to.get() + bench_case.to_offset * bench_case.element_size,
                      from.get() + bench_case.from_offset * bench_case.element_size, options.threads};
    std::vector<Implementation> all;
    add_limits(trial, all, options.limits);
    add_engines(trial, options.engines, all);
    const std::size_t ours = all.size();
    std::vector<std::string> notes;
    if (options.peers) {
      add_python_peers(trial, all, notes);
      add_eigen(trial, all, notes);
      add_onednn(trial, all, notes);
    }
    for (std::size_t i = ours; i < all.size(); ++i) all[i].is_peer = true;
    note = join(notes);
    std::memset(to.get(), 0, bench_case.to_size());
    if (!agree(trial, bench_case.to_size(), all)) return 1;
    const Figures figures = measure(all, options.rounds, options.threads);
    print_row(bench_case, figures, options.threads);
    for (const Implementation& one : all) {
      if (one.is_limit) continue;
      every.add(one.name, figures.ratio.at(one.name));
      if (bench_case.core) core.add(one.name, figures.ratio.at(one.name));
    }
    std::vector<std::string> peers;
    for (const Implementation& one : all) {
      if (one.is_peer) peers.push_back(one.name);
    }
    document["cases"].push_back(
        {{"name", bench_case.name},
         {"class", bench_case.group},
         {"core", bench_case.core},
         {"memcpy_us", figures.memcpy_seconds * 1e6},
         {"limit", figures.limit},
         {"ratios", figures.ratio},
         {"quartiles", figures.quartiles},
         {"peers", peers},
         {"goal",
          bench_case.goal[options.threads > 1] ? nlohmann::json(*bench_case.goal[options.threads > 1]) : nullptr}});
  }
  every.print("all");
  core.print("core cases");
  std::printf("peers: %s\n", note.c_str());
  document["peers"] = note;
  document["engine"] = options.engines.front();
  if (!options.json.empty()) {
    std::ofstream file(options.json);
    file << document.dump(1) << '\n';
    if (!file.flush()) return 1;
  }
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  Options options;
  if (!parse(argc, argv, options)) {
    std::fputs(usage, stderr);
    return 2;
  }
  return run(options);
}
