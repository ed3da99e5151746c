#include <dlspec/reference/testing/clean_tensor.h>

#include <algorithm>
#include <limits>

#include <dlspec/reference/testing/value_tables.h>
#include <dlspec/vocabulary/dtype.h>
#include <dlspec/vocabulary/flags.h>
#include <dlspec/vocabulary/limits.h>

namespace dlspec::testing {
namespace {

__extension__ typedef __int128 Wide;

constexpr std::int64_t int64_max = std::numeric_limits<std::int64_t>::max();

std::vector<abi::DataType> make_clean_dtypes() {
  std::vector<abi::DataType> dtypes;
  for (const std::uint8_t code : {kDLInt, kDLUInt}) {
    for (unsigned bits = 1; bits < 256; bits += bits < 8 ? 1 : 8)
      dtypes.push_back({code, static_cast<std::uint8_t>(bits), 1});
  }
  for (const std::uint8_t bits : float_widths) dtypes.push_back({kDLFloat, bits, 1});
  for (const std::uint8_t bits : complex_widths) dtypes.push_back({kDLComplex, bits, 1});
  for (const DtypeCodeRow& row : dtype_table) {
    if (row.bits != 0) dtypes.push_back({row.value, row.bits, 1});
  }
  return dtypes;
}

// Every released code except the opaque handle, in every width without a finding.
const std::vector<abi::DataType>& clean_dtypes() {
  static const std::vector<abi::DataType> dtypes = make_clean_dtypes();
  return dtypes;
}

std::uint16_t choose_lanes(Random& random) {
  constexpr std::uint16_t counts[] = {2, 2, 3, 4, 8, 16, 255, 256, 65535};
  if (!random.one_in(6)) return 1;
  return random.one_in(8) ? static_cast<std::uint16_t>(1 + random.below(65535)) : random.element(counts);
}

std::int32_t choose_id(Random& random) {
  constexpr std::int32_t ids[] = {0, 0, 0, 1, 7, 255, std::numeric_limits<std::int32_t>::max()};
  return random.element(ids);
}

// An undefined device type whose low byte is undefined, too.
std::int32_t undefined_device(Random& random) {
  constexpr std::int32_t types[] = {0, 5, 6, 22, 100, 255, -256, 0x1000, 0x7FFFFF00};
  return random.element(types);
}

}  // namespace

void CleanTensor::make(std::uint64_t seed, std::uint64_t index) {
  Random random(seed, index);
  note_count_ = 0;
  corners_ = 0;
  has_origin_ = false;
  choose_version(random);
  choose_dtype(random);
  choose_flags(random);
  choose_device(random);
  choose_shape(random);
  choose_strides(random);
  place(random);
  if (random.one_in(4)) choose_origin(random);
  legacy_.dl_tensor = managed_.dl_tensor;
}

Exported CleanTensor::exported() const {
  if (generation_ == Generation::versioned) return &managed_;
  if (generation_ == Generation::legacy) return &legacy_;
  return &managed_.dl_tensor;
}

bool CleanTensor::is_noted_only(const Findings& findings) const {
  return findings.size() == note_count_ && std::all_of(findings.begin(), findings.end(), [&](const Finding& finding) {
           const auto noted = notes();
           return verdict_of(finding) == Verdict::info &&
                  std::find(noted.begin(), noted.end(), finding.rule) != noted.end();
         });
}

bool CleanTensor::padded() const {
  return versioned() && is_subbyte(tensor().dtype) && (managed_.flags & flags::subbyte_padded) != 0;
}

std::uint32_t CleanTensor::bits_per_element() const {
  const abi::DataType dtype = tensor().dtype;
  return std::uint32_t{padded() ? std::uint8_t{8} : dtype.bits} * dtype.lanes;
}

std::int64_t CleanTensor::most_elements() const {
  return static_cast<std::int64_t>(std::min<Wide>(Wide{int64_max} * 8 / bits_per_element(), int64_max));
}

void CleanTensor::choose_version(Random& random) {
  constexpr std::uint32_t minors[] = {0, 1, 2, 3, 3, 4, 5, 255, std::numeric_limits<std::uint32_t>::max()};
  constexpr Corner corners[] = {Corner::version_1_0, Corner::version_1_1, Corner::version_1_2, Corner::version_1_3};
  const std::uint64_t kind = random.below(8);
  generation_ = kind < 6 ? Generation::versioned : kind == 6 ? Generation::legacy : Generation::bare;
  const bool without_deleter = random.one_in(32);
  managed_.deleter = nullptr;
  legacy_.deleter = nullptr;
  if (!without_deleter) {
    managed_.deleter = [](abi::v1::ManagedTensor*) {};
    legacy_.deleter = [](abi::v0::ManagedTensor*) {};
  } else if (generation_ != Generation::bare) {
    note(RuleId::managed_deleter_null_meaning);
    reach(Corner::null_deleter);
  }
  managed_.version = {1, random.element(minors)};
  if (!versioned()) return reach(generation_ == Generation::legacy ? Corner::legacy : Corner::bare);
  if (!newer()) return reach(corners[managed_.version.minor]);
  reach(Corner::unknown_minor);
  if (managed_.version.minor == std::numeric_limits<std::uint32_t>::max()) reach(Corner::greatest_minor);
}

void CleanTensor::choose_dtype(Random& random) {
  abi::DataType& dtype = managed_.dl_tensor.dtype;
  if (newer() && random.one_in(16)) {
    dtype = {static_cast<std::uint8_t>(19 + random.below(237)), static_cast<std::uint8_t>(1 + random.below(255)), 1};
    note(RuleId::dtype_code_known);
    reach(Corner::unknown_dtype);
  } else if (random.one_in(64)) {
    dtype = {kDLBcomplex, random.element(complex_widths), 1};
    note(RuleId::dtype_code_known);
    reach(Corner::unreleased_dtype);
  } else {
    do {
      dtype = random.element(clean_dtypes());
    } while (versioned() && find_dtype_code(dtype.code)->since > managed_.version);
  }
  dtype.lanes = choose_lanes(random);
  if (dtype.lanes > 1) reach(Corner::vector);
  if (dtype.lanes == 65535) reach(Corner::most_lanes);
}

void CleanTensor::choose_flags(Random& random) {
  managed_.flags = 0;
  const bool subbyte = is_subbyte(tensor().dtype);
  if (versioned()) {
    managed_.flags = random.below(4);
    if ((managed_.flags & flags::read_only) != 0) reach(Corner::read_only);
    if ((managed_.flags & flags::is_copied) != 0) reach(Corner::copied);
    if (managed_.version.minor > 0 && random.one_in(subbyte ? 2 : 16)) {
      managed_.flags |= flags::subbyte_padded;
      if (!subbyte) {
        note(RuleId::flags_padded_only_subbyte);
        reach(Corner::padded_in_vain);
      }
    }
  }
  if (subbyte) reach(padded() ? Corner::padded : Corner::packed);
  if (newer() && random.one_in(4)) {
    const std::uint64_t unknown =
        random.one_in(2) ? std::uint64_t{1} << (3 + random.below(61)) : random.next() & ~flags::defined;
    managed_.flags |= unknown;
    if (unknown == 0) return;
    note(RuleId::flags_undefined_bits_zero);
    reach(Corner::unknown_flags);
  }
}

void CleanTensor::choose_device(Random& random) {
  abi::Device& device = managed_.dl_tensor.device;
  device = {kDLCPU, 0};
  if (newer() && random.one_in(16)) {
    device = {undefined_device(random), choose_id(random)};
    note(RuleId::device_type_known);
    return reach(Corner::unknown_device);
  }
  if (!random.one_in(3)) return;
  const DeviceRow* row = nullptr;
  do {
    row = &device_table[random.below(std::size(device_table))];
  } while (row->released() && versioned() && row->since > managed_.version);
  device = {row->value, row->host ? 0 : choose_id(random)};
  if (row->released()) return;
  note(RuleId::device_type_known);
  reach(Corner::unreleased_device);
}

void CleanTensor::choose_origin(Random& random) {
  // Structs without flags cannot mark a copy.
  const auto known_if = [&](bool value) {
    if (!versioned()) value = random.one_in(2);
    return random.one_in(4) ? Known::unknown : value ? Known::yes : Known::no;
  };
  const abi::Tensor& tensor = managed_.dl_tensor;
  has_origin_ = true;
  reach(Corner::origin);
  origin_ = {};
  origin_.layout = random.one_in(4) ? nullptr : &layout_;
  layout_.dtype = tensor.dtype;
  layout_.shape.assign(shape().begin(), shape().end());
  layout_.strides.reset();
  if (tensor.strides != nullptr && rank() > 0 && random.one_in(2)) {
    layout_.strides.emplace(strides_.begin(), strides_.begin() + tensor.ndim);
  }
  if (tensor.dtype == abi::DataType{kDLFloat4_e2m1fn, 4, 2} && random.one_in(2)) {
    layout_.dtype.lanes = 1;
    if (rank() > 0) layout_.shape.back() /= 2;
    if (origin_.layout != nullptr) reach(Corner::fp4_pair);
  }
  const bool read_only = (managed_.flags & flags::read_only) != 0, copied = (managed_.flags & flags::is_copied) != 0;
  origin_.read_only = known_if(read_only || (copied && random.one_in(2)));
  origin_.copied = known_if(copied);
  origin_.padded = padded();
  if (end_ == 0 || random.one_in(4)) return;
  origin_.allocation_begin = lowest_;
  origin_.allocation_end = end_;
  reach(Corner::exact_allocation);
}

}  // namespace dlspec::testing
