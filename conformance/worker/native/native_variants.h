// Which function of the native worker answers which variant of the plan: one table per role, beside its functions.
#pragma once

#include <span>
#include <string_view>

#include <dlspec/conformance/core/case.h>
#include <dlspec/conformance/worker/native/native_case.h>
#include <dlspec/plugin.h>

namespace dlspec::conformance {

// Carries one case out in this process and sets outcomes of its rules; rules that it leaves unset are not judged. The
// plug-in has the functions of the role.
using NativeCaseFunction = void(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer);

// One row: `name` is a native variant of plan/variants.def.
struct NativeVariant {
  std::string_view name;
  NativeCaseFunction* answer;
};

[[nodiscard]] std::span<const NativeVariant> producer_variants();  // producer_cases.cc
[[nodiscard]] std::span<const NativeVariant> consumer_variants();  // consumer_cases.cc
[[nodiscard]] std::span<const NativeVariant> bridge_variants();    // bridge_cases.cc

void sequence_case(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer);  // sequence_cases.cc

// The table of a role; empty for exchanges, which are between two Python libraries.
[[nodiscard]] std::span<const NativeVariant> native_variants(Role role);

// Answers a case of this role and variant. Where the plug-in does not have the role, the case is unsupported; the rules
// of an unknown variant stay unset.
void answer_native_case(const DlspecPlugin& plugin, Role role, std::string_view variant, const NativeCase& asked,
                        NativeAnswer& answer);

}  // namespace dlspec::conformance
