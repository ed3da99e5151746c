#include <dlspec/reference/validate/subject.h>

#include <cstddef>
#include <cstring>

#include <dlspec/vocabulary/flags.h>

namespace dlspec::reference {
namespace {

template <class Field>
Field read_field(const void* object, std::size_t offset) {
  Field field;
  std::memcpy(static_cast<void*>(&field), static_cast<const unsigned char*>(object) + offset, sizeof field);
  return field;
}

bool readable(const std::int64_t* array) {
  return array != nullptr && reinterpret_cast<std::uintptr_t>(array) % natural_alignment == 0;
}

}  // namespace

Prefix read_prefix(const Exported& exported) {
  const void* const object = exported.object();
  Prefix prefix;
  switch (exported.generation()) {
    case Generation::versioned:
      prefix.version = read_field<abi::Version>(object, offsetof(abi::v1::ManagedTensor, version));
      prefix.deleter_missing = read_field<void*>(object, offsetof(abi::v1::ManagedTensor, deleter)) == nullptr;
      break;
    case Generation::legacy:
      prefix.deleter_missing = read_field<void*>(object, offsetof(abi::v0::ManagedTensor, deleter)) == nullptr;
      break;
    case Generation::bare: break;
  }
  return prefix;
}

Subject::Subject(const Prefix& prefix, const Exported& exported, const Origin* known_origin)
    : version(prefix.version),
      flags(prefix.version ? std::optional(exported.versioned().flags) : std::nullopt),
      tensor(exported.tensor()),
      origin(known_origin),
      element_count_(has_elements() ? reference::element_count(shape()) : Wide()),
      reach_(find_reach()) {}

bool Subject::newer() const { return minor() > abi::newest_version.minor; }

Finding Subject::undefined(Finding finding) const {
  if (!newer()) return finding;
  finding.variant = 1;
  finding.other = minor();
  return finding;
}

bool Subject::shape_read() const { return has_axes() && readable(tensor.shape); }

bool Subject::strides_read() const { return shape_read() && readable(tensor.strides); }

bool Subject::extents_known() const { return tensor.ndim == 0 || (shape_read() && extents_valid(shape())); }

std::span<const std::int64_t> Subject::shape() const { return {tensor.shape, static_cast<std::size_t>(tensor.ndim)}; }

std::uint32_t Subject::element_bits() const {
  const bool padded = minor() > 0 && flag(flags::subbyte_padded);
  return storage_bits(tensor.dtype, padded);
}

std::optional<Reach> Subject::find_reach() const {
  const bool strides_known = tensor.ndim == 0 || tensor.strides == nullptr || strides_read();
  if (!has_elements() || !sized() || !strides_known) return std::nullopt;
  return reference::reach(Axes(shape(), tensor.strides), element_bits());
}

Wide Subject::start() const {
  const auto address = reinterpret_cast<std::uintptr_t>(tensor.data);
  return (data_is_address() ? Wide(address) : Wide(0)) + Wide(tensor.byte_offset);
}

}  // namespace dlspec::reference
