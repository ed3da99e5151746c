#include <dlspec/conformance/worker/native/novelty.h>

#include <dlfcn.h>

namespace dlspec::conformance {
namespace {

constexpr std::size_t most_covered = 20000;  // numbers of one sequence

template <class Function>
Function found(const char* name) {
  return reinterpret_cast<Function>(dlsym(RTLD_DEFAULT, name));
}

}  // namespace

Novelties::Novelties()
    : new_coverage_(found<decltype(new_coverage_)>("dlspec_coverage_new")),
      places_(found<decltype(places_)>("dlspec_coverage_places")) {}

Novelties& Novelties::instance() {
  static Novelties novelties;
  return novelties;
}

void Novelties::note(std::size_t index, std::span<const std::uint64_t> observations, SequenceReport& report) {
  SequenceReport::Novelty novelty{index, {}, {}};
  for (const std::uint64_t each : observations) {
    if (known_.insert(each).second) novelty.observations.push_back(each);
  }
  if (new_coverage_ != nullptr && places_ != nullptr) {
    report.places = places_();
    novelty.covered.resize(report.places != 0 ? most_covered : 0);
    novelty.covered.resize(new_coverage_(novelty.covered.data(), novelty.covered.size()));
  }
  if (!novelty.observations.empty() || !novelty.covered.empty()) report.novelties.push_back(std::move(novelty));
}

void name_functions_at_death(std::span<char> text) {
  const auto names_to = found<void (*)(char*, std::size_t)>("dlspec_coverage_stack_to");
  if (names_to != nullptr && !text.empty()) names_to(text.data(), text.size());
}

}  // namespace dlspec::conformance
