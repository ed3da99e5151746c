// flags.*: the bits of versioned structs.
#include <dlspec/reference/validate/checks.h>
#include <dlspec/vocabulary/flags.h>

namespace dlspec::reference::checks {
namespace {

bool known_to_be(const Subject& subject, Known Origin::* property, Known value) {
  return subject.flags && subject.origin != nullptr && subject.origin->*property == value;
}

// The struct has the padded flag and a version that defines it.
bool padding_defined(const Subject& subject) { return subject.minor() > 0; }

}  // namespace

// Undefined bits are 0. A version newer than newest_version may define them.
// Source: dlpack.h v1.2, DLManagedTensorVersioned.flags and DLPACK_FLAG_BITMASK_*.
Answer flags_undefined_bits_zero(const Subject& subject) {
  const std::uint64_t undefined = subject.flags.value_or(0) & ~flags::defined;
  if (undefined == 0) return std::nullopt;
  Finding finding{.rule = RuleId::flags_undefined_bits_zero, .value = static_cast<std::int64_t>(undefined)};
  if (subject.newer()) {
    finding.variant = 1;
    finding.other = subject.minor();
  }
  return finding;
}

// Memory that may not be written is marked READ_ONLY, unless it is a copy, which the consumer owns.
// Source: dlpack.h v1.2, DLPACK_FLAG_BITMASK_READ_ONLY.
Answer flags_read_only_set(const Subject& subject) {
  if (!known_to_be(subject, &Origin::read_only, Known::yes)) return std::nullopt;
  if (subject.flag(flags::read_only) || subject.flag(flags::is_copied)) return std::nullopt;
  return Finding{.rule = RuleId::flags_read_only_set};
}

// READ_ONLY is not set on memory that may be written.
// Source: dlpack.h v1.2, DLPACK_FLAG_BITMASK_READ_ONLY.
Answer flags_read_only_truthful(const Subject& subject) {
  if (!known_to_be(subject, &Origin::read_only, Known::no) || !subject.flag(flags::read_only)) return std::nullopt;
  return Finding{.rule = RuleId::flags_read_only_truthful};
}

// An export that is a copy is marked IS_COPIED.
// Source: array API 2023.12, __dlpack__, copy; dlpack.h v1.2, DLPACK_FLAG_BITMASK_IS_COPIED.
Answer flags_is_copied_set(const Subject& subject) {
  if (!known_to_be(subject, &Origin::copied, Known::yes) || subject.flag(flags::is_copied)) return std::nullopt;
  return Finding{.rule = RuleId::flags_is_copied_set};
}

// An export that shares its memory with the source is not marked IS_COPIED.
// Source: dlpack.h v1.2, DLPACK_FLAG_BITMASK_IS_COPIED.
Answer flags_is_copied_honest(const Subject& subject) {
  if (!known_to_be(subject, &Origin::copied, Known::no) || !subject.flag(flags::is_copied)) return std::nullopt;
  return Finding{.rule = RuleId::flags_is_copied_honest};
}

// IS_SUBBYTE_TYPE_PADDED is defined for sub-byte types only.
// Source: dlpack.h v1.2, DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED.
Answer flags_padded_only_subbyte(const Subject& subject) {
  const std::uint8_t bits = subject.tensor.dtype.bits;
  if (!padding_defined(subject) || !subject.flag(flags::subbyte_padded) || bits < 8) return std::nullopt;
  return Finding{.rule = RuleId::flags_padded_only_subbyte, .value = bits};
}

// Sub-byte elements are packed unless IS_SUBBYTE_TYPE_PADDED is set.
// Source: dlpack.h v1.2, DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED.
Answer flags_padded_set_when_padded(const Subject& subject) {
  const std::uint8_t bits = subject.tensor.dtype.bits;
  const bool padded = subject.origin != nullptr && subject.origin->padded;
  if (!padding_defined(subject) || !padded || bits == 0 || bits >= 8) return std::nullopt;
  if (subject.flag(flags::subbyte_padded)) return std::nullopt;
  return Finding{.rule = RuleId::flags_padded_set_when_padded, .value = bits};
}

}  // namespace dlspec::reference::checks
