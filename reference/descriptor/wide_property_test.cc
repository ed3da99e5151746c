#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <dlspec/reference/descriptor/wide.h>

namespace dlspec::reference {
namespace {

// Sums and products of 32-bit numbers fit in 64 bits: there the built-in operators are the oracle.
RC_GTEST_PROP(Wide, AgreesWithBuiltInArithmeticWhereThatCannotOverflow, (std::int32_t a, std::int32_t b)) {
  const std::int64_t x = a, y = b;
  RC_ASSERT(Wide(x) + Wide(y) == Wide(x + y));
  RC_ASSERT(Wide(x) - Wide(y) == Wide(x - y));
  RC_ASSERT(Wide(x) * Wide(y) == Wide(x * y));
  RC_ASSERT((Wide(x) <=> Wide(y)) == (x <=> y));
}

RC_GTEST_PROP(Wide, QuotientsRoundTowardsTheNamedSide, (std::int32_t a, std::uint16_t b)) {
  const std::int64_t value = a, divisor = std::int64_t{b} + 1;
  const std::int64_t remainder = ((value % divisor) + divisor) % divisor;
  const auto small = static_cast<std::uint32_t>(divisor);
  RC_ASSERT(floor_modulo(value, divisor) == Wide(remainder));
  RC_ASSERT(floor_divide(value, small) == Wide((value - remainder) / divisor));
  RC_ASSERT(ceil_divide(value, small) == Wide((value - remainder) / divisor + (remainder == 0 ? 0 : 1)));
}

RC_GTEST_PROP(Wide, KeepsTheLawsOfARingBeyond64Bits, (std::int64_t a, std::int64_t b, std::int64_t c)) {
  const Wide x = Wide(a) * b, y = Wide(b) * c, z = Wide(c) * a;
  RC_ASSERT((x + y) + z == x + (y + z));
  RC_ASSERT((x + y) * c == x * c + y * c);
  RC_ASSERT(x + y - y == x);
  RC_ASSERT(x * c == Wide(b) * a * c);
}

}  // namespace
}  // namespace dlspec::reference
