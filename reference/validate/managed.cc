// managed.*: how the struct is given back.
#include <dlspec/reference/validate/checks.h>

namespace dlspec::reference::checks {

// A NULL deleter is allowed, and says nothing about how long the memory lives: a deleter that does
// nothing is better.
// Source: dlpack.h v1.2, DLManagedTensorVersioned.deleter and DLManagedTensor.deleter.
Answer managed_deleter_null_meaning(const Prefix& prefix) {
  if (!prefix.deleter_missing) return std::nullopt;
  return Finding{.rule = RuleId::managed_deleter_null_meaning};
}

}  // namespace dlspec::reference::checks
