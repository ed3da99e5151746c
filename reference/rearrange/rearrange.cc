#include <dlspec/reference/rearrange/rearrange.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <new>

#include <dlspec/reference/descriptor/enumerate.h>
#include <dlspec/reference/descriptor/overlap.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::reference {
namespace {

constexpr std::int64_t greatest_size = std::numeric_limits<std::int64_t>::max();

bool has_storage(abi::DataType dtype) {
  return dtype.bits != 0 && dtype.lanes != 0 && (is_subbyte(dtype) || dtype.bits % 8 == 0);
}

template <class Data>
std::uint32_t width_of(const Operand<Data>& operand) {
  return storage_bits(operand.dtype, operand.padded);
}

// Address of element (0, ..., 0).
template <class Data>
Wide address_of(const Operand<Data>& operand) {
  return Wide(reinterpret_cast<std::uintptr_t>(operand.data)) + operand.byte_offset;
}

template <class Data>
Placed placed(const Operand<Data>& operand) {
  return {operand.axes, address_of(operand) * 8, width_of(operand)};
}

// For operands with elements.
template <class Data>
Status check_memory(const Operand<Data>& operand) {
  const Reach range = *reach(operand.axes, width_of(operand));
  if (element_count(operand.axes.shape) > greatest_size) return Status::size_overflow;
  if (range.high_bytes - range.low_bytes > greatest_size) return Status::size_overflow;
  if (operand.data == nullptr) return Status::null_pointer;
  const Wide end_of_memory = Wide(std::numeric_limits<std::uintptr_t>::max()) + 1;
  const Wide start = address_of(operand);
  const bool inside = start + range.low_bytes >= 0 && start + range.high_bytes <= end_of_memory;
  return inside ? Status::ok : Status::size_overflow;
}

Status check_overlap(const Destination& destination, const Source& source) {
  if (self_overlap(destination.axes, overlap_enumeration_limit) != Overlap::no) return Status::destination_overlap;
  if (same_view(placed(destination), placed(source))) return Status::ok;
  const Overlap shared = mutual_overlap(placed(destination), placed(source), overlap_enumeration_limit);
  return shared == Overlap::no ? Status::ok : Status::operands_overlap;
}

Status check_layouts(const Destination& destination, const Source& source) {
  if (destination.axes.rank() > max_rank || source.axes.rank() > max_rank) return Status::bad_rank;
  if (!extents_valid(destination.axes.shape) || !extents_valid(source.axes.shape)) return Status::bad_extent;
  if (!has_storage(destination.dtype) || !has_storage(source.dtype)) return Status::bad_dtype;
  if (destination.dtype != source.dtype) return Status::dtype_mismatch;
  const auto from = source.axes.shape, to = destination.axes.shape;
  return std::equal(from.begin(), from.end(), to.begin(), to.end()) ? Status::ok : Status::shape_mismatch;
}

Status check(const Destination& destination, const Source& source) {
  if (const Status status = check_layouts(destination, source); status != Status::ok) return status;
  if (is_empty(source.axes.shape)) return Status::ok;
  if (const Status status = check_memory(destination); status != Status::ok) return status;
  if (const Status status = check_memory(source); status != Status::ok) return status;
  return check_overlap(destination, source);
}

// The address of a bit.
template <class Byte>
struct BitPointer {
  Byte* byte;
  unsigned bit;  // 0 to 7, from the least significant

  [[nodiscard]] BitPointer plus(std::uint32_t bits) const { return {byte + (bit + bits) / 8, (bit + bits) % 8}; }
  [[nodiscard]] bool read() const { return (*byte >> bit & 1) != 0; }
  void write(bool value) const {
    const auto mask = static_cast<std::uint8_t>(1u << bit);
    *byte = static_cast<std::uint8_t>(value ? *byte | mask : *byte & ~mask);
  }
};

// The start of the element at this position. Positions are split by 8, because 8 elements fill as many bytes as one has
// bits: no count of bits then exceeds the memory's count of bytes, which fits in int64.
template <class Byte>
BitPointer<Byte> element_at(Byte* first_element, std::int64_t position, std::uint32_t width) {
  const std::int64_t group = position >> 3;
  const BitPointer<Byte> start{first_element + group * width, 0};
  return start.plus(static_cast<std::uint32_t>(position & 7) * width);
}

void copy_bits(const BitPointer<std::uint8_t>& to, const BitPointer<const std::uint8_t>& from, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) to.plus(i).write(from.plus(i).read());
}

// Lane by lane: one operand may be padded and the other packed.
void copy_narrow_lanes(BitPointer<std::uint8_t> to, BitPointer<const std::uint8_t> from, const Destination& destination,
                       const Source& source) {
  const abi::DataType dtype = source.dtype;
  for (std::uint32_t lane = 0; lane < dtype.lanes; ++lane) {
    if (destination.padded) *to.byte = 0;
    copy_bits(to, from, dtype.bits);
    to = to.plus(destination.padded ? 8 : dtype.bits);
    from = from.plus(source.padded ? 8 : dtype.bits);
  }
}

void copy_elements(const Destination& destination, const Source& source) {
  auto* const to =
      reinterpret_cast<std::uint8_t*>(reinterpret_cast<std::uintptr_t>(destination.data) + destination.byte_offset);
  auto* const from =
      reinterpret_cast<const std::uint8_t*>(reinterpret_cast<std::uintptr_t>(source.data) + source.byte_offset);
  Cursor<std::int64_t> written(destination.axes), read(source.axes);
  for (; !read.done(); read.advance(), written.advance()) {
    const auto target = element_at(to, written.offset(), width_of(destination));
    const auto origin = element_at(from, read.offset(), width_of(source));
    if (is_subbyte(source.dtype)) {
      copy_narrow_lanes(target, origin, destination, source);
    } else {
      std::memcpy(target.byte, origin.byte, item_size(source.dtype));
    }
  }
}

}  // namespace

Status rearrange(const Destination& destination, const Source& source) try {
  const Status status = check(destination, source);
  if (status != Status::ok || is_empty(source.axes.shape)) return status;
  if (!same_view(placed(destination), placed(source))) copy_elements(destination, source);
  return Status::ok;
} catch (const std::bad_alloc&) {  // before the first element: only the cursors allocate
  return Status::size_limit;
}

}  // namespace dlspec::reference
