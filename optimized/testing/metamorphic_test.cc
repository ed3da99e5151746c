// Metamorphic tests: changes that do not alter the meaning keep the findings of both validators, on conforming tensors
// and on faulty ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>

#include <dlspec/optimized/testing/agreement.h>
#include <dlspec/optimized/testing/raw_struct.h>
#include <dlspec/optimized/validate/validate.h>
#include <dlspec/reference/descriptor/wide.h>
#include <dlspec/reference/testing/clean_tensor.h>
#include <dlspec/reference/testing/value_tables.h>
#include <dlspec/reference/validate/validate.h>

namespace dlspec::optimized::testing {
namespace {

using dlspec::testing::CleanTensor;
using dlspec::testing::Random;
using reference::Wide;

std::size_t rank_of(RawStruct& raw) { return static_cast<std::size_t>(std::clamp(raw.tensor().ndim, 0, 64)); }
bool has_strides(RawStruct& raw) { return raw.tensor().strides == raw.strides.data(); }

bool any_extent(RawStruct& raw, auto predicate) {
  return std::any_of(raw.shape.begin(), raw.shape.begin() + static_cast<std::ptrdiff_t>(rank_of(raw)), predicate);
}

void copy(RawStruct& to, CleanTensor& from) {
  to.generation = from.generation();
  to.managed = from.managed();
  const auto rank = static_cast<std::size_t>(from.tensor().ndim);
  if (rank == 0) return;  // its pointers are invalid
  std::copy_n(from.tensor().shape, rank, to.shape.begin());
  to.tensor().shape = to.shape.data();
  if (from.tensor().strides == nullptr) return;
  std::copy_n(from.tensor().strides, rank, to.strides.begin());
  to.tensor().strides = to.strides.data();
}

void copy(RawStruct& to, RawStruct& from) {
  to.generation = from.generation;
  to.managed = from.managed;
  to.shape = from.shape;
  to.strides = from.strides;
  if (from.tensor().shape == from.shape.data()) to.tensor().shape = to.shape.data();
  if (from.tensor().strides == from.strides.data()) to.tensor().strides = to.strides.data();
}

// A fault, or what is one in most tensors.
void spoil(RawStruct& raw, Random& random) {
  abi::Tensor& tensor = raw.tensor();
  const std::size_t axis = random.below(std::max<std::size_t>(rank_of(raw), 1));
  switch (random.below(16)) {
    case 0: raw.managed.version.major = random.one_in(2) ? 0 : 2; break;
    case 1: raw.managed.version.minor = static_cast<std::uint32_t>(random.below(4)); break;
    case 2: raw.managed.flags |= std::uint64_t{1} << random.below(64); break;
    case 3: raw.managed.deleter = nullptr; break;
    case 4: tensor.device = random.element(dlspec::testing::all_devices()); break;
    case 5: tensor.dtype = random.element(dlspec::testing::all_dtypes()); break;
    case 6: tensor.dtype.lanes = random.element(dlspec::testing::lane_counts); break;
    case 7: tensor.data = nullptr; break;
    case 8: raw.set_data(random.below(8192)); break;
    case 9: tensor.byte_offset = random.element(dlspec::testing::byte_offsets); break;
    case 10:
    case 11: raw.shape[axis] = random.element(dlspec::testing::extents); break;
    case 12:
    case 13: raw.strides[axis] = random.element(dlspec::testing::strides); break;
    case 14: tensor.strides = nullptr; break;
    default: tensor.byte_offset += random.below(1 << 20); break;
  }
}

// Each changes the tensor, or returns false and leaves it unchanged.

bool permute(RawStruct& raw, Random& random) {
  if (rank_of(raw) < 2 || !has_strides(raw)) return false;
  for (std::size_t i = rank_of(raw); i > 1; --i) {
    const std::size_t other = random.below(i);
    std::swap(raw.shape[i - 1], raw.shape[other]);
    std::swap(raw.strides[i - 1], raw.strides[other]);
  }
  return true;
}

void insert(RawStruct& raw, std::size_t at, std::int64_t extent, std::int64_t stride) {
  const auto move_up = [&](auto& numbers, std::int64_t number) {
    std::copy_backward(numbers.begin() + static_cast<std::ptrdiff_t>(at), numbers.end() - 1, numbers.end());
    numbers[at] = number;
  };
  move_up(raw.shape, extent);
  move_up(raw.strides, stride);
  ++raw.tensor().ndim;
}

bool insert_one(RawStruct& raw, Random& random) {
  if (raw.tensor().ndim < 1 || raw.tensor().ndim > 63) return false;
  insert(raw, random.below(rank_of(raw) + 1), 1, random.element(dlspec::testing::extreme_numbers));
  return true;
}

bool shift_data(RawStruct& raw, Random& random) {
  abi::Tensor& tensor = raw.tensor();
  const DeviceRow* const row = find_device(tensor.device.device_type);
  if (row == nullptr || !row->address() || tensor.data == nullptr) return false;
  const auto data = reinterpret_cast<std::uintptr_t>(tensor.data);
  const std::uint64_t into_offset = random.below(data / 256 + 1) * 256;
  const std::uint64_t into_data = random.below(std::min(tensor.byte_offset, ~data) / 256 + 1) * 256;
  if (random.one_in(2)) {
    if (into_offset >= data || into_offset > ~tensor.byte_offset) return false;
    raw.set_data(data - into_offset);
    tensor.byte_offset += into_offset;
  } else {
    raw.set_data(data + into_data);
    tensor.byte_offset -= into_data;
  }
  return true;
}

std::uint32_t bits_per_element(RawStruct& raw) {
  const abi::DataType dtype = raw.tensor().dtype;
  const bool padded = raw.generation == Generation::versioned && raw.managed.version.minor > 0 &&
                      (raw.managed.flags & 4) != 0 && dtype.bits < 8;
  return dtype.bits == 0 ? 0 : std::uint32_t{padded ? std::uint8_t{8} : dtype.bits} * dtype.lanes;
}

// Reverses: the last element becomes the first.
bool reverse(RawStruct& raw, Random& random) {
  if (rank_of(raw) == 0 || raw.tensor().ndim > 64 || !has_strides(raw)) return false;
  if (any_extent(raw, [](std::int64_t extent) { return extent < 0; })) return false;
  const std::size_t axis = random.below(rank_of(raw));
  if (raw.strides[axis] == INT64_MIN) return false;
  if (!any_extent(raw, [](std::int64_t extent) { return extent == 0; })) {
    const Wide bits = Wide(raw.shape[axis] - 1) * raw.strides[axis] * bits_per_element(raw);
    const auto offset = (Wide(raw.tensor().byte_offset) + floor_divide(bits, 8)).to_uint64();
    if (floor_divide(bits, 8) != ceil_divide(bits, 8) || !offset) return false;
    raw.tensor().byte_offset = *offset;
  }
  raw.strides[axis] = -raw.strides[axis];
  return true;
}

bool split(RawStruct& raw, Random& random) {
  if (rank_of(raw) == 0 || raw.tensor().ndim > 63 || !has_strides(raw)) return false;
  const std::size_t axis = random.below(rank_of(raw));
  const auto inner = static_cast<std::int64_t>(2 + random.below(6));
  const auto step = (Wide(raw.strides[axis]) * inner).to_int64();
  if (raw.shape[axis] <= 0 || raw.shape[axis] % inner != 0 || !step) return false;
  insert(raw, axis + 1, inner, raw.strides[axis]);
  raw.shape[axis] /= inner;
  raw.strides[axis] = *step;
  return true;
}

bool write_strides(RawStruct& raw, Random&) {
  const bool may_be_null = raw.generation != Generation::versioned || raw.managed.version.minor < 2;
  if (rank_of(raw) == 0 || raw.tensor().ndim > 64 || raw.tensor().strides != nullptr || !may_be_null) return false;
  Wide compact = 1;
  for (std::size_t axis = rank_of(raw); axis-- > 0;) {
    const auto stride = compact.to_int64();
    if (!stride) return false;
    raw.strides[axis] = *stride;
    compact *= std::max<std::int64_t>(raw.shape[axis], 1);
  }
  raw.tensor().strides = raw.strides.data();
  return true;
}

// Version 1.3 defines no value that 1.2 lacks.
bool raise_version(RawStruct& raw, Random&) {
  if (raw.generation != Generation::versioned || raw.managed.version != abi::Version{1, 2}) return false;
  raw.managed.version.minor = 3;
  return true;
}

struct Change {
  const char* name;
  bool (*apply)(RawStruct&, Random&);
};
constexpr Change changes[] = {
    {"permuting axes", permute},
    {"inserting an axis of extent 1", insert_one},
    {"shifting between data and byte_offset", shift_data},
    {"reversing an axis", reverse},
    {"splitting an axis", split},
    {"writing out strides that are NULL", write_strides},
    {"raising 1.2 to 1.3", raise_version},
};

using Verdicts = std::set<std::pair<RuleId, std::uint8_t>>;

Verdicts verdicts(const Findings& findings) {
  Verdicts found;
  for (const Finding& finding : findings) found.emplace(finding.rule, finding.variant);
  return found;
}

std::string complaint(const Change& change, RawStruct& raw, RawStruct& twin, const Origin& origin,
                      const Findings& before, const Findings& after) {
  return std::string(change.name) + "\n" + describe(raw.exported(), &origin) + describe(before) +
         describe(twin.exported(), &origin) + describe(after);
}

TEST(Twins, HaveTheSameFindings) {
  std::map<std::string, int> clean, faulty;
  CleanTensor tensor;
  RawStruct raw, twin;
  int failures = 0;
  for (std::uint64_t index = 0; index < 40'000 && failures < 5; ++index) {
    Random random(11, index);
    tensor.make(11, index);
    copy(raw, tensor);
    if (random.one_in(2)) spoil(raw, random);
    // None of these changes where the elements should be.
    Origin origin;
    if (tensor.origin() != nullptr) {
      origin.allocation_begin = tensor.origin()->allocation_begin;
      origin.allocation_end = tensor.origin()->allocation_end;
    }
    const Change& change = changes[index % std::size(changes)];
    copy(twin, raw);
    if (!change.apply(twin, random)) continue;
    const Findings before = reference::validate(raw.exported(), &origin),
                   after = reference::validate(twin.exported(), &origin);
    const Findings fast_before = validate(raw.exported(), &origin), fast_after = validate(twin.exported(), &origin);
    ++(before.empty() ? clean : faulty)[change.name];
    const bool same = verdicts(before) == verdicts(after) && verdicts(fast_before) == verdicts(fast_after);
    if (same) continue;
    ++failures;
    ADD_FAILURE() << index << " reference: " << complaint(change, raw, twin, origin, before, after)
                  << "optimized: " << describe(fast_before) << describe(fast_after);
  }
  for (const Change& change : changes) {
    EXPECT_GE(clean[change.name], 100) << change.name << " of conforming tensors";
    EXPECT_GE(faulty[change.name], 100) << change.name << " of faulty tensors";
  }
}

}  // namespace
}  // namespace dlspec::optimized::testing
