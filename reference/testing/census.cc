#include <dlspec/reference/testing/clean_tensor.h>

#include <algorithm>
#include <iterator>

#include <dlspec/vocabulary/dtype.h>

namespace dlspec::testing {
namespace {

constexpr const char* corner_texts[] = {
#define DLSPEC_CORNER(name, text) text,
    DLSPEC_CORNERS(DLSPEC_CORNER)
#undef DLSPEC_CORNER
};

void add_all(auto& counts, const auto& others) {
  for (std::size_t i = 0; i < counts.size(); ++i) counts[i] += others[i];
}

// The widths of this code in conforming tensors.
bool wants(std::uint8_t code, unsigned bits) {
  switch (code) {
    case kDLInt:
    case kDLUInt: return bits < 8 || bits % 8 == 0;
    case kDLFloat: return std::ranges::find(float_widths, bits) != std::end(float_widths);
    case kDLOpaqueHandle: return false;
    case kDLComplex:
    case kDLBcomplex: return std::ranges::find(complex_widths, bits) != std::end(complex_widths);
    default: return bits == find_dtype_code(code)->bits;
  }
}

}  // namespace

Census::Census() = default;

void Census::add(const CleanTensor& tensor) {
  ++tensors_;
  for (std::size_t corner = 0; corner < corner_count; ++corner) {
    if (tensor.in(static_cast<Corner>(corner))) ++corners_[corner];
  }
  const abi::Tensor& fields = tensor.tensor();
  ++ranks_[static_cast<std::size_t>(fields.ndim)];
  ++dtypes_[fields.dtype.code][fields.dtype.bits];
  if (const DeviceRow* row = find_device(fields.device.device_type))
    ++devices_[static_cast<std::size_t>(row - device_table)];
}

void Census::add(const Census& other) {
  tensors_ += other.tensors_;
  add_all(corners_, other.corners_);
  add_all(ranks_, other.ranks_);
  add_all(devices_, other.devices_);
  for (std::size_t code = 0; code < dtypes_.size(); ++code) add_all(dtypes_[code], other.dtypes_[code]);
}

std::vector<std::string> Census::missing() const {
  std::vector<std::string> lines;
  for (std::size_t corner = 0; corner < corner_count; ++corner) {
    if (corners_[corner] == 0) lines.emplace_back(corner_texts[corner]);
  }
  for (std::size_t rank = 0; rank < ranks_.size(); ++rank) {
    if (ranks_[rank] == 0) lines.push_back("rank " + std::to_string(rank));
  }
  for (const DtypeCodeRow& row : dtype_table) {
    for (unsigned bits = 1; bits < 256; ++bits) {
      if (wants(row.value, bits) && dtypes_[row.value][bits] == 0) {
        lines.push_back("dtype " + dtype_name({row.value, static_cast<std::uint8_t>(bits), 1}));
      }
    }
  }
  for (std::size_t row = 0; row < devices_.size(); ++row) {
    if (devices_[row] == 0) lines.push_back(std::string("device ") + device_table[row].short_name);
  }
  return lines;
}

std::vector<std::string> Census::lines() const {
  std::vector<std::string> lines;
  for (std::size_t corner = 0; corner < corner_count; ++corner) {
    lines.push_back(std::to_string(corners_[corner]) + " " + corner_texts[corner]);
  }
  return lines;
}

}  // namespace dlspec::testing
