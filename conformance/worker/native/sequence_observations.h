// The observations of the steps of a sequence, as numbers: a sequence that shows a new one is worth varying.
#pragma once

#include <cstdint>
#include <vector>

#include <dlspec/conformance/plan/sequence.h>
#include <dlspec/conformance/plan/sequence_model.h>

namespace dlspec::conformance {

class SequenceObservations {
 public:
  // After a step was carried out. `refused`: by the library; `shown`: of what the step made, or 0.
  void note(const Step& step, bool refused, std::uint64_t shown) {
    if (!model_.allows(step)) return;
    std::uint64_t number = model_.situation(step);
    for (const std::uint64_t part : {static_cast<std::uint64_t>(refused), shown}) number = (number ^ part) * prime;
    numbers_.push_back(number ^ number >> 32);
    if (!refused) model_.apply(step);
  }
  [[nodiscard]] std::vector<std::uint64_t>& numbers() { return numbers_; }

 private:
  static constexpr std::uint64_t prime = 0x9e3779b97f4a7c15;
  SequenceModel model_;
  std::vector<std::uint64_t> numbers_;
};

}  // namespace dlspec::conformance
