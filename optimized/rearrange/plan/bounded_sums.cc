#include <dlspec/optimized/rearrange/plan/bounded_sums.h>

#include <algorithm>
#include <numeric>

namespace dlspec::optimized {
namespace {

Wide divided_up(Wide number, Wide by) { return (number + by - 1) / by; }

// The remainder that is not negative.
Wide remainder(Wide number, Wide by) {
  const Wide rest = number % by;
  return rest < 0 ? rest + by : rest;
}

// The smallest t >= from at which [low - t * stride, high - t * stride] contains a multiple of `divisor`, or -1: values
// between are no sums of strides that the divisor divides, however many there are.
Wide next_candidate(Wide from, std::int64_t stride, Wide low, Wide high, std::int64_t divisor) {
  const Wide width = high - low;
  if (width >= divisor - 1) return from;
  const Wide above = remainder(high - from * stride, divisor);  // how far the multiple below `high` is away
  if (above <= width) return from;
  const Wide step = remainder(-Wide{stride}, divisor);
  const Wide more = first_multiple_between(step, divisor, divisor - above, divisor - above + width);
  return more < 0 ? -1 : from + more;
}

}  // namespace

Wide first_multiple_between(Wide step, Wide modulus, Wide low, Wide high) noexcept {
  if (low == 0) return 0;
  if (step == 0) return -1;
  const Wide count = divided_up(low, step);
  if (count * step <= high) return count;
  // No multiple of `step` lies between: after y turns around the modulus, y * modulus has to come that close below one.
  const Wide turns = first_multiple_between(modulus % step, step, step - high % step, step - low % step);
  return turns < 0 ? -1 : divided_up(low + modulus * turns, step);
}

void BoundedSums::add(Wide count, std::int64_t stride) noexcept {
  std::size_t place = 0;
  while (place < count_ && terms_[place].stride > stride) ++place;
  if (place < count_ && terms_[place].stride == stride) {
    terms_[place].count += count;
    return;
  }
  std::copy_backward(terms_.begin() + place, terms_.begin() + count_, terms_.begin() + count_ + 1);
  terms_[place] = {count, stride, 0, 0};
  ++count_;
}

Answer BoundedSums::reach(Wide low, Wide high) noexcept {
  Wide largest = 0;
  std::int64_t divisor = 0;
  for (std::size_t i = count_; i-- > 0;) {
    terms_[i].largest = largest += terms_[i].count * terms_[i].stride;
    terms_[i].divisor = divisor = std::gcd(divisor, terms_[i].stride);
  }
  return search(0, low, high);
}

Answer BoundedSums::search(std::size_t i, Wide low, Wide high) noexcept {
  if (--budget_ < 0) return Answer::maybe;
  if (high < 0) return Answer::no;
  if (low <= 0) return Answer::yes;  // the sum 0
  if (i == count_ || low > terms_[i].largest) return Answer::no;
  const Term& term = terms_[i];
  if (high >= term.largest) return Answer::yes;
  if (high / term.divisor * term.divisor < low) return Answer::no;
  if (i + 1 == count_) return Answer::yes;  // its divisor is its stride
  const Term& next = terms_[i + 1];
  // What remains must be in reach of the smaller terms.
  Wide taken = low <= next.largest ? 0 : divided_up(low - next.largest, term.stride);
  const Wide last = std::min(high / term.stride, term.count);
  for (; taken <= last; ++taken) {
    taken = next_candidate(taken, term.stride, low, high, next.divisor);
    if (taken < 0 || taken > last) break;
    const Answer answer = search(i + 1, low - taken * term.stride, high - taken * term.stride);
    if (answer != Answer::no) return answer;
  }
  return Answer::no;
}

}  // namespace dlspec::optimized
