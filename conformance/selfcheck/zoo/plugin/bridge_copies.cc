// Faulty copies by descriptors.
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <span>

#include <dlspec/vocabulary/device.h>
#include <dlspec/vocabulary/dtype.h>

#include "bridges.h"

namespace dlspec::zoo {
namespace {

using Legacy = abi::v0::ManagedTensor;

// What a descriptor of dlspec's own says.
class Seen {
 public:
  explicit Seen(const void* descriptor) {
    void* exported = nullptr;
    DlspecRefusal refusal{};
    own_bridge().to_dlpack(descriptor, nullptr, DLSPEC_LEGACY, &exported, &refusal);
    managed_ = static_cast<Legacy*>(exported);
  }
  ~Seen() { managed_->deleter(managed_); }
  Seen(const Seen&) = delete;
  Seen& operator=(const Seen&) = delete;

  [[nodiscard]] const abi::Tensor& tensor() const { return managed_->dl_tensor; }
  [[nodiscard]] bool same_shape(const Seen& other) const {
    return tensor().ndim == other.tensor().ndim &&
           std::equal(tensor().shape, tensor().shape + tensor().ndim, other.tensor().shape);
  }
  [[nodiscard]] std::size_t bytes() const {
    std::size_t count = item_size(tensor().dtype);
    for (std::int32_t axis = 0; axis < tensor().ndim; ++axis) count *= static_cast<std::size_t>(tensor().shape[axis]);
    return count;
  }
  template <class Test>
  [[nodiscard]] bool any_stride(Test test) const {
    for (std::int32_t axis = 0; axis < tensor().ndim; ++axis) {
      if (tensor().shape[axis] > 1 && test(tensor().strides[axis])) return true;
    }
    return false;
  }

 private:
  Legacy* managed_;
};

bool is_negative(std::int64_t stride) { return stride < 0; }
bool is_zero(std::int64_t stride) { return stride == 0; }

int copy(const void* to, void* to_data, const void* from, const void* from_data, DlspecRefusal* refusal) {
  return own_bridge().rearrange(to, to_data, from, from_data, refusal);
}

void spoil(void* byte) { *static_cast<std::uint8_t*>(byte) ^= 1; }

int misread_negative(const void* to, void* to_data, const void* from, const void* from_data, DlspecRefusal* refusal) {
  const int code = copy(to, to_data, from, from_data, refusal);
  if (code == DLSPEC_OK && Seen(from).any_stride(is_negative)) spoil(to_data);
  return code;
}

int misread_all(const void* to, void* to_data, const void* from, const void* from_data, DlspecRefusal* refusal) {
  const int code = copy(to, to_data, from, from_data, refusal);
  if (code == DLSPEC_OK && Seen(to).bytes() != 0) spoil(to_data);
  return code;
}

int refuse_broadcast(const void* to, void* to_data, const void* from, const void* from_data, DlspecRefusal* refusal) {
  if (Seen(from).any_stride(is_zero)) return refuse(refusal, InfiniStatus::bad_tensor_strides);
  return copy(to, to_data, from, from_data, refusal);
}

int refuse_null(const void* to, void* to_data, const void* from, const void* from_data, DlspecRefusal* refusal) {
  const Seen target(to), source(from);
  const bool same = target.tensor().dtype == source.tensor().dtype && target.same_shape(source);
  if (same && from_data == nullptr && source.bytes() == 0) return refuse(refusal, InfiniStatus::null_pointer);
  return copy(to, to_data, from, from_data, refusal);
}

bool repeats(int status) { return status == static_cast<int>(InfiniStatus::bad_tensor_strides); }

int allow_overlap(const void* to, void* to_data, const void* from, const void* from_data, DlspecRefusal* refusal) {
  const int code = copy(to, to_data, from, from_data, refusal);
  return code != DLSPEC_OK && repeats(refusal->status) ? DLSPEC_OK : code;
}

int write_then_refuse(const void* to, void* to_data, const void* from, const void* from_data, DlspecRefusal* refusal) {
  const int code = copy(to, to_data, from, from_data, refusal);
  if (code != DLSPEC_OK && to_data != nullptr && repeats(refusal->status)) spoil(to_data);
  return code;
}

// What is refused because both lie in the same memory is copied byte by byte, ascending or descending.
template <bool ascending>
int copy_in_order(const void* to, void* to_data, const void* from, const void* from_data, DlspecRefusal* refusal) {
  const int code = copy(to, to_data, from, from_data, refusal);
  if (code == DLSPEC_OK || refusal->status != static_cast<int>(InfiniStatus::bad_param)) return code;
  volatile auto* const target = static_cast<volatile std::uint8_t*>(to_data);
  const auto* const source = static_cast<const volatile std::uint8_t*>(from_data);
  const std::size_t count = Seen(to).bytes();
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = ascending ? i : count - 1 - i;
    target[at] = source[at];
  }
  return DLSPEC_OK;
}

int write_into_shared(const void* to, void* to_data, const void* from, const void* from_data, DlspecRefusal* refusal) {
  const int code = copy(to, to_data, from, from_data, refusal);
  if (code != DLSPEC_OK && refusal->status == static_cast<int>(InfiniStatus::bad_param)) spoil(to_data);
  return code;
}

// The byte behind the first element, where the next one lies further away and nothing lies before the first.
int write_gaps(const void* to, void* to_data, const void* from, const void* from_data, DlspecRefusal* refusal) {
  const int code = copy(to, to_data, from, from_data, refusal);
  const Seen target(to);
  const bool gaps = target.bytes() != 0 && !target.any_stride([](std::int64_t stride) { return stride < 2; });
  if (code == DLSPEC_OK && gaps && target.tensor().ndim > 0)
    spoil(static_cast<char*>(to_data) + item_size(target.tensor().dtype));
  return code;
}

// The innermost axis is read as a run, whether its elements lie side by side or in one place.
int read_as_run(const void* to, void* to_data, const void* from, const void* from_data, DlspecRefusal* refusal) {
  const int code = copy(to, to_data, from, from_data, refusal);
  const Seen target(to), source(from);
  const abi::Tensor& tensor = source.tensor();
  const std::int32_t last = tensor.ndim - 1;
  const bool repeated = last >= 0 && source.bytes() != 0 && tensor.strides[last] == 0 && tensor.shape[last] > 1;
  if (code == DLSPEC_OK && repeated)
    spoil(static_cast<char*>(to_data) +
          target.tensor().strides[last] * static_cast<std::int64_t>(item_size(tensor.dtype)));
  return code;
}

// Between equal strides, what lies behind the first element is copied as well.
int copy_span(const void* to, void* to_data, const void* from, const void* from_data, DlspecRefusal* refusal) {
  const int code = copy(to, to_data, from, from_data, refusal);
  const Seen target(to), source(from);
  const std::int32_t rank = target.tensor().ndim;
  const auto is_below_2 = [](std::int64_t stride) { return stride < 2; };
  if (code != DLSPEC_OK || rank == 0 || target.bytes() == 0 || target.any_stride(is_below_2)) return code;
  if (!std::equal(target.tensor().strides, target.tensor().strides + rank, source.tensor().strides)) return code;
  const std::size_t item = item_size(target.tensor().dtype);
  std::memcpy(static_cast<char*>(to_data) + item, static_cast<const char*>(from_data) + item, 1);
  return code;
}

// Rows in steps are copied four elements of 2 bytes at a time, and of three that are left two.
int miss_tails(const void* to, void* to_data, const void* from, const void* from_data, DlspecRefusal* refusal) {
  const int code = copy(to, to_data, from, from_data, refusal);
  const Seen target(to), source(from);
  const std::int32_t rank = target.tensor().ndim;
  if (code != DLSPEC_OK || rank == 0 || target.bytes() == 0 || item_size(target.tensor().dtype) != 2) return code;
  const std::int64_t count = target.tensor().shape[rank - 1], step = target.tensor().strides[rank - 1];
  const bool in_steps = step != 1 || source.tensor().strides[rank - 1] != 1;
  if (in_steps && count % 4 == 3) spoil(static_cast<char*>(to_data) + (count - 1) * step * 2);
  return code;
}

// Rows are stored in words of 8 bytes where the gap behind them has room.
int fill_gaps(const void* to, void* to_data, const void* from, const void* from_data, DlspecRefusal* refusal) {
  const int code = copy(to, to_data, from, from_data, refusal);
  const Seen target(to);
  const std::int32_t rank = target.tensor().ndim;
  if (code != DLSPEC_OK || rank < 2 || target.bytes() == 0 || target.tensor().strides[rank - 1] != 1) return code;
  const auto item = static_cast<std::int64_t>(item_size(target.tensor().dtype));
  const std::int64_t row = target.tensor().shape[rank - 1] * item, pitch = target.tensor().strides[rank - 2] * item;
  const bool has_room = target.tensor().shape[rank - 2] > 1 && pitch >= (row + 7) / 8 * 8;
  if (row % 8 != 0 && has_room) spoil(static_cast<char*>(to_data) + row);
  return code;
}

int misplace(const void* to, void* to_data, const void* from, const void* from_data, DlspecRefusal* refusal) {
  const int code = copy(to, to_data, from, from_data, refusal);
  if (code == DLSPEC_OK && Seen(to).any_stride(is_negative)) spoil(to_data);
  return code;
}

// What becomes of each item of a compact destination of this type code and width.
template <class Item, class Change>
int copy_changing(const void* to, void* to_data, const void* from, const void* from_data, DlspecRefusal* refusal,
                  std::uint8_t type, Change change) {
  const int code = copy(to, to_data, from, from_data, refusal);
  const Seen target(to);
  const bool meant = target.tensor().dtype.code == type && item_size(target.tensor().dtype) == sizeof(Item);
  if (code != DLSPEC_OK || !meant || !is_compact(target.tensor())) return code;
  for (std::size_t at = 0; at < target.bytes(); at += sizeof(Item)) {
    Item item;
    std::memcpy(&item, static_cast<char*>(to_data) + at, sizeof item);
    item = change(item);
    std::memcpy(static_cast<char*>(to_data) + at, &item, sizeof item);
  }
  return code;
}

int quiet_nans(const void* to, void* to_data, const void* from, const void* from_data, DlspecRefusal* refusal) {
  return copy_changing<std::uint32_t>(to, to_data, from, from_data, refusal, kDLFloat, [](std::uint32_t bits) {
    return (bits & 0x7fffffff) > 0x7f800000 ? bits | 0x400000 : bits;
  });
}
int quiet_half_nans(const void* to, void* to_data, const void* from, const void* from_data, DlspecRefusal* refusal) {
  return copy_changing<std::uint16_t>(to, to_data, from, from_data, refusal, kDLFloat, [](std::uint16_t bits) {
    return static_cast<std::uint16_t>((bits & 0x7fff) > 0x7c00 ? bits | 0x200 : bits);
  });
}
int lose_minus(const void* to, void* to_data, const void* from, const void* from_data, DlspecRefusal* refusal) {
  return copy_changing<std::uint64_t>(to, to_data, from, from_data, refusal, kDLFloat,
                                      [](std::uint64_t bits) { return bits == std::uint64_t{1} << 63 ? 0 : bits; });
}
int flush_subnormals(const void* to, void* to_data, const void* from, const void* from_data, DlspecRefusal* refusal) {
  return copy_changing<std::uint16_t>(to, to_data, from, from_data, refusal, kDLBfloat, [](std::uint16_t bits) {
    return static_cast<std::uint16_t>((bits & 0x7f80) == 0 ? bits & 0x8000 : bits);
  });
}
int normalise_booleans(const void* to, void* to_data, const void* from, const void* from_data, DlspecRefusal* refusal) {
  return copy_changing<std::uint8_t>(to, to_data, from, from_data, refusal, kDLBool,
                                     [](std::uint8_t byte) { return static_cast<std::uint8_t>(byte != 0); });
}

int refuse_nans(const void* to, void* to_data, const void* from, const void* from_data, DlspecRefusal* refusal) {
  const Seen source(from);
  if (source.tensor().dtype == abi::DataType{kDLFloat, 32, 1} && source.bytes() != 0) {
    float first;
    std::memcpy(&first, from_data, sizeof first);
    if (std::isnan(first)) return refuse(refusal, InfiniStatus::bad_param);
  }
  return copy(to, to_data, from, from_data, refusal);
}

// --- statuses of copies

int take_other_dtypes(const void* to, void* to_data, const void* from, const void* from_data, DlspecRefusal* refusal) {
  const bool other = Seen(to).tensor().dtype != Seen(from).tensor().dtype;
  return other && to_data != nullptr ? DLSPEC_OK : copy(to, to_data, from, from_data, refusal);
}

int compare_shapes_first(const void* to, void* to_data, const void* from, const void* from_data,
                         DlspecRefusal* refusal) {
  if (!Seen(to).same_shape(Seen(from))) return refuse(refusal, InfiniStatus::bad_tensor_shape);
  return copy(to, to_data, from, from_data, refusal);
}

constexpr BridgeRow rows[] = {
    {"mirrors misread", DLSPEC_CHANGE(rearrange, misread_negative)},
    {"everything misread", DLSPEC_CHANGE(rearrange, misread_all)},
    {"broadcast sources refused", DLSPEC_CHANGE(rearrange, refuse_broadcast)},
    {"empty sources refused", DLSPEC_CHANGE(rearrange, refuse_null)},
    {"overlap allowed", DLSPEC_CHANGE(rearrange, allow_overlap)},
    {"writes, then refuses", DLSPEC_CHANGE(rearrange, write_then_refuse)},
    {"copies ascending", DLSPEC_CHANGE(rearrange, copy_in_order<true>)},
    {"copies descending", DLSPEC_CHANGE(rearrange, copy_in_order<false>)},
    {"writes into shared memory", DLSPEC_CHANGE(rearrange, write_into_shared)},
    {"gaps written", DLSPEC_CHANGE(rearrange, write_gaps)},
    {"mirrors misplaced", DLSPEC_CHANGE(rearrange, misplace)},
    {"repeated rows read as runs", DLSPEC_CHANGE(rearrange, read_as_run)},
    {"tails of rows missed", DLSPEC_CHANGE(rearrange, miss_tails)},
    {"short gaps filled", DLSPEC_CHANGE(rearrange, fill_gaps)},
    {"spans copied", DLSPEC_CHANGE(rearrange, copy_span)},
    {"quiets NaNs", DLSPEC_CHANGE(rearrange, quiet_nans)},
    {"quiets NaNs of 16 bits", DLSPEC_CHANGE(rearrange, quiet_half_nans)},
    {"loses minus", DLSPEC_CHANGE(rearrange, lose_minus)},
    {"flushes subnormals", DLSPEC_CHANGE(rearrange, flush_subnormals)},
    {"normalises booleans", DLSPEC_CHANGE(rearrange, normalise_booleans)},
    {"refuses NaNs", DLSPEC_CHANGE(rearrange, refuse_nans)},
    {"other dtypes taken", DLSPEC_CHANGE(rearrange, take_other_dtypes)},
    {"shapes compared first", DLSPEC_CHANGE(rearrange, compare_shapes_first)},
};

}  // namespace

std::span<const BridgeRow> copy_faults() { return rows; }

}  // namespace dlspec::zoo
