#include <dlspec/conformance/plan/sequence_shrinker.h>

#include <algorithm>
#include <set>
#include <string>

#include <dlspec/conformance/plan/sequence_model.h>

namespace dlspec::conformance {
namespace {

class Shrinker {
 public:
  Shrinker(Sequence failing, const SequenceFails& fails, std::size_t most)
      : best_(std::move(failing)), fails_(fails), left_(most) {
    seen_.insert(sequence_text(best_));
  }

  Sequence shrink() {
    while (true) {
      const Sequence before = best_;
      remove_steps();
      simplify_holders();
      simplify_options();
      if (best_ == before || left_ == 0) return best_;
    }
  }

 private:
  // Keeps the candidate when it is new, possible and still fails.
  bool attempt(const Sequence& candidate) {
    const Sequence possible = renumbered(possible_steps(candidate));
    if (possible.empty() || left_ == 0 || !seen_.insert(sequence_text(possible)).second) return false;
    --left_;
    if (!fails_(possible)) return false;
    best_ = possible;
    return true;
  }

  // ddmin: chunks of half the length, then of a quarter, down to single steps; from the end, for the steps behind the
  // failure go first.
  void remove_steps() {
    for (std::size_t chunk = std::max<std::size_t>(best_.size() / 2, 1);; chunk = (chunk + 1) / 2) {
      for (std::size_t end = best_.size(); end > 0;) {
        const std::size_t begin = end > chunk ? end - chunk : 0;
        Sequence candidate = best_;
        candidate.erase(candidate.begin() + static_cast<std::ptrdiff_t>(begin),
                        candidate.begin() + static_cast<std::ptrdiff_t>(end));
        end = attempt(candidate) ? std::min(begin, best_.size()) : begin;
      }
      if (chunk == 1) return;
    }
  }

  // Lets a step act on an older holder: an array in place of its view or import, an export in place of a later one.
  void simplify_holders() {
    for (std::size_t i = 0; i < best_.size(); ++i) {
      for (std::uint16_t number = 0; i < best_.size() && number < best_[i].on.number; ++number) {
        Sequence candidate = best_;
        candidate[i].on.number = number;
        if (attempt(candidate)) break;
      }
    }
  }

  void simplify_options() {
    for (std::size_t i = 0; i < best_.size(); ++i) {
      for (std::size_t slot = 0; slot < most_options; ++slot) {
        for (std::uint8_t option = 0; i < best_.size() && option < best_[i].options[slot]; ++option) {
          Sequence candidate = best_;
          candidate[i].options[slot] = option;
          if (attempt(candidate)) break;
        }
      }
    }
  }

  Sequence best_;
  const SequenceFails& fails_;
  std::size_t left_;
  std::set<std::string> seen_;
};

}  // namespace

Sequence shrink_sequence(Sequence failing, const SequenceFails& fails, std::size_t most_attempts) {
  return Shrinker(std::move(failing), fails, most_attempts).shrink();
}

}  // namespace dlspec::conformance
