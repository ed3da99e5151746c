#include <dlspec/conformance/plan/contents.h>

#include <algorithm>
#include <cstring>
#include <numeric>
#include <optional>
#include <set>

#include <dlspec/conformance/plan/encodings.h>

namespace dlspec::conformance {
namespace {

constexpr std::size_t full_count = 15;
constexpr std::size_t narrow_count = 5;
constexpr std::size_t packed_count = 5;  // the last

std::vector<const char*> encoding_names(std::size_t first, std::size_t last) {
  std::vector<const char*> names;
  for (std::size_t i = first; i < last; ++i) names.push_back(encodings()[i].name.data());
  return names;
}

// SplitMix64: unlike the distributions of <random>, it gives the same values on every platform.
class SplitMix64 {
 public:
  SplitMix64(std::string_view name, std::uint64_t seed) : state_(seed) {
    for (const char character : name) state_ = next() ^ static_cast<unsigned char>(character);
  }
  std::uint64_t next() {
    std::uint64_t mixed = (state_ += 0x9e3779b97f4a7c15);
    mixed = (mixed ^ (mixed >> 30)) * 0xbf58476d1ce4e5b9;
    mixed = (mixed ^ (mixed >> 27)) * 0x94d049bb133111eb;
    return mixed ^ (mixed >> 31);
  }
  std::uint64_t below(std::uint64_t bound) { return next() % bound; }

 private:
  std::uint64_t state_;
};

std::uint64_t low_bits(unsigned bits) { return bits >= 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << bits) - 1; }

std::uint64_t exponent_field(const Encoding& encoding, std::uint64_t pattern) {
  return pattern >> (encoding.bits - 1 - encoding.exponent_bits) & low_bits(encoding.exponent_bits);
}

// Accepts all integers, and floats that are finite, normal and, above 8 bits, have an exponent of -3 to 3,
// so that a library that converts between formats neither overflows nor rounds to zero.
bool is_fit(const Encoding& encoding, std::uint64_t pattern) {
  if (encoding.family != Family::floating) return true;
  const std::uint64_t field = exponent_field(encoding, pattern);
  if (field == 0 || field > encoding.top_exponent) return false;
  if (encoding.bits <= 8) return true;
  const std::uint64_t bias = low_bits(encoding.exponent_bits - 1);
  return field + 3 >= bias && field <= bias + 3;
}

std::vector<std::uint64_t> booleans(std::size_t count, SplitMix64& random) {
  std::vector<std::uint64_t> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = i < 2 ? 1 - i : random.below(2);  // both occur
  return values;
}

// All accepted patterns of an encoding of at most 8 bits in random order, repeated as needed; the second parts of
// elements move on by one with each repetition, so that few elements are alike.
std::vector<std::uint64_t> narrow_values(const Encoding& encoding, std::size_t count, SplitMix64& random) {
  std::vector<std::uint64_t> fit;
  for (std::uint64_t pattern = 0; pattern <= low_bits(encoding.bits); ++pattern) {
    if (is_fit(encoding, pattern)) fit.push_back(pattern);
  }
  for (std::size_t i = fit.size(); i > 1; --i) std::swap(fit[i - 1], fit[random.below(i)]);
  std::vector<std::uint64_t> values(count);
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t element = i / encoding.parts, part = i % encoding.parts;
    values[i] = fit[(element + part * (element / fit.size())) % fit.size()];
  }
  return values;
}

// How many distinct patterns wide_values draws before it repeats some: where there are few, most of them.
std::size_t most_distinct(const Encoding& encoding) {
  if (encoding.bits != 16) return SIZE_MAX;
  constexpr std::size_t of_integers = 7000;
  if (encoding.family != Family::floating) return of_integers;
  const unsigned fraction_bits = encoding.bits - 1 - encoding.exponent_bits;
  const std::size_t all = std::size_t{14} << fraction_bits;  // seven exponents, two signs
  return std::min(of_integers, all / 8 * 7);
}

// Distinct patterns of an encoding of at least 16 bits.
std::vector<std::uint64_t> wide_values(const Encoding& encoding, std::size_t count, SplitMix64& random) {
  std::set<std::uint64_t> seen;
  std::vector<std::uint64_t> values;
  while (values.size() < count) {
    std::uint64_t pattern = random.next() & low_bits(encoding.bits);
    if (encoding.family == Family::floating) {
      const unsigned shift = encoding.bits - 1 - encoding.exponent_bits;
      const std::uint64_t field = low_bits(encoding.exponent_bits - 1) - 3 + random.below(7);
      pattern = (pattern & ~(low_bits(encoding.exponent_bits) << shift)) | field << shift;
    }
    if (is_fit(encoding, pattern) && seen.insert(pattern).second) values.push_back(pattern);
    if (seen.size() >= most_distinct(encoding)) seen.clear();
  }
  return values;
}

// Zero, the ends of the subnormal and of the normal numbers, infinity and a quiet NaN whose payload is not 0, each with
// both signs. Formats without infinities have ordinary numbers in their place.
std::vector<std::uint64_t> extremes(const Encoding& encoding) {
  const std::uint64_t sign = std::uint64_t{1} << (encoding.bits - 1);
  if (encoding.family == Family::integer) {
    return {0, low_bits(encoding.bits), sign, sign - 1, 1, sign + 1, sign - 2, sign / 3};
  }
  const unsigned fraction_bits = encoding.bits - 1 - encoding.exponent_bits;
  const std::uint64_t fraction = low_bits(fraction_bits);
  const std::uint64_t infinity = low_bits(encoding.exponent_bits) << fraction_bits, quiet_nan = sign - 1;
  const std::uint64_t positive[] = {0, 1, fraction, fraction + 1, infinity - 1, infinity, quiet_nan};
  std::vector<std::uint64_t> values;
  for (const std::uint64_t value : positive) values.insert(values.end(), {value, value | sign});
  return values;
}

std::vector<std::uint64_t> extreme_values(const Encoding& encoding, std::size_t count) {
  const std::vector<std::uint64_t> some = extremes(encoding);
  std::vector<std::uint64_t> values(count);
  // In steps of 5, so that twelve elements have the most of them, and two parts of one element are not of one kind.
  for (std::size_t i = 0; i < count; ++i) values[i] = some[i * 5 % some.size()] & low_bits(encoding.bits);
  return values;
}

// The bit patterns of all parts of `count` elements.
std::vector<std::uint64_t> patterns(const Encoding& encoding, std::size_t count, std::uint64_t seed, Values values) {
  SplitMix64 random(encoding.name, seed);
  const std::size_t parts = count * encoding.parts;
  if (encoding.family == Family::boolean) return booleans(parts, random);
  if (values == Values::extreme) return extreme_values(encoding, parts);
  return encoding.bits <= 8 ? narrow_values(encoding, parts, random) : wide_values(encoding, parts, random);
}

template <class Unsigned>
void append(std::string& bytes, std::uint64_t pattern) {
  const auto value = static_cast<Unsigned>(pattern);
  char buffer[sizeof value];
  std::memcpy(buffer, &value, sizeof value);
  bytes.append(buffer, sizeof value);
}

std::string pack_subbyte(const std::vector<std::uint64_t>& values, unsigned bits) {
  std::string bytes((values.size() * bits + 7) / 8, '\0');
  for (std::size_t i = 0; i < values.size(); ++i) {
    for (unsigned bit = 0; bit < bits; ++bit) {
      const std::size_t position = i * bits + bit;
      const unsigned set = static_cast<unsigned>(values[i] >> bit & 1) << position % 8;
      bytes[position / 8] = static_cast<char>(static_cast<unsigned char>(bytes[position / 8]) | set);
    }
  }
  return bytes;
}

std::string pack(const Encoding& encoding, const std::vector<std::uint64_t>& values) {
  if (encoding.bits < 8) return pack_subbyte(values, encoding.bits);
  std::string bytes;
  for (const std::uint64_t value : values) {
    switch (encoding.bits) {
      case 8: append<std::uint8_t>(bytes, value); break;
      case 16: append<std::uint16_t>(bytes, value); break;
      case 32: append<std::uint32_t>(bytes, value); break;
      default: append<std::uint64_t>(bytes, value); break;
    }
  }
  return bytes;
}

// Element offsets in C order, relative to the lowest address.
std::vector<std::size_t> positions(const Order& order) {
  std::vector<std::int64_t> strides(order.shape.size(), 1);
  for (std::size_t axis = strides.size(); axis-- > 1;) strides[axis - 1] = strides[axis] * order.shape[axis];
  if (order.strides) strides = *order.strides;
  std::vector<std::int64_t> found{0};
  for (std::size_t axis = 0; axis < order.shape.size(); ++axis) {
    std::vector<std::int64_t> next;
    for (const std::int64_t position : found) {
      for (std::int64_t i = 0; i < order.shape[axis]; ++i) next.push_back(position + i * strides[axis]);
    }
    found = std::move(next);
  }
  if (found.empty()) return {};
  const std::int64_t lowest = *std::min_element(found.begin(), found.end());
  std::vector<std::size_t> from_lowest;
  for (const std::int64_t position : found) from_lowest.push_back(static_cast<std::size_t>(position - lowest));
  return from_lowest;
}

}  // namespace

const PlanNames& full_dtypes() {
  static const std::vector<const char*> names = encoding_names(0, full_count);
  return names;
}

const PlanNames& narrow_dtypes() {
  static const std::vector<const char*> names = encoding_names(full_count, full_count + narrow_count);
  return names;
}

const PlanNames& rare_dtypes() {
  static const std::vector<const char*> names = encoding_names(full_count + narrow_count, encodings().size());
  return names;
}

const PlanNames& packed_dtypes() {
  static const std::vector<const char*> names = encoding_names(encodings().size() - packed_count, encodings().size());
  return names;
}

std::string memory_contents(std::string_view dtype, std::int64_t count, std::uint64_t seed, Values values) {
  const std::optional<Encoding> encoding = find_encoding(dtype);
  if (!encoding || count <= 0) return {};
  return pack(*encoding, patterns(*encoding, static_cast<std::size_t>(count), seed, values));
}

std::string order_contents(const Order& order, std::uint64_t seed, Values values) {
  const std::optional<Encoding> encoding = find_encoding(order.dtype);
  const std::vector<std::size_t> where = positions(order);
  if (!encoding || where.empty()) return {};
  const std::size_t span = *std::max_element(where.begin(), where.end()) + 1;
  const std::vector<std::uint64_t> memory = patterns(*encoding, span, seed, values);
  std::vector<std::uint64_t> elements;
  for (const std::size_t position : where) {
    const auto first = memory.begin() + static_cast<std::ptrdiff_t>(position * encoding->parts);
    elements.insert(elements.end(), first, first + static_cast<std::ptrdiff_t>(encoding->parts));
  }
  return pack(*encoding, elements);
}

}  // namespace dlspec::conformance
