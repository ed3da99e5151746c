// What optimized/descriptor and optimized/rearrange/plan compute, for check_model.py: a line of numbers in, an answer
// out.
//
//   range BITS LANES (EXTENT STRIDE)...       "BEGIN END", "bad_extent" or "size_overflow": byte_range
//   meet A BEGIN END B BEGIN END              "1" or "0": ranges_meet
#include <cstdint>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

#include <dlspec/optimized/descriptor/extent.h>
#include <dlspec/optimized/descriptor/overlap.h>

namespace {

using namespace dlspec;

std::string range(std::istringstream& numbers) {
  std::uint16_t bits = 0, lanes = 0;
  std::vector<std::int64_t> shape, strides;
  numbers >> bits >> lanes;
  for (std::int64_t extent, stride; numbers >> extent >> stride;) {
    shape.push_back(extent);
    strides.push_back(stride);
  }
  optimized::ByteRange found;
  const abi::DataType dtype{0, static_cast<std::uint8_t>(bits), lanes};
  switch (optimized::byte_range({dtype, shape, strides.data()}, found)) {
    case Status::ok: return std::to_string(found.begin) + " " + std::to_string(found.end);
    case Status::bad_extent: return "bad_extent";
    case Status::size_overflow: return "size_overflow";
    default: return "another status";
  }
}

std::string meet(std::istringstream& numbers) {
  std::uintptr_t a = 0, b = 0;
  optimized::ByteRange range_a, range_b;
  numbers >> a >> range_a.begin >> range_a.end >> b >> range_b.begin >> range_b.end;
  return optimized::ranges_meet(a, range_a, b, range_b) ? "1" : "0";
}

}  // namespace

int main() {
  for (std::string line, what; std::getline(std::cin, line);) {
    std::istringstream numbers(line);
    numbers >> what;
    std::cout << (what == "range" ? range(numbers) : meet(numbers)) << '\n';
  }
}
