#include <dlspec/reference/testing/decoder.h>

#include <algorithm>
#include <cstddef>
#include <cstring>

#include <dlspec/reference/testing/specimen.h>
#include <dlspec/reference/testing/value_tables.h>
#include <dlspec/vocabulary/device.h>
#include <dlspec/vocabulary/dtype.h>
#include <dlspec/vocabulary/limits.h>

namespace dlspec::testing {

// With the numbers of tensors.
class DecodedTensor::Reader : public FieldReader {
 public:
  using FieldReader::FieldReader;

  template <class Table>
  auto element(const Table& table) {
    return std::data(table)[word<std::uint16_t>() % std::size(table)];
  }

  // Mostly between -96 and 95, else extreme, else anything.
  std::int64_t number() {
    const std::uint8_t selector = byte();
    if (selector < 192) return selector % 2 == 0 ? selector / 2 : -(selector + 1) / 2;
    return selector < 224 ? element(extreme_numbers) : word<std::int64_t>();
  }

  std::int64_t extent() {
    const std::uint8_t selector = byte();
    if (selector < 192) return selector == 0 ? 1 : selector % 8;
    return selector < 224 ? element(extents) : number();
  }
};

namespace {

constexpr std::int32_t most_axes = 64;

// What the bytes of a string mean. Strides are as many as extents, `step` is one that differs.
enum class Kind : std::uint8_t {
  generation,
  rank,
  extent,
  stride_kind,
  stride,
  step,
  shape_pointer,
  strides_pointer,
  dtype,
  device,
  version,
  flags,
  byte_offset,
  data,
  deleter,
  origin,
  allocation,
  story,
  object,
};

template <class Pointer>
Pointer moved(Pointer pointer, std::uintptr_t bytes) {
  return reinterpret_cast<Pointer>(reinterpret_cast<std::uintptr_t>(pointer) + bytes);
}

// Mostly the pointer itself; sometimes NULL, or misaligned.
template <class Pointer>
Pointer maybe_spoiled(Pointer pointer, std::uint8_t selector) {
  if (selector < 224) return pointer;
  return selector < 240 ? nullptr : moved(pointer, selector % 8);
}

// Row-major; where that overflows, whatever the wrapped product is.
void fill_row_major(std::span<const std::int64_t> shape, std::vector<std::int64_t>& strides) {
  std::uint64_t stride = 1;
  for (std::size_t axis = shape.size(); axis-- > 0;) {
    strides[axis] = static_cast<std::int64_t>(stride);
    stride *= static_cast<std::uint64_t>(shape[axis]);
  }
}

abi::Version decode_version(auto& reader) {
  reader.field(Kind::version);
  const std::uint8_t selector = reader.byte();
  if (selector < 200) return {1, selector % 5u};
  if (selector < 240) return reader.element(versions);
  const auto major = reader.template word<std::uint32_t>();
  return {major, reader.template word<std::uint32_t>()};
}

abi::Device decode_device(auto& reader) {
  reader.field(Kind::device);
  const std::uint8_t selector = reader.byte();
  if (selector < 160) return {kDLCPU, 0};
  if (selector < 240) return reader.element(all_devices());
  const auto type = reader.template word<std::int32_t>();
  return {type, reader.template word<std::int32_t>()};
}

abi::DataType decode_dtype(auto& reader) {
  const std::uint8_t selector = reader.byte();
  if (selector < 64) return {kDLFloat, 32, 1};
  if (selector < 160) return reader.element(conforming_dtypes());
  if (selector < 236) return reader.element(all_dtypes());
  if (selector < 240) return {kDLFloat4_e2m1fn, 4, 2};  // a pair in a byte, as most libraries export float4
  const std::uint8_t code = reader.byte(), bits = reader.byte();
  return {code, bits, reader.template word<std::uint16_t>()};
}

std::int32_t decode_rank(auto& reader) {
  reader.field(Kind::rank);
  const std::uint8_t selector = reader.byte();
  if (selector < 220) return selector % 5;
  return selector < 250 ? reader.element(ranks) : reader.template word<std::int32_t>();
}

std::uint64_t decode_flags(auto& reader) {
  reader.field(Kind::flags);
  const std::uint8_t selector = reader.byte();
  if (selector < 224) return selector % 8;
  return selector < 240 ? reader.element(flag_values) : reader.template word<std::uint64_t>();
}

std::uint64_t decode_offset(auto& reader) {
  reader.field(Kind::byte_offset);
  const std::uint8_t selector = reader.byte();
  if (selector < 192) return selector;
  return selector < 240 ? reader.element(byte_offsets) : reader.template word<std::uint64_t>();
}

// The axis that a byte selects; rank is not 0.
std::size_t decode_axis(auto& reader, std::size_t rank) { return reader.byte() % rank; }

// Differences between a struct and its source: one number or dtype changed (bool exported as uint8, single float4
// numbers as pairs), strides multiplied by the element size, lanes multiplied into the shape.
void tell_another_story(auto& reader, Layout& layout) {
  const std::size_t rank = layout.shape.size();
  reader.field(Kind::story);
  const std::uint8_t selector = reader.byte();
  switch (selector % 8) {
    case 1: layout.dtype = decode_dtype(reader); break;
    case 2:
      if (layout.dtype.code == kDLFloat4_e2m1fn) {
        layout.dtype.lanes = 1;
      } else {
        layout.dtype = {kDLBool, 8, 1};
      }
      break;
    case 3: layout.dtype.lanes = reader.byte(); break;
    case 4:
      if (rank != 0) layout.shape[decode_axis(reader, rank)] = reader.extent();
      break;
    case 5:
      if (rank != 0) layout.shape.pop_back();
      if (layout.strides && rank != 0) layout.strides->pop_back();
      break;
    case 6:
      if (rank != 0 && layout.dtype.lanes != 0) layout.shape.back() /= layout.dtype.lanes;
      break;
    case 7:
      if (!layout.strides || item_size(layout.dtype) == 0) break;
      for (std::int64_t& stride : *layout.strides) stride /= item_size(layout.dtype);
      break;
    default: break;
  }
}

Known decode_known(std::uint8_t bits) { return static_cast<Known>(bits % 3); }

}  // namespace

void DecodedTensor::decode(std::span<const std::uint8_t> bytes, FieldListener* listener) {
  Reader reader(bytes, listener);
  abi::v1::ManagedTensor managed{};
  reader.field(Kind::generation);
  const std::uint8_t selector = reader.byte();
  generation_ = selector < 160 ? Generation::versioned : selector < 208 ? Generation::legacy : Generation::bare;
  managed.dl_tensor.ndim = decode_rank(reader);
  decode_axes(reader, managed.dl_tensor);
  reader.field(Kind::dtype);
  managed.dl_tensor.dtype = decode_dtype(reader);
  managed.dl_tensor.device = decode_device(reader);
  managed.version = decode_version(reader);
  managed.flags = decode_flags(reader);
  managed.dl_tensor.byte_offset = decode_offset(reader);
  decode_data(reader, managed.dl_tensor);
  reader.field(Kind::deleter);
  if (reader.byte() < 224) managed.deleter = [](abi::v1::ManagedTensor*) {};
  decode_origin(reader, managed.dl_tensor);
  decode_object(reader, managed);
}

void DecodedTensor::decode_axes(Reader& reader, abi::Tensor& tensor) {
  const auto rank = static_cast<std::size_t>(std::clamp(tensor.ndim, 0, most_axes));
  const std::size_t size = std::max<std::size_t>(rank, 1);
  shape_.assign(size, 1);
  strides_.assign(size, 1);
  for (std::size_t axis = 0; axis < rank; ++axis) {
    reader.field(Kind::extent);
    shape_[axis] = reader.extent();
  }
  fill_row_major(shape_, strides_);
  reader.field(Kind::stride_kind);
  decode_strides(reader, reader.byte() % 4);
  reader.field(Kind::shape_pointer);
  tensor.shape = maybe_spoiled(shape_.data(), reader.byte());
  reader.field(Kind::strides_pointer);
  tensor.strides = maybe_spoiled(strides_.data(), reader.byte());
}

// What `kind` makes of row-major strides.
void DecodedTensor::decode_strides(Reader& reader, int kind) {
  if (kind == 1) {
    reader.field(Kind::step);
    std::int64_t& step = strides_[decode_axis(reader, strides_.size())];
    step = reader.element(strides);
  }
  for (std::size_t axis = 0; kind == 2 && axis < strides_.size(); ++axis) {
    reader.field(Kind::stride);
    strides_[axis] = reader.number();
  }
  if (kind == 3) std::reverse(strides_.begin(), strides_.end());
}

void DecodedTensor::decode_data(Reader& reader, abi::Tensor& tensor) {
  reader.field(Kind::data);
  const bool empty = tensor.ndim > 0 && std::find(shape_.begin(), shape_.end(), 0) != shape_.end();
  const std::uint8_t selector = reader.byte();
  std::uintptr_t address = empty ? 0 : Specimen::fake_address;
  if (selector >= 192) address += static_cast<std::uintptr_t>(reader.number());
  if (selector >= 216) address = static_cast<std::uintptr_t>(reader.number());
  if (selector >= 228) address += static_cast<std::uintptr_t>(lowest_host_address);  // mostly near it
  if (selector >= 240) address = 0;
  tensor.data = reinterpret_cast<void*>(address);
}

void DecodedTensor::decode_origin(Reader& reader, const abi::Tensor& tensor) {
  reader.field(Kind::origin);
  origin_.reset();
  const std::uint8_t selector = reader.byte();
  if (selector < 96) return;
  origin_.emplace();
  const std::uint8_t known = reader.byte();
  origin_->read_only = decode_known(known & 3);
  origin_->copied = decode_known(known >> 2 & 3);
  origin_->padded = (known >> 4 & 1) != 0;
  if (selector % 2 == 1) {
    reader.field(Kind::allocation);
    const auto begin = reinterpret_cast<std::uintptr_t>(tensor.data) + static_cast<std::uintptr_t>(reader.number());
    origin_->allocation_begin = begin;
    origin_->allocation_end = std::max(begin, begin + static_cast<std::uintptr_t>(reader.number()));
  }
  if (selector < 128) return;
  const auto rank = std::clamp(tensor.ndim, 0, most_axes);
  source_.dtype = tensor.dtype;
  source_.shape.assign(shape_.begin(), shape_.begin() + rank);
  source_.strides.reset();
  if (selector % 4 < 2) source_.strides.emplace(strides_.begin(), strides_.begin() + rank);
  tell_another_story(reader, source_);
  origin_->layout = &source_;
}

void DecodedTensor::decode_object(Reader& reader, const abi::v1::ManagedTensor& managed) {
  const abi::v0::ManagedTensor legacy{managed.dl_tensor, nullptr,
                                      managed.deleter != nullptr ? +[](abi::v0::ManagedTensor*) {} : nullptr};
  const auto store = [this](const void* object, std::size_t size) {
    storage_.resize(size / sizeof(std::uint64_t));
    std::memcpy(storage_.data(), object, size);
  };
  const bool foreign = managed.version.major != abi::newest_version.major;
  switch (generation_) {
    case Generation::versioned:
      store(&managed, foreign ? offsetof(abi::v1::ManagedTensor, dl_tensor) : sizeof managed);
      break;
    case Generation::legacy: store(&legacy, sizeof legacy); break;
    case Generation::bare: store(&managed.dl_tensor, sizeof managed.dl_tensor); break;
  }
  reader.field(Kind::object);
  const std::uint8_t selector = reader.byte();
  object_ =
      selector < 240 ? storage_.data() : maybe_spoiled<const void*>(storage_.data(), selector < 248 ? 224 : selector);
}

}  // namespace dlspec::testing
