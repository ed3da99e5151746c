// version.*: the version of a struct, and whether that version defines its values.
#include <dlspec/reference/validate/checks.h>
#include <dlspec/vocabulary/flags.h>

namespace dlspec::reference::checks {

// The producer sets the version before it exports the struct; no release has major version 0.
// Source: dlpack.h v1.2, DLManagedTensorVersioned.version.
Answer version_filled(const Prefix& prefix) {
  if (!prefix.version || prefix.version->major != 0) return std::nullopt;
  return Finding{.rule = RuleId::version_filled, .value = prefix.version->major, .other = prefix.version->minor};
}

// Only major version 1 has been published.
// Source: dlpack.h v1.2, DLPackVersion.
Answer version_major_published(const Prefix& prefix) {
  if (!prefix.version || prefix.version->major <= 1) return std::nullopt;
  return Finding{
      .rule = RuleId::version_major_published, .value = prefix.version->major, .other = prefix.version->minor};
}

// Minor versions add values, and a value may not be used under a version before the one that added it.
// Source: dlpack.h v1.2, DLPackVersion and DLManagedTensorVersioned.version.
Answer version_truthful_minor(const Subject& subject) {
  if (!subject.version) return std::nullopt;
  const auto too_new = [&](const auto* row) {
    return row != nullptr && row->released() && row->since > *subject.version;
  };
  Finding finding{.rule = RuleId::version_truthful_minor, .other = subject.minor()};
  if (too_new(subject.device())) {
    finding.value = subject.tensor.device.device_type;
    return finding;
  }
  if (too_new(subject.dtype_code())) {
    finding.variant = 1;
    finding.value = subject.tensor.dtype.code;
    return finding;
  }
  if (subject.minor() == 0 && subject.flag(flags::subbyte_padded)) {
    finding.variant = 2;
    return finding;
  }
  return std::nullopt;
}

}  // namespace dlspec::reference::checks
