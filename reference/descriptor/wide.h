// A 256-bit integer that records overflow.
//
// 128 bits are too few for the reach of a tensor: one term (extent-1)*stride of a hostile tensor is up to 2^126, 64 of
// them up to 2^132, and the number of bits that they span up to 2^156. All of that fits here. A result that does not
// fit, such as the product of 64 extents, is an overflow, and so is every result computed from it.
//
// Sign and magnitude in 32-bit limbs: slow, portable, and easy to verify.
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
    const std::uint64_t magnitude = negative_ ? std::uint64_t{0} - bits : bits;
    limbs_[0] = static_cast<std::uint32_t>(magnitude);
    limbs_[1] = static_cast<std::uint32_t>(magnitude >> 32);
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
  friend constexpr Wide operator-(const Wide& a, const Wide& b) { return a + -b; }
  friend constexpr Wide operator*(const Wide& a, const Wide& b);
  constexpr Wide& operator+=(const Wide& other) { return *this = *this + other; }
  constexpr Wide& operator-=(const Wide& other) { return *this = *this - other; }
  constexpr Wide& operator*=(const Wide& other) { return *this = *this * other; }

  // Quotients rounded down and up, also for negative numbers. The divisor is not 0.
  friend constexpr Wide floor_divide(const Wide& value, std::uint32_t divisor);
  friend constexpr Wide ceil_divide(const Wide& value, std::uint32_t divisor);
  // The remainder of the quotient rounded down: 0 <= result < divisor. The divisor is positive.
  friend constexpr Wide floor_modulo(const Wide& value, const Wide& divisor);

  friend constexpr std::strong_ordering operator<=>(const Wide& a, const Wide& b);
  friend constexpr bool operator==(const Wide& a, const Wide& b) { return (a <=> b) == 0; }

 private:
  static constexpr std::size_t limb_count = 8;
  using Limbs = std::array<std::uint32_t, limb_count>;  // least significant first

  static constexpr std::strong_ordering compare(const Limbs& a, const Limbs& b);
  static constexpr Limbs subtract(const Limbs& a, const Limbs& b);  // a >= b
  constexpr bool add(const Limbs& other);                           // false: did not fit
  constexpr std::uint32_t divide(std::uint32_t divisor);            // the remainder
  constexpr void shift_left(bool low_bit);
  [[nodiscard]] constexpr bool is_zero() const { return limbs_ == Limbs{} && !overflowed_; }
  [[nodiscard]] constexpr bool exceeds_64_bits() const {
    return overflowed_ || std::any_of(limbs_.begin() + 2, limbs_.end(), [](std::uint32_t limb) { return limb != 0; });
  }
  [[nodiscard]] constexpr std::uint64_t low_64_bits() const { return std::uint64_t{limbs_[1]} << 32 | limbs_[0]; }

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
    digits += static_cast<char>('0' + rest.divide(10));
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

constexpr Wide::Limbs Wide::subtract(const Limbs& a, const Limbs& b) {
  Limbs difference{};
  std::uint64_t borrow = 0;
  for (std::size_t i = 0; i < limb_count; ++i) {
    const std::uint64_t digit = std::uint64_t{a[i]} - b[i] - borrow;
    difference[i] = static_cast<std::uint32_t>(digit);
    borrow = digit >> 63;
  }
  return difference;
}

constexpr bool Wide::add(const Limbs& other) {
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i < limb_count; ++i) {
    carry += std::uint64_t{limbs_[i]} + other[i];
    limbs_[i] = static_cast<std::uint32_t>(carry);
    carry >>= 32;
  }
  return carry == 0;
}

constexpr std::uint32_t Wide::divide(std::uint32_t divisor) {
  std::uint64_t remainder = 0;
  for (std::size_t i = limb_count; i-- > 0;) {
    remainder = remainder << 32 | limbs_[i];
    limbs_[i] = static_cast<std::uint32_t>(remainder / divisor);
    remainder %= divisor;
  }
  return static_cast<std::uint32_t>(remainder);
}

constexpr void Wide::shift_left(bool low_bit) {
  std::uint32_t carry = low_bit ? 1 : 0;
  for (std::uint32_t& limb : limbs_) {
    const std::uint32_t out = limb >> 31;
    limb = limb << 1 | carry;
    carry = out;
  }
}

constexpr Wide operator-(Wide value) {
  if (!value.is_zero()) value.negative_ = !value.negative_;
  return value;
}

constexpr Wide operator+(const Wide& a, const Wide& b) {
  if (a.overflowed_) return a;
  if (b.overflowed_) return b;
  Wide sum = a;
  if (a.negative_ == b.negative_) {
    sum.overflowed_ = !sum.add(b.limbs_);
    return sum;
  }
  const bool a_is_larger = Wide::compare(a.limbs_, b.limbs_) >= 0;
  sum.limbs_ = a_is_larger ? Wide::subtract(a.limbs_, b.limbs_) : Wide::subtract(b.limbs_, a.limbs_);
  sum.negative_ = a_is_larger ? a.negative_ : b.negative_;
  if (sum.is_zero()) sum.negative_ = false;
  return sum;
}

constexpr Wide operator*(const Wide& a, const Wide& b) {
  Wide product;
  product.overflowed_ = a.overflowed_ || b.overflowed_;
  for (std::size_t i = 0; i < Wide::limb_count; ++i) {
    if (a.limbs_[i] == 0) continue;  // most numbers have two limbs: a quarter of the time
    std::uint64_t carry = 0;
    for (std::size_t j = 0; j < Wide::limb_count; ++j) {
      carry += std::uint64_t{a.limbs_[i]} * b.limbs_[j];
      if (i + j < Wide::limb_count) {
        carry += product.limbs_[i + j];
        product.limbs_[i + j] = static_cast<std::uint32_t>(carry);
      } else if (static_cast<std::uint32_t>(carry) != 0) {
        product.overflowed_ = true;
      }
      carry >>= 32;
    }
    if (carry != 0) product.overflowed_ = true;
  }
  product.negative_ = a.negative_ != b.negative_ && !product.is_zero();
  return product;
}

constexpr Wide floor_divide(const Wide& value, std::uint32_t divisor) {
  Wide quotient = value;
  const std::uint32_t remainder = quotient.divide(divisor);
  if (quotient.is_zero()) quotient.negative_ = false;
  return value.negative_ && remainder != 0 ? quotient - 1 : quotient;
}

constexpr Wide ceil_divide(const Wide& value, std::uint32_t divisor) { return -floor_divide(-value, divisor); }

constexpr Wide floor_modulo(const Wide& value, const Wide& divisor) {
  if (value.overflowed_ || divisor.overflowed_) return value.overflowed_ ? value : divisor;
  Wide remainder;
  const auto top =
      std::find_if(value.limbs_.rbegin(), value.limbs_.rend(), [](std::uint32_t limb) { return limb != 0; });
  for (auto i = static_cast<std::size_t>(value.limbs_.rend() - top) * 32; i-- > 0;) {
    remainder.shift_left((value.limbs_[i / 32] >> (i % 32) & 1) != 0);
    if (Wide::compare(remainder.limbs_, divisor.limbs_) >= 0) {
      remainder.limbs_ = Wide::subtract(remainder.limbs_, divisor.limbs_);
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
