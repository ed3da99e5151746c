#include <dlspec/reference/testing/faulty.h>

#include <algorithm>
#include <cstring>
#include <variant>

#include <dlspec/reference/descriptor/extent.h>
#include <dlspec/reference/descriptor/text.h>
#include <dlspec/vocabulary/flags.h>
#include <dlspec/vocabulary/rules.h>

namespace dlspec::testing {
namespace {

const char* field_name(Field field) {
  switch (field) {
    case Field::object: return "object";
    case Field::version_major: return "version.major";
    case Field::version_minor: return "version.minor";
    case Field::deleter: return "deleter";
    case Field::flags: return "flags";
    case Field::device_type: return "device_type";
    case Field::device_id: return "device_id";
    case Field::dtype_code: return "dtype.code";
    case Field::dtype_bits: return "dtype.bits";
    case Field::dtype_lanes: return "dtype.lanes";
    case Field::ndim: return "ndim";
    case Field::shape:
    case Field::extent: return "shape";
    case Field::strides:
    case Field::stride: return "strides";
    case Field::data:
    case Field::data_shift: return "data";
    case Field::byte_offset: return "byte_offset";
  }
  return "";
}

std::string assignment(Field field, std::int64_t value) {
  const bool moves = field == Field::data_shift ||
                     (value != 0 && (field == Field::object || field == Field::shape || field == Field::strides));
  return (moves ? " += " : " = ") + std::to_string(value);
}

void* at(std::int64_t address) { return reinterpret_cast<void*>(static_cast<std::uintptr_t>(address)); }

void* moved(const void* pointer, std::int64_t bytes) {
  return at(static_cast<std::int64_t>(reinterpret_cast<std::uintptr_t>(pointer)) + bytes);
}

void* moved_or_null(const void* pointer, std::int64_t bytes) { return bytes == 0 ? nullptr : moved(pointer, bytes); }

void alter_managed(Specimen& specimen, Field field, std::int64_t value) {
  switch (field) {
    case Field::version_major: specimen.versioned().version.major = static_cast<std::uint32_t>(value); break;
    case Field::version_minor: specimen.versioned().version.minor = static_cast<std::uint32_t>(value); break;
    case Field::flags: specimen.versioned().flags = static_cast<std::uint64_t>(value); break;
    case Field::deleter:
      specimen.versioned().deleter = nullptr;
      specimen.legacy().deleter = nullptr;
      break;
    default: break;
  }
}

std::size_t struct_size(Generation generation) {
  switch (generation) {
    case Generation::versioned: return sizeof(abi::v1::ManagedTensor);
    case Generation::legacy: return sizeof(abi::v0::ManagedTensor);
    case Generation::bare: break;
  }
  return sizeof(abi::Tensor);
}

// The table's own texts parse: a test sees to it.
Descriptor parse_base(const FaultyRow& row) {
  const auto parsed = reference::parse_text(row.base);
  const Descriptor* const descriptor = std::get_if<Descriptor>(&parsed);
  return descriptor != nullptr ? *descriptor : Descriptor{};
}

// With room before and behind what the descriptor reaches: memory for a start farther on, of which
// the struct then takes back the distance.
Specimen roomy(Descriptor descriptor) {
  descriptor.layout.byte_offset += 2 * Exhibit::slack;
  Specimen specimen(descriptor, (descriptor.flags & flags::subbyte_padded) != 0);
  specimen.tensor().byte_offset -= 2 * Exhibit::slack;
  if (specimen.has_memory()) specimen.tensor().data = moved(specimen.tensor().data, Exhibit::slack);
  return specimen;
}

}  // namespace

void alter(Specimen& specimen, Field field, std::int64_t value, std::size_t axis) {
  abi::Tensor& tensor = specimen.tensor();
  switch (field) {
    case Field::device_type: tensor.device.device_type = static_cast<std::int32_t>(value); break;
    case Field::device_id: tensor.device.device_id = static_cast<std::int32_t>(value); break;
    case Field::dtype_code: tensor.dtype.code = static_cast<std::uint8_t>(value); break;
    case Field::dtype_bits: tensor.dtype.bits = static_cast<std::uint8_t>(value); break;
    case Field::dtype_lanes: tensor.dtype.lanes = static_cast<std::uint16_t>(value); break;
    case Field::ndim: tensor.ndim = static_cast<std::int32_t>(value); break;
    case Field::shape: tensor.shape = static_cast<std::int64_t*>(moved_or_null(tensor.shape, value)); break;
    case Field::strides: tensor.strides = static_cast<std::int64_t*>(moved_or_null(tensor.strides, value)); break;
    case Field::extent: specimen.shape().at(axis) = value; break;
    case Field::stride: specimen.strides().at(axis) = value; break;
    case Field::data: tensor.data = at(value); break;
    case Field::data_shift: tensor.data = moved(tensor.data, value); break;
    case Field::byte_offset: tensor.byte_offset = static_cast<std::uint64_t>(value); break;
    default: alter_managed(specimen, field, value); break;
  }
}

std::string row_name(const FaultyRow& row) { return std::string(rule(row.rule).id) + "/" + row.way; }

std::string row_text(const FaultyRow& row) {
  const bool has_axis = row.field == Field::extent || row.field == Field::stride;
  const std::string axis = has_axis ? "[" + std::to_string(row.axis) + "]" : "";
  return std::string(row.base) + ", but " + field_name(row.field) + axis + assignment(row.field, row.value);
}

Exhibit::Exhibit(const Descriptor& descriptor, const FaultyRow& row)
    : specimen_(roomy(descriptor)), object_(specimen_.exported().object()) {
  if (row.field == Field::ndim && row.value > specimen_.tensor().ndim) make_room(static_cast<std::size_t>(row.value));
  set_origin(descriptor, row.truth);
}

// Lengthens shape and strides to the rank that the faulty struct claims. The new axes have as many
// extents as an element has lanes, so that the first of them shows lanes that stand in the shape.
void Exhibit::make_room(std::size_t rank) {
  abi::Tensor& tensor = specimen_.tensor();
  const auto old_rank = static_cast<std::size_t>(tensor.ndim);
  const auto lengthen = [&](std::vector<std::int64_t>& numbers, std::int64_t filler) {
    numbers.resize(old_rank);
    numbers.resize(rank, filler);
    return numbers.data();
  };
  tensor.shape = lengthen(specimen_.shape(), tensor.dtype.lanes);
  if (tensor.strides != nullptr || old_rank == 0) tensor.strides = lengthen(specimen_.strides(), 1);
}

void Exhibit::set_origin(const Descriptor& descriptor, const Truth& truth) {
  origin_ = std::make_unique<Origin>();
  origin_->read_only = truth.read_only;
  origin_->copied = truth.copied;
  origin_->padded = truth.padded;
  if (truth.layout) {
    source_ = std::make_unique<const Layout>(descriptor.layout);
    origin_->layout = source_.get();
  }
  const std::uint32_t bits = reference::storage_bits(descriptor.layout.dtype, truth.padded);
  const auto reach = reference::reach(descriptor.layout, bits);
  if (truth.allocation && reach) {
    const auto data = reinterpret_cast<std::uintptr_t>(specimen_.tensor().data);
    const reference::Wide start = reference::Wide(data) + descriptor.layout.byte_offset;
    origin_->allocation_begin = static_cast<std::uintptr_t>((start + reach->low_bytes).to_uint64().value_or(0));
    origin_->allocation_end = static_cast<std::uintptr_t>((start + reach->high_bytes).to_uint64().value_or(0));
  }
}

void Exhibit::move_object(std::int64_t bytes) {
  if (bytes == 0) {
    object_ = nullptr;
    return;
  }
  const std::size_t size = struct_size(specimen_.generation());
  moved_object_.assign(size / sizeof(std::uint64_t) + 2, 0);
  void* const target = moved(moved_object_.data(), bytes);
  std::memcpy(target, object_, size);
  object_ = target;
}

namespace {

// Whether alter has something to change.
bool has_field(const Descriptor& descriptor, const FaultyRow& row) {
  const Layout& layout = descriptor.layout;
  switch (row.field) {
    case Field::object: return false;  // moves the struct, so that both faults would have to be made in the copy
    case Field::version_major:
    case Field::version_minor:
    case Field::flags: return descriptor.generation == Generation::versioned;
    case Field::deleter: return descriptor.generation != Generation::bare;
    case Field::shape: return !layout.shape.empty();
    case Field::extent: return row.axis < layout.shape.size();
    case Field::strides: return layout.strides && !layout.strides->empty();
    case Field::stride: return layout.strides && row.axis < layout.strides->size();
    default: return true;
  }
}

// The first of the fields that make one member of the struct together.
Field member_of(Field field) {
  switch (field) {
    case Field::version_minor: return Field::version_major;
    case Field::device_id: return Field::device_type;
    case Field::dtype_bits:
    case Field::dtype_lanes: return Field::dtype_code;
    case Field::extent: return Field::shape;
    case Field::stride: return Field::strides;
    case Field::data_shift: return Field::data;
    default: return field;
  }
}

Known either(Known a, Known b) { return a != Known::unknown ? a : b; }

}  // namespace

std::optional<Pair> build_pair(const FaultyRow& first, const FaultyRow& second, const char* base) {
  FaultyRow row = first;
  row.base = base;
  const Descriptor descriptor = parse_base(row);
  if (!has_field(descriptor, first) || !has_field(descriptor, second) ||
      member_of(first.field) == member_of(second.field)) {
    return {};
  }
  if (second.field == Field::ndim) row.field = Field::ndim, row.value = second.value;  // for the length of shape
  row.truth.layout |= second.truth.layout;
  row.truth.allocation |= second.truth.allocation;
  row.truth.padded |= second.truth.padded;
  row.truth.read_only = either(row.truth.read_only, second.truth.read_only);
  row.truth.copied = either(row.truth.copied, second.truth.copied);
  Pair pair{Exhibit(descriptor, row), Exhibit(descriptor, row), Exhibit(descriptor, row)};
  for (Exhibit* const exhibit : {&pair.both, &pair.first}) {
    alter(exhibit->specimen_, first.field, first.value, first.axis);
  }
  for (Exhibit* const exhibit : {&pair.both, &pair.second}) {
    alter(exhibit->specimen_, second.field, second.value, second.axis);
  }
  return pair;
}

Exhibit build_twin(const FaultyRow& row) { return Exhibit(parse_base(row), row); }

Exhibit build(const FaultyRow& row) {
  Exhibit exhibit = build_twin(row);
  if (row.field == Field::object) {
    exhibit.move_object(row.value);
  } else {
    alter(exhibit.specimen_, row.field, row.value, row.axis);
  }
  return exhibit;
}

}  // namespace dlspec::testing
