// A share of all rearrangements of a small world (optimized/testing/small_world.h), by every engine that this machine
// can run, against the reference.
//
//   small_world [--rank R] [--share N] [--seed S] [--unit I] [--units U]
//
// The seed selects one in N (default 10) of the rearrangements of rank R (default 4), and unit I of U tests its part of
// them. The same seed and share select the same ones, so that all units together test the share.
#include <charconv>
#include <cstdint>
#include <cstdio>
#include <iterator>
#include <map>
#include <string>
#include <string_view>

#include <dlspec/optimized/testing/rearranger.h>
#include <dlspec/optimized/testing/small_world.h>

namespace {

using namespace dlspec::optimized::testing;

struct Options {
  std::uint64_t rank = 4, share = 10, seed = 1, unit = 0, units = 1;
};

bool parse(char** arguments, Options& options) {
  static const std::map<std::string_view, std::uint64_t Options::*> members{{"--rank", &Options::rank},
                                                                            {"--share", &Options::share},
                                                                            {"--seed", &Options::seed},
                                                                            {"--unit", &Options::unit},
                                                                            {"--units", &Options::units}};
  for (; *arguments != nullptr; arguments += 2) {
    const std::string_view name = arguments[0], digits = arguments[1] == nullptr ? "" : arguments[1];
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
    if (error != std::errc{} || end != digits.data() + digits.size()) return false;
    const auto option = members.find(name);
    if (option == members.end()) return false;
    options.*(option->second) = value;
  }
  return options.rank < std::size(small_world_pairs) && options.share > 0 && options.unit < options.units;
}

// A hash, so that neighbours are drawn independently.
std::uint64_t lot(std::uint64_t seed, std::uint64_t number) {
  std::uint64_t mixed = (seed << 40) + number * 0x9E3779B97F4A7C15u;
  mixed = (mixed ^ mixed >> 30) * 0xBF58476D1CE4E5B9u;
  mixed = (mixed ^ mixed >> 27) * 0x94D049BB133111EBu;
  return mixed ^ mixed >> 31;
}

int run(const Options& options) {
  Rearranger rearranger(1 << 14);
  std::int64_t pairs = 0, drawn = 0;
  std::string difference;
  const auto wanted = [&](std::int64_t number) {
    if (!difference.empty() || lot(options.seed, static_cast<std::uint64_t>(number)) % options.share != 0) return false;
    return static_cast<std::uint64_t>(drawn++) % options.units == options.unit;
  };
  const std::int64_t found = each_small_pair(options.rank, wanted, [&](const Pair& pair) {
    ++pairs;
    difference = rearranger.difference(pair);
  });
  if (!difference.empty()) return std::printf("%s\n", difference.c_str()), 1;
  const std::int64_t expected = small_world_pairs[options.rank];
  if (found != expected) {
    return std::printf("%lld layouts of rank %llu instead of %lld: the world has changed\n",
                       static_cast<long long>(found), static_cast<unsigned long long>(options.rank),
                       static_cast<long long>(expected)),
           1;
  }
  const auto copies = pairs * static_cast<std::int64_t>(ways().size() * buffer_placements().size());
  if (rearranger.compared() + rearranger.left_out() != copies || rearranger.refused() != 0) {
    return std::printf("%lld copies compared instead of %lld, %lld refused\n",
                       static_cast<long long>(rearranger.compared()), static_cast<long long>(copies),
                       static_cast<long long>(rearranger.refused())),
           1;
  }
  std::printf(
      "%lld layouts, of the %lld of rank %llu one of %llu drawn by seed %llu, unit %llu of %llu: %lld copies, 0 "
      "differences\n",
      static_cast<long long>(pairs), static_cast<long long>(found), static_cast<unsigned long long>(options.rank),
      static_cast<unsigned long long>(options.share), static_cast<unsigned long long>(options.seed),
      static_cast<unsigned long long>(options.unit), static_cast<unsigned long long>(options.units),
      static_cast<long long>(copies));
  return 0;
}

}  // namespace

int main(int, char** argv) {
  Options options;
  if (!parse(argv + 1, options)) {
    return std::fprintf(stderr, "usage: %s [--rank R] [--share N] [--seed S] [--unit I] [--units U]\n", argv[0]), 2;
  }
  return run(options);
}
