#include <dlspec/conformance/plan/encodings.h>

#include <algorithm>
#include <charconv>
#include <iterator>

namespace dlspec::conformance {
namespace {

constexpr unsigned most_lanes = 256;

constexpr Encoding rows[] = {
    {"bool", Family::boolean, 8, 1, 0, 0},
    {"int8", Family::integer, 8, 1, 0, 0},
    {"int16", Family::integer, 16, 1, 0, 0},
    {"int32", Family::integer, 32, 1, 0, 0},
    {"int64", Family::integer, 64, 1, 0, 0},
    {"uint8", Family::integer, 8, 1, 0, 0},
    {"uint16", Family::integer, 16, 1, 0, 0},
    {"uint32", Family::integer, 32, 1, 0, 0},
    {"uint64", Family::integer, 64, 1, 0, 0},
    {"float16", Family::floating, 16, 1, 5, 30},
    {"float32", Family::floating, 32, 1, 8, 254},
    {"float64", Family::floating, 64, 1, 11, 2046},
    {"bfloat16", Family::floating, 16, 1, 8, 254},
    {"complex64", Family::floating, 32, 2, 8, 254},
    {"complex128", Family::floating, 64, 2, 11, 2046},
    {"float8_e4m3fn", Family::floating, 8, 1, 4, 14},
    {"float8_e5m2", Family::floating, 8, 1, 5, 30},
    {"float4_e2m1fn", Family::floating, 4, 1, 2, 3},
    {"int4", Family::integer, 4, 1, 0, 0},
    {"float32x4", Family::floating, 32, 4, 8, 254},
    {"complex32", Family::floating, 16, 2, 5, 30},
    {"bcomplex32", Family::floating, 16, 2, 8, 254},
    {"float8_e3m4", Family::floating, 8, 1, 3, 6},
    {"float8_e4m3", Family::floating, 8, 1, 4, 14},
    {"float8_e4m3b11fnuz", Family::floating, 8, 1, 4, 15},
    {"float8_e4m3fnuz", Family::floating, 8, 1, 4, 15},
    {"float8_e5m2fnuz", Family::floating, 8, 1, 5, 31},
    {"float8_e8m0fnu", Family::floating, 8, 1, 7, 126},  // unsigned: the top exponent bit takes the place of the sign
    {"float4_e2m1fnx2", Family::floating, 4, 2, 2, 3},
    {"float6_e2m3fn", Family::floating, 6, 1, 2, 3},
    {"float6_e3m2fn", Family::floating, 6, 1, 3, 7},
    {"uint4", Family::integer, 4, 1, 0, 0},
    {"int2", Family::integer, 2, 1, 0, 0},
    {"uint1", Family::integer, 1, 1, 0, 0},
};

std::optional<Encoding> find_row(std::string_view name) {
  const auto* row =
      std::find_if(std::begin(rows), std::end(rows), [&](const Encoding& each) { return name == each.name; });
  return row != std::end(rows) ? std::optional<Encoding>(*row) : std::nullopt;
}

}  // namespace

std::span<const Encoding> encodings() { return rows; }

std::optional<Encoding> find_encoding(std::string_view name) {
  if (const auto row = find_row(name)) return row;
  const std::size_t sign = name.rfind('x');
  if (sign == std::string_view::npos) return std::nullopt;
  unsigned lanes = 0;
  const char* const last = name.data() + name.size();
  const auto [end, error] = std::from_chars(name.data() + sign + 1, last, lanes);
  std::optional<Encoding> row = find_row(name.substr(0, sign));
  if (!row || error != std::errc() || end != last || lanes == 0 || lanes > most_lanes) return std::nullopt;
  row->name = name;
  row->parts *= lanes;
  return row;
}

}  // namespace dlspec::conformance
