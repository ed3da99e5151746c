// managed.*: how the struct is released.
#include <dlspec/reference/validate/checks.h>

namespace dlspec::reference::checks {

// A NULL deleter is allowed, but leaves the lifetime of the memory open: a deleter that does nothing is better.
// Source: dlpack.h v1.2, DLManagedTensorVersioned.deleter and DLManagedTensor.deleter.
Answer managed_deleter_null_meaning(const Prefix& prefix) {
  if (!prefix.deleter_missing) return std::nullopt;
  return Finding{.rule = RuleId::managed_deleter_null_meaning};
}

}  // namespace dlspec::reference::checks
