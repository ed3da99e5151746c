#include <dlspec/optimized/validate/validate.h>

#include <algorithm>

#include <dlspec/optimized/validate/accept.h>
#include <dlspec/optimized/validate/examine.h>

namespace dlspec::optimized {
namespace {

[[gnu::noinline, gnu::cold]] void examine(const Exported& exported, const Origin* origin, Findings& findings) {
  Examination(exported, origin, findings).run();
}

}  // namespace

Findings validate(const Exported& exported, const Origin* origin) noexcept {
  Findings findings;
  if (origin != nullptr || !accept(exported)) {
    examine(exported, origin, findings);
    return findings;
  }
  const auto excess = reinterpret_cast<std::uintptr_t>(exported.tensor().data) % data_alignment;
  if (excess != 0) findings.add({RuleId::tensor_data_256_aligned, 0, -1, static_cast<std::int64_t>(excess), 0});
  return findings;
}

bool is_sound(const Exported& exported) noexcept {
  if (accept(exported)) return true;
  Findings findings;
  examine(exported, nullptr, findings);
  return std::all_of(findings.begin(), findings.end(),
                     [](const Finding& finding) { return verdict_of(finding) == Verdict::info; });
}

}  // namespace dlspec::optimized
