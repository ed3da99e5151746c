// The questions of a geometry that have to do with memory: whether its destination is injective, and whether
// two operands share bytes.
#include <cstdint>
#include <limits>

#include <dlspec/optimized/descriptor/overlap.h>
#include <dlspec/optimized/rearrange/plan/geometry.h>

namespace dlspec::optimized {
namespace {

constexpr int search_budget = 1 << 14;

// Each axis steps over everything that the narrower ones reach.
bool is_nested(const Geometry& geometry) {
  std::int64_t reached = geometry.run;
  for (std::size_t i = 0; i < geometry.rank; ++i) {
    const Step& step = geometry.axes[i];
    if (step.to < reached) return false;
    reached += (step.extent - 1) * step.to;
  }
  return true;
}

// A difference of two positions is a sum of these, each taken 0 to `times` times: those of the destination
// forwards, those of the source backwards. Made positive and sorted, widest first.
struct Term {
  std::int64_t times;
  std::int64_t step;
};

class Difference {
 public:
  explicit Difference(const Geometry& geometry) {
    for (std::size_t i = 0; i < geometry.rank; ++i) {
      add(geometry.axes[i].extent - 1, geometry.axes[i].to);
      add(geometry.axes[i].extent - 1, -static_cast<Wide>(geometry.axes[i].from));
    }
    reach_[count_] = 0;
    for (std::size_t i = count_; i-- > 0;) reach_[i] = reach_[i + 1] + Wide{terms_[i].times} * terms_[i].step;
  }

  // Does a difference lie between low and high, both included?
  Answer meets(Wide low, Wide high) {
    budget_ = search_budget;
    return search(0, low - lowest_, high - lowest_);
  }

 private:
  void add(std::int64_t times, Wide step) {
    if (step == 0) return;
    if (step < 0) {
      lowest_ += times * step;
      step = -step;
    }
    std::size_t place = count_++;
    for (; place > 0 && terms_[place - 1].step < step; --place) terms_[place] = terms_[place - 1];
    terms_[place] = {times, static_cast<std::int64_t>(step)};
  }

  Answer search(std::size_t i, Wide low, Wide high) {
    if (--budget_ < 0) return Answer::maybe;
    if (high < 0 || low > reach_[i]) return Answer::no;
    if (i == count_ || (low <= 0 && high >= 0)) return Answer::yes;
    // What is left after this term must be within reach of the narrower ones.
    const Wide step = terms_[i].step;
    Wide taken = low - reach_[i + 1] <= 0 ? 0 : (low - reach_[i + 1] + step - 1) / step;
    const Wide last = high / step < terms_[i].times ? high / step : Wide{terms_[i].times};
    for (; taken <= last; ++taken) {
      const Answer answer = search(i + 1, low - taken * step, high - taken * step);
      if (answer != Answer::no) return answer;
    }
    return Answer::no;
  }

  Term terms_[2 * highest_rank];
  Wide reach_[2 * highest_rank + 1];
  std::size_t count_ = 0;
  Wide lowest_ = 0;
  int budget_ = 0;
};

}  // namespace

Status check_destination(const View& destination, const Geometry& geometry) noexcept {
  if (is_nested(geometry)) return Status::ok;
  return self_overlap(destination) == Answer::no ? Status::ok : Status::destination_overlap;
}

Status check_operands(const Geometry& geometry, std::uintptr_t destination, std::uintptr_t source) noexcept {
  if (!ranges_meet(destination, geometry.to_range, source, geometry.from_range)) return Status::ok;
  if (destination == source && geometry.same_places) return Status::ok;
  // A run of the destination and one of the source share a byte when they begin less than a run apart.
  const Wide apart = Wide{source} + geometry.from_start - Wide{destination} - geometry.to_start;
  Difference difference(geometry);
  const Answer answer = difference.meets(apart - geometry.run + 1, apart + geometry.run - 1);
  return answer == Answer::no ? Status::ok : Status::operands_overlap;
}

}  // namespace dlspec::optimized
