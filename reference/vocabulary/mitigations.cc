#include <dlspec/vocabulary/mitigations.h>

#include <algorithm>

namespace dlspec {
namespace {

using Scope = Mitigation::Scope;

constexpr Mitigation table[] = {
#define DLSPEC_MITIGATION(id, scope, rules, verdict, condition, question, reason) \
  {id, Scope::scope, rules, Verdict::verdict, condition, question, reason},
#include <dlspec/vocabulary/mitigations.def>
#undef DLSPEC_MITIGATION
};

// Whether `names` has the rule, with any variant or, if `variant` is given, with this one.
bool names_rule(std::string_view names, std::string_view rule, int variant = -1) {
  while (!names.empty()) {
    const std::string_view name = names.substr(0, names.find(' '));
    const std::size_t colon = std::min(name.find(':'), name.size());
    if (name.substr(0, colon) == rule && (variant < 0 || name.substr(colon) == ":" + std::to_string(variant)))
      return true;
    names.remove_prefix(std::min(name.size() + 1, names.size()));
  }
  return false;
}

}  // namespace

std::span<const Mitigation> mitigations() { return table; }

const Mitigation* find_mitigation(std::string_view id) {
  const auto* const found = std::find_if(std::begin(table), std::end(table), [&](auto& row) { return id == row.id; });
  return found == std::end(table) ? nullptr : found;
}

bool covers(const Mitigation& mitigation, const Rule& rule) {
  return *mitigation.rules == '\0' || names_rule(mitigation.rules, rule.id);
}

const Mitigation* mitigation_of(const Rule& rule) {
  for (const Mitigation& row : table) {
    if (row.scope == Scope::always && covers(row, rule)) return &row;
  }
  return nullptr;
}

const Mitigation* mitigation_of(const Finding& finding) {
  const Rule& violated = rule(finding.rule);
  for (const Mitigation& row : table) {
    if (row.scope == Scope::finding && names_rule(row.rules, violated.id, finding.variant)) return &row;
  }
  const Mitigation* const whole = mitigation_of(violated);
  return whole != nullptr && whole->verdict == verdict_of(finding) ? whole : nullptr;
}

std::vector<const Mitigation*> mitigations_about(const Rule& rule) {
  std::vector<const Mitigation*> found;
  for (const Mitigation& row : table) {
    if (*row.rules != '\0' && covers(row, rule)) found.push_back(&row);
  }
  return found;
}

Verdict verdict_of(Level level) {
  switch (level) {
    case Level::must:
    case Level::implied: return Verdict::fail;
    case Level::should: return Verdict::warn;
    case Level::may:
    case Level::convention: break;
  }
  return Verdict::info;
}

bool is_milder(Verdict verdict, Level level) {
  const Verdict usual = verdict_of(level);
  if (verdict == Verdict::info) return usual != Verdict::info;
  return verdict == Verdict::warn && usual == Verdict::fail;
}

std::string reason_text(const Mitigation& mitigation) {
  std::string text = mitigation.reason;
  if (*mitigation.question == '\0') return text;
  if (text.ends_with('.')) text.pop_back();
  return text + " (open question " + mitigation.question + ").";
}

}  // namespace dlspec
