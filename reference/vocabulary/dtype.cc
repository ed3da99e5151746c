#include <dlspec/vocabulary/dtype.h>

#include <charconv>
#include <limits>

namespace dlspec {
namespace {

// Reads a decimal number that fills the whole text and has no leading zero, so that every dtype has
// one spelling.
template <class Integer>
std::optional<Integer> parse_number(std::string_view text) {
  Integer value{};
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  if (text.size() > 1 && text.front() == '0') return std::nullopt;
  return value;
}

std::string unnamed(abi::DataType dtype) {
  return "dtype(" + std::to_string(dtype.code) + "," + std::to_string(dtype.bits) + "," + std::to_string(dtype.lanes) +
         ")";
}

std::optional<abi::DataType> parse_unnamed(std::string_view text) {
  constexpr std::string_view prefix = "dtype(";
  if (!text.starts_with(prefix) || !text.ends_with(')')) return std::nullopt;
  text = text.substr(prefix.size(), text.size() - prefix.size() - 1);
  const std::size_t first = text.find(',');
  const std::size_t second = text.find(',', first + 1);
  if (second == std::string_view::npos) return std::nullopt;
  const auto code = parse_number<std::uint8_t>(text.substr(0, first));
  const auto bits = parse_number<std::uint8_t>(text.substr(first + 1, second - first - 1));
  const auto lanes = parse_number<std::uint16_t>(text.substr(second + 1));
  if (!code || !bits || !lanes) return std::nullopt;
  return abi::DataType{*code, *bits, *lanes};
}

// A name without lanes: the whole stem where the width is fixed, else stem and width.
std::optional<abi::DataType> parse_scalar(std::string_view text) {
  for (const DtypeCodeRow& row : dtype_table) {
    const std::string_view stem = row.stem;
    if (row.bits != 0) {
      if (text == stem) return abi::DataType{row.value, row.bits, 1};
    } else if (text.starts_with(stem)) {
      const auto bits = parse_number<std::uint8_t>(text.substr(stem.size()));
      if (bits && *bits != 0) return abi::DataType{row.value, *bits, 1};
    }
  }
  return std::nullopt;
}

}  // namespace

std::string dtype_name(abi::DataType dtype) {
  const DtypeCodeRow* row = find_dtype_code(dtype.code);
  const bool has_name =
      row != nullptr && dtype.bits != 0 && dtype.lanes != 0 && (row->bits == 0 || row->bits == dtype.bits);
  if (!has_name) return unnamed(dtype);
  std::string name = row->stem;
  if (row->bits == 0) name += std::to_string(dtype.bits);
  if (dtype.lanes != 1) name += "x" + std::to_string(dtype.lanes);
  return name;
}

std::optional<abi::DataType> parse_dtype(std::string_view text) {
  if (const auto dtype = parse_unnamed(text)) return dtype;
  if (const auto dtype = parse_scalar(text)) return dtype;
  const std::size_t cross = text.rfind('x');
  if (cross == std::string_view::npos) return std::nullopt;
  auto dtype = parse_scalar(text.substr(0, cross));
  const auto lanes = parse_number<std::uint16_t>(text.substr(cross + 1));
  if (!dtype || !lanes || *lanes < 2) return std::nullopt;
  dtype->lanes = *lanes;
  return dtype;
}

}  // namespace dlspec
