#include <dlspec/reference/testing/faulty.h>

#include <cstdint>
#include <limits>

namespace dlspec::testing {
namespace {

constexpr std::int64_t int32_min = std::numeric_limits<std::int32_t>::min();
constexpr std::int64_t int64_min = std::numeric_limits<std::int64_t>::min();
constexpr std::int64_t int64_max = std::numeric_limits<std::int64_t>::max();
constexpr std::int64_t two_to_60 = std::int64_t{1} << 60;
constexpr std::int64_t two_to_61 = std::int64_t{1} << 61;
constexpr std::int64_t two_to_62 = std::int64_t{1} << 62;
constexpr std::int64_t uint32_max = std::numeric_limits<std::uint32_t>::max();

constexpr Truth of_layout{.layout = true};
constexpr Truth of_memory{.allocation = true};

// The twins of most rows.
constexpr const char* plain = "float32 (3):(1) @cpu v1.3";
constexpr const char* newer = "float32 (3):(1) @cpu v1.4";
constexpr const char* legacy = "float32 (3) @cpu legacy";
constexpr const char* bare = "float32 (3) @cpu bare";

constexpr FaultyRow table[] = {
#define DLSPEC_FAULTY(rule, variant, way, base, field, ...) \
  {RuleId::rule, variant, way, base, Field::field, __VA_ARGS__},
#include <dlspec/reference/testing/faulty.def>
#undef DLSPEC_FAULTY
};

}  // namespace

std::span<const FaultyRow> faulty_table() { return table; }

}  // namespace dlspec::testing
