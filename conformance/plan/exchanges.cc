#include <dlspec/conformance/plan/exchanges.h>

#include <algorithm>

#include <dlspec/conformance/core/globs.h>
#include <dlspec/conformance/plan/contents.h>
#include <dlspec/conformance/plan/plan.h>

namespace dlspec::conformance {
namespace {

using enum RuleId;

constexpr std::size_t common_count = 15;  // the prefix of full_dtypes() that most libraries support

struct ExchangeRow {
  const char* variant;
  PlanNames dtypes;
  PlanNames layouts;
  RuleId primary;
  std::vector<RuleId> rules;
};

std::vector<ExchangeRow> exchange_rows() {
  const PlanNames common(full_dtypes().begin(), full_dtypes().begin() + common_count);
#define COMMON (common)
#define DLSPEC_NAMES(...) {__VA_ARGS__}
#define DLSPEC_EXCHANGE(variant, dtypes, layouts, primary, rules)                              \
  ExchangeRow{variant, PlanNames DLSPEC_NAMES dtypes, PlanNames DLSPEC_NAMES layouts, primary, \
              std::vector<RuleId> DLSPEC_NAMES rules},
  return {
#include <dlspec/conformance/plan/exchanges.def>
  };
#undef DLSPEC_EXCHANGE
#undef DLSPEC_NAMES
#undef COMMON
}

Case exchange_case(const ExchangeRow& row, const std::string& dtype, const std::string& layout, std::uint64_t seed) {
  Case work;
  work.role = Role::exchange;
  work.id = std::string(role_name(work.role)) + "/" + dtype + "/" + layout + "/" + row.variant;
  work.dtype = dtype;
  work.layout = layout;
  work.variant = row.variant;
  work.order = *order_of(work.id);
  work.order.bytes = order_contents(work.order, seed);
  work.primary = row.primary;
  work.rules = row.rules;
  work.rules.push_back(row.primary);
  std::sort(work.rules.begin(), work.rules.end());
  return work;
}

}  // namespace

std::vector<Case> make_exchange_plan(const std::string& cases, std::uint64_t seed) {
  std::vector<Case> plan;
  for (const ExchangeRow& row : exchange_rows()) {
    for (const char* dtype : row.dtypes) {
      for (const char* layout : row.layouts) {
        Case work = exchange_case(row, dtype, layout, seed);
        if (matches_globs(cases, work.id)) plan.push_back(std::move(work));
      }
    }
  }
  return plan;
}

}  // namespace dlspec::conformance
