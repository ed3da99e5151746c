#include <dlspec/optimized/validate/validate.h>
#include <dlspec/plugin.h>
#include <dlspec/reference/validate/validate.h>
#include <cstdio>

int main() {
  const dlspec::abi::Tensor scalar{};  // no data, no dtype: broken in several ways
  const auto slow = dlspec::reference::validate(&scalar);
  const auto fast = dlspec::optimized::validate(&scalar);
  for (const dlspec::Finding& finding : slow)
    std::printf("%s: %s\n", dlspec::rule(finding.rule).id, dlspec::observed_text(finding).c_str());
  return slow == fast && slow.contains(dlspec::RuleId::dtype_bits_nonzero) && DLSPEC_PLUGIN_VERSION == 1 ? 0 : 1;
}
