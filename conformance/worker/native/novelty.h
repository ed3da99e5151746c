// What sequences show that none before them in this process did: their observations, and the coverage of a library that
// was compiled with -fsanitize-coverage, where worker/coverage is loaded.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <unordered_set>

#include <dlspec/conformance/core/outcome.h>

namespace dlspec::conformance {

class Novelties {
 public:
  // One for the process.
  [[nodiscard]] static Novelties& instance();
  // Adds what this sequence was the first to show.
  void note(std::size_t index, std::span<const std::uint64_t> observations, SequenceReport& report);

 private:
  Novelties();

  std::unordered_set<std::uint64_t> known_;
  std::size_t (*new_coverage_)(std::uint64_t*, std::size_t) = nullptr;
  std::uint64_t (*places_)() = nullptr;
};

// Where the functions are written that were running when a signal ends the process; nothing where worker/coverage is
// not loaded.
void name_functions_at_death(std::span<char> text);

}  // namespace dlspec::conformance
