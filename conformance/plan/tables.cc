// The rows of layouts.def and variants.def, expanded once.
#include <algorithm>
#include <initializer_list>
#include <set>

#include <dlspec/conformance/plan/contents.h>
#include <dlspec/conformance/plan/drawn.h>
#include <dlspec/conformance/plan/paths.h>
#include <dlspec/conformance/plan/plan.h>
#include <dlspec/vocabulary/finding.h>

#define DLSPEC_BRACED(...) {__VA_ARGS__}

namespace dlspec::conformance {
namespace {

using enum RuleId;
using Strides = std::optional<std::vector<std::int64_t>>;

// Columns of variants.def, documented there.
enum class Stimulus : std::uint8_t { first, plain, unusual };
enum class ExtraRules : std::uint8_t { alone, conduct, structs, layout };

PlanNames all_layout_names() {
  PlanNames names;
  for (const LayoutRow& row : layouts()) names.push_back(row.name);
  return names;
}

PlanNames writable_layout_names() {
  PlanNames names;
  for (const LayoutRow& row : layouts()) {
    if (!row.read_only) names.push_back(row.name);
  }
  return names;
}

PlanNames full_without_float32_and_int16() {
  PlanNames names = full_dtypes();
  std::erase_if(names, [](std::string_view name) { return name == "float32" || name == "int16"; });
  return names;
}

// A name or a list of names. Without a destructor, for compilers would write one call of it for each.
struct NameList {
  NameList(const char* single) : name(single) {}
  NameList(const PlanNames& names) : list(&names) {}
  const char* name = nullptr;
  const PlanNames* list = nullptr;
};
using NameLists = std::initializer_list<NameList>;

PlanNames join(NameLists lists) {
  PlanNames all;
  for (const NameList& each : lists) {
    if (each.list == nullptr) {
      all.push_back(each.name);
    } else {
      all.insert(all.end(), each.list->begin(), each.list->end());
    }
  }
  return all;
}

std::vector<RuleId> in_rule_order(std::vector<RuleId> rules) {
  std::sort(rules.begin(), rules.end());
  rules.erase(std::unique(rules.begin(), rules.end()), rules.end());
  return rules;
}

Variant make_variant(Role role, const char* name, Kinds kinds, Stimulus stimulus, NameLists dtypes,
                     NameLists layout_names, RuleId primary, ExtraRules extra, std::initializer_list<RuleId> listed) {
  std::vector<RuleId> rules = listed;
  rules.push_back(primary);
  if (extra == ExtraRules::structs) {
    // The alignment of a single array depends on the allocator; the variant "alignment" checks many arrays.
    std::copy_if(struct_rules().begin(), struct_rules().end(), std::back_inserter(rules),
                 [](RuleId rule) { return rule != RuleId::tensor_data_256_aligned; });
  }
  Variant variant;
  variant.role = role;
  variant.name = name;
  variant.kinds = kinds;
  variant.first = stimulus == Stimulus::first;
  variant.plain = stimulus != Stimulus::unusual;
  variant.primary = primary;
  variant.rules = in_rule_order(std::move(rules));
  variant.layout_rules = extra == ExtraRules::layout;
  variant.conduct_rules = extra == ExtraRules::conduct;
  variant.dtypes = join(dtypes);
  variant.layouts = join(layout_names);
  return variant;
}

std::vector<LayoutRow> make_layouts() {
  const Strides DEFAULT;  // NOLINT(readability-identifier-naming): the word of layouts.def
#define STRIDES(...) std::vector<std::int64_t>{__VA_ARGS__}
#define DLSPEC_LAYOUT(name, shape, strides, offset, read_only, rules) \
  LayoutRow{name, DLSPEC_BRACED shape, strides, offset, read_only, DLSPEC_BRACED rules},
  return {
#include <dlspec/conformance/plan/layouts.def>
  };
#undef DLSPEC_LAYOUT
#undef STRIDES
}

std::vector<Variant> make_variants() {
  const PlanNames& full = full_dtypes();
  const PlanNames& narrow = narrow_dtypes();
  const PlanNames& packed = packed_dtypes();
  const PlanNames rest = full_without_float32_and_int16();
  const PlanNames all = all_layout_names();
  const PlanNames writable = writable_layout_names();
  std::vector<Variant> table;
#define DLSPEC_VARIANT(role, name, kinds, stimulus, dtypes, layout_names, primary, extra, rules)         \
  table.push_back(make_variant(Role::role, name, Kinds::kinds, Stimulus::stimulus, DLSPEC_BRACED dtypes, \
                               DLSPEC_BRACED layout_names, RuleId::primary, ExtraRules::extra, DLSPEC_BRACED rules));
#include <dlspec/conformance/plan/variants.def>
#undef DLSPEC_VARIANT
  return table;
}

// One for each role and kind.
std::vector<Variant> make_path_variants() {
#define DLSPEC_PATH_RULES(kinds, role, primary, extra, rules)                                                   \
  make_variant(Role::role, "path", Kinds::kinds, Stimulus::unusual, {}, {}, RuleId::primary, ExtraRules::extra, \
               DLSPEC_BRACED rules),
  return {
#include <dlspec/conformance/plan/paths.def>
  };
}

}  // namespace

std::span<const LayoutRow> layouts() {
  static const std::vector<LayoutRow> table = make_layouts();
  return table;
}

const LayoutRow* find_layout(std::string_view name) {
  const std::span<const LayoutRow> table = layouts();
  const auto row = std::find_if(table.begin(), table.end(), [&](const LayoutRow& each) { return name == each.name; });
  return row != table.end() ? &*row : drawn_layout(name);
}

std::span<const Variant> variants() {
  static const std::vector<Variant> table = make_variants();
  return table;
}

std::span<const Variant> path_variants() {
  static const std::vector<Variant> table = make_path_variants();
  return table;
}

const Variant& path_variant(bool native, Role role) {
  const std::span<const Variant> table = path_variants();
  return *std::find_if(table.begin(), table.end(), [&](const Variant& each) {
    return each.role == role && (each.kinds == Kinds::native) == native;
  });
}

std::span<const RuleId> struct_rules() {
  static const std::vector<RuleId> rules = [] {
    std::vector<RuleId> found;
    for (const FindingRow& row : finding_table()) found.push_back(row.rule);
    return in_rule_order(std::move(found));
  }();
  return rules;
}

}  // namespace dlspec::conformance
