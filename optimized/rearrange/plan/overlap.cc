// Overlap checks on a geometry: is the destination injective, and do two operands share bytes?
#include <cstdint>
#include <limits>

#include <dlspec/optimized/descriptor/overlap.h>
#include <dlspec/optimized/rearrange/plan/geometry.h>

namespace dlspec::optimized {
namespace {

constexpr int search_budget = 1 << 14;

// True if the stride of each axis is at least the span of the axes inside it.
bool is_nested(const Geometry& geometry) {
  std::int64_t span = geometry.run;
  for (std::size_t i = 0; i < geometry.rank; ++i) {
    const Axis& axis = geometry.axes[i];
    if (axis.to < span) return false;
    span += (axis.extent - 1) * axis.to;
  }
  return true;
}

// The difference of two offsets is a sum of terms, each taken 0 to `max_count` times: destination strides forwards,
// source strides backwards. Made positive and sorted, largest first.
struct Term {
  std::int64_t unroll;
  std::int64_t stride;
};

class Difference {
 public:
  explicit Difference(const Geometry& geometry) {
    for (std::size_t i = 0; i < geometry.rank; ++i) {
      add(geometry.axes[i].extent - 1, geometry.axes[i].to);
      add(geometry.axes[i].extent - 1, -static_cast<Wide>(geometry.axes[i].from));
    }
    max_sum_[count_] = 0;
    for (std::size_t i = count_; i-- > 0;) max_sum_[i] = max_sum_[i + 1] + Wide{terms_[i].unroll} * terms_[i].stride;
  }

  // Does a difference lie in [low, high]?
  Answer intersects(Wide low, Wide high) {
    budget_ = search_budget;
    return search(0, low - lowest_, high - lowest_);
  }

 private:
  void add(std::int64_t unroll, Wide stride) {
    if (stride == 0) return;
    if (stride < 0) {
      lowest_ += unroll * stride;
      stride = -stride;
    }
    std::size_t place = count_++;
    for (; place > 0 && terms_[place - 1].stride < stride; --place) terms_[place] = terms_[place - 1];
    terms_[place] = {unroll, static_cast<std::int64_t>(stride)};
  }

  Answer search(std::size_t i, Wide low, Wide high) {
    if (--budget_ < 0) return Answer::maybe;
    if (high < 0 || low > max_sum_[i]) return Answer::no;
    if (i == count_ || (low <= 0 && high >= 0)) return Answer::yes;
    // The smaller terms must be able to reach what remains after this one.
    const Wide stride = terms_[i].stride;
    Wide taken = low - max_sum_[i + 1] <= 0 ? 0 : (low - max_sum_[i + 1] + stride - 1) / stride;
    const Wide last = high / stride < terms_[i].unroll ? high / stride : Wide{terms_[i].unroll};
    for (; taken <= last; ++taken) {
      const Answer answer = search(i + 1, low - taken * stride, high - taken * stride);
      if (answer != Answer::no) return answer;
    }
    return Answer::no;
  }

  Term terms_[2 * max_rank];
  Wide max_sum_[2 * max_rank + 1];
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
  if (destination == source && geometry.same_layout) return Status::ok;
  // Two runs share a byte if they begin less than a run apart.
  const Wide apart = Wide{source} + geometry.from_start - Wide{destination} - geometry.to_start;
  Difference difference(geometry);
  const Answer answer = difference.intersects(apart - geometry.run + 1, apart + geometry.run - 1);
  return answer == Answer::no ? Status::ok : Status::operands_overlap;
}

}  // namespace dlspec::optimized
