#include <dlspec/conformance/worker/native/native_variants.h>

#include <algorithm>
#include <string>

#include <dlspec/conformance/worker/native/native_path.h>

namespace dlspec::conformance {
namespace {

// Why the plug-in cannot be asked in this role, or NULL.
const char* why_absent(const DlspecPlugin& plugin, Role role) {
  switch (role) {
    case Role::producer: return plugin.make == nullptr ? "the plug-in has no producer" : nullptr;
    case Role::consumer: return plugin.import_tensor == nullptr ? "the plug-in has no consumer" : nullptr;
    case Role::bridge: return plugin.bridge == nullptr ? "the plug-in has no tensor descriptors" : nullptr;
    case Role::exchange: break;
  }
  return nullptr;
}

// nullptr for an unknown variant.
NativeCaseFunction* function_of(Role role, std::string_view variant) {
  const std::span<const NativeVariant> table = native_variants(role);
  const auto row =
      std::find_if(table.begin(), table.end(), [&](const NativeVariant& each) { return each.name == variant; });
  return row != table.end() ? row->answer : nullptr;
}

}  // namespace

std::span<const NativeVariant> native_variants(Role role) {
  switch (role) {
    case Role::producer: return producer_variants();
    case Role::consumer: return consumer_variants();
    case Role::bridge: return bridge_variants();
    case Role::exchange: break;
  }
  return {};
}

void answer_native_case(const DlspecPlugin& plugin, Role role, std::string_view variant, const NativeCase& asked,
                        NativeAnswer& answer) {
  if (const char* const absent = why_absent(plugin, role)) return answer.rest_unsupported(absent);
  const bool is_path = variant.starts_with("path:");
  const PathLevels levels(is_path ? variant : "path:ordinary");
  if (is_path && !levels.has("stimulus")) {
    return answer_path(role == Role::producer ? producer_path : consumer_path, plugin, asked, variant, answer);
  }
  NativeCaseFunction* const function = function_of(role, is_path ? levels.level("stimulus") : std::string(variant));
  if (function == nullptr) return;
  if (!is_path) return function(plugin, asked, answer);
  PathHistory* const history = role == Role::producer ? producer_history : consumer_history;
  answer_stimulus(function, history, plugin, asked, levels, answer);
}

}  // namespace dlspec::conformance
