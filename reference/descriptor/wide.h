// A 256-bit integer that records overflow.
//
// 128 bits are too few for the reach of a tensor: one term (extent-1)*stride of a hostile tensor is up to 2^126, 64 of
// them up to 2^132, and the number of bits that they span up to 2^156. All of that fits here. A result that does not
// fit, such as the product of 64 extents, is an overflow, and so is every result computed from it.
//
// Sign and magnitude in 64-bit limbs: slow, and easy to verify.
#pragma once

#include <algorithm>
#include <array>
#include <compare>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>

namespace dlspec::reference {

class Wide {
 public:
  constexpr Wide() = default;
  constexpr Wide(std::integral auto value) : negative_(value < 0) {  // NOLINT: whole numbers convert without loss
    const auto bits = static_cast<std::uint64_t>(value);
    limbs_[0] = negative_ ? std::uint64_t{0} - bits : bits;
  }

  // True when this number, or one that it was computed from, does not fit in 256 bits. Such a number compares as the
  // infinity of its sign.
  [[nodiscard]] constexpr bool overflowed() const { return overflowed_; }
  [[nodiscard]] constexpr bool negative() const { return negative_; }

  // The number where it fits, no value where it does not.
  [[nodiscard]] constexpr std::optional<std::int64_t> to_int64() const;
  [[nodiscard]] constexpr std::optional<std::uint64_t> to_uint64() const;
  // Decimal digits, or "overflow".
  [[nodiscard]] std::string to_string() const;

  friend constexpr Wide operator-(Wide value);
  friend constexpr Wide operator+(const Wide& a, const Wide& b);
  friend constexpr Wide operator-(const Wide& a, const Wide& b);
  friend constexpr Wide operator*(const Wide& a, const Wide& b);
  constexpr Wide& operator+=(const Wide& other) { return write_sum(*this, other, other.negative_); }
  constexpr Wide& operator-=(const Wide& other) { return write_sum(*this, other, !other.negative_); }
  constexpr Wide& operator*=(const Wide& other) { return *this = *this * other; }

  // Quotients rounded down and up, also for negative numbers. The divisor is not 0.
  friend constexpr Wide floor_divide(const Wide& value, std::uint32_t divisor);
  friend constexpr Wide ceil_divide(const Wide& value, std::uint32_t divisor);
  // The remainder of the quotient rounded down: 0 <= result < divisor. The divisor is positive.
  friend constexpr Wide floor_modulo(const Wide& value, const Wide& divisor);

  friend constexpr std::strong_ordering operator<=>(const Wide& a, const Wide& b);
  friend constexpr bool operator==(const Wide& a, const Wide& b) { return (a <=> b) == 0; }

 private:
  __extension__ typedef unsigned __int128 Double;
  static constexpr std::size_t limb_count = 4;
  using Limbs = std::array<std::uint64_t, limb_count>;  // least significant first

  static constexpr std::strong_ordering compare(const Limbs& a, const Limbs& b);
  // Each writes limb by limb, to one of its operands or elsewhere: a copy of limbs just written waits for the stores.
  static constexpr void subtract(Limbs& to, const Limbs& a, const Limbs& b);           // a >= b
  static constexpr bool add(Limbs& to, const Limbs& a, const Limbs& b);                // false: did not fit
  static constexpr std::uint32_t divide(Limbs& to, const Limbs& a, std::uint32_t by);  // the remainder
  // The sum of a and of b with this sign; this may be either of them.
  constexpr Wide& write_sum(const Wide& a, const Wide& b, bool b_is_negative);
  // Rounded towards 0, or away from it.
  static constexpr Wide quotient(const Wide& value, std::uint32_t divisor, bool away);
  constexpr void shift_left(bool low_bit);
  // Limbs up to the highest that is not 0: one of most numbers.
  static constexpr std::size_t used(const Limbs& limbs) {
    std::size_t used = limb_count;
    while (used > 0 && limbs[used - 1] == 0) --used;
    return used;
  }
  [[nodiscard]] constexpr bool is_zero() const { return used(limbs_) == 0 && !overflowed_; }
  [[nodiscard]] constexpr bool exceeds_64_bits() const { return overflowed_ || used(limbs_) > 1; }
  [[nodiscard]] constexpr std::uint64_t low_64_bits() const { return limbs_[0]; }

  Limbs limbs_{};
  bool negative_ = false;  // never for 0
  bool overflowed_ = false;
};

constexpr std::optional<std::uint64_t> Wide::to_uint64() const {
  if (negative_ || exceeds_64_bits()) return std::nullopt;
  return low_64_bits();
}

constexpr std::optional<std::int64_t> Wide::to_int64() const {
  const std::uint64_t limit = std::uint64_t{1} << 63;
  if (exceeds_64_bits() || low_64_bits() > (negative_ ? limit : limit - 1)) return std::nullopt;
  return static_cast<std::int64_t>(negative_ ? std::uint64_t{0} - low_64_bits() : low_64_bits());
}

inline std::string Wide::to_string() const {
  if (overflowed_) return "overflow";
  std::string digits;
  Wide rest = *this;
  do {
    digits += static_cast<char>('0' + divide(rest.limbs_, rest.limbs_, 10));
  } while (!rest.is_zero());
  if (negative_) digits += '-';
  std::reverse(digits.begin(), digits.end());
  return digits;
}

constexpr std::strong_ordering Wide::compare(const Limbs& a, const Limbs& b) {
  for (std::size_t i = limb_count; i-- > 0;) {
    if (a[i] != b[i]) return a[i] <=> b[i];
  }
  return std::strong_ordering::equal;
}

constexpr void Wide::subtract(Limbs& to, const Limbs& a, const Limbs& b) {
  std::uint64_t borrow = 0;
  for (std::size_t i = 0; i < limb_count; ++i) {
    const Double digit = Double{a[i]} - b[i] - borrow;
    to[i] = static_cast<std::uint64_t>(digit);
    borrow = static_cast<std::uint64_t>(digit >> 127);
  }
}

constexpr bool Wide::add(Limbs& to, const Limbs& a, const Limbs& b) {
  Double carry = 0;
  for (std::size_t i = 0; i < limb_count; ++i) {
    carry += Double{a[i]} + b[i];
    to[i] = static_cast<std::uint64_t>(carry);
    carry >>= 64;
  }
  return carry == 0;
}

constexpr std::uint32_t Wide::divide(Limbs& to, const Limbs& a, std::uint32_t by) {
  Double remainder = 0;
  for (std::size_t i = used(a); i-- > 0;) {
    remainder = remainder << 64 | a[i];
    to[i] = static_cast<std::uint64_t>(remainder / by);
    remainder %= by;
  }
  return static_cast<std::uint32_t>(remainder);
}

constexpr void Wide::shift_left(bool low_bit) {
  std::uint64_t carry = low_bit ? 1 : 0;
  for (std::uint64_t& limb : limbs_) {
    const std::uint64_t out = limb >> 63;
    limb = limb << 1 | carry;
    carry = out;
  }
}

constexpr Wide operator-(Wide value) {
  if (!value.is_zero()) value.negative_ = !value.negative_;
  return value;
}

constexpr Wide& Wide::write_sum(const Wide& a, const Wide& b, bool b_is_negative) {
  if (a.overflowed_) return *this = a;
  bool negative = a.negative_;
  if (b.overflowed_) {
    *this = b;
    negative = b_is_negative;
  } else if (a.negative_ == b_is_negative) {
    overflowed_ = !add(limbs_, a.limbs_, b.limbs_);
  } else if (compare(a.limbs_, b.limbs_) >= 0) {
    subtract(limbs_, a.limbs_, b.limbs_);
  } else {
    subtract(limbs_, b.limbs_, a.limbs_);
    negative = b_is_negative;
  }
  negative_ = negative && !is_zero();
  return *this;
}

constexpr Wide operator+(const Wide& a, const Wide& b) {
  Wide sum;
  sum.write_sum(a, b, b.negative_);
  return sum;
}

constexpr Wide operator-(const Wide& a, const Wide& b) {
  Wide difference;
  difference.write_sum(a, b, !b.negative_);
  return difference;
}

constexpr Wide operator*(const Wide& a, const Wide& b) {
  Wide product;
  product.overflowed_ = a.overflowed_ || b.overflowed_;
  const std::size_t a_used = Wide::used(a.limbs_), b_used = Wide::used(b.limbs_);
  for (std::size_t i = 0; i < a_used; ++i) {
    Wide::Double carry = 0;
    for (std::size_t j = 0; j < b_used || carry != 0; ++j) {
      if (j < b_used) carry += Wide::Double{a.limbs_[i]} * b.limbs_[j];
      if (i + j < Wide::limb_count) {
        carry += product.limbs_[i + j];
        product.limbs_[i + j] = static_cast<std::uint64_t>(carry);
      } else if (static_cast<std::uint64_t>(carry) != 0) {
        product.overflowed_ = true;
      }
      carry >>= 64;
    }
  }
  product.negative_ = a.negative_ != b.negative_ && !product.is_zero();
  return product;
}

constexpr Wide Wide::quotient(const Wide& value, std::uint32_t divisor, bool away) {
  Wide quotient;
  quotient.overflowed_ = value.overflowed_;
  const bool exact = divide(quotient.limbs_, value.limbs_, divisor) == 0;
  if (!exact && away) add(quotient.limbs_, quotient.limbs_, {1});
  quotient.negative_ = value.negative_ && !quotient.is_zero();
  return quotient;
}

constexpr Wide floor_divide(const Wide& value, std::uint32_t divisor) {
  return Wide::quotient(value, divisor, value.negative_);
}

constexpr Wide ceil_divide(const Wide& value, std::uint32_t divisor) {
  return Wide::quotient(value, divisor, !value.negative_);
}

constexpr Wide floor_modulo(const Wide& value, const Wide& divisor) {
  if (value.overflowed_ || divisor.overflowed_) return value.overflowed_ ? value : divisor;
  Wide remainder;
  const bool both_fit = Wide::used(value.limbs_) <= 1 && Wide::used(divisor.limbs_) == 1;
  if (both_fit) remainder.limbs_[0] = value.limbs_[0] % divisor.limbs_[0];
  for (std::size_t i = both_fit ? 0 : Wide::used(value.limbs_) * 64; i-- > 0;) {
    remainder.shift_left((value.limbs_[i / 64] >> (i % 64) & 1) != 0);
    if (Wide::compare(remainder.limbs_, divisor.limbs_) >= 0) {
      Wide::subtract(remainder.limbs_, remainder.limbs_, divisor.limbs_);
    }
  }
  return value.negative_ && !remainder.is_zero() ? divisor - remainder : remainder;
}

constexpr std::strong_ordering operator<=>(const Wide& a, const Wide& b) {
  if (a.negative_ != b.negative_) return a.negative_ ? std::strong_ordering::less : std::strong_ordering::greater;
  std::strong_ordering magnitude = Wide::compare(a.limbs_, b.limbs_);
  if (a.overflowed_ || b.overflowed_) magnitude = a.overflowed_ <=> b.overflowed_;
  return a.negative_ ? 0 <=> magnitude : magnitude;
}

}  // namespace dlspec::reference
