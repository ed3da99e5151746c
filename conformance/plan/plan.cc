#include <dlspec/conformance/plan/plan.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <set>
#include <string_view>
#include <unordered_set>
#include <utility>

#include <dlspec/conformance/core/globs.h>
#include <dlspec/conformance/core/hash.h>
#include <dlspec/conformance/plan/contents.h>
#include <dlspec/conformance/plan/drawn.h>
#include <dlspec/conformance/plan/lone.h>
#include <dlspec/conformance/plan/paths.h>
#include <dlspec/conformance/plan/sequence_generator.h>
#include <dlspec/conformance/plan/thorough.h>
#include <dlspec/vocabulary/device.h>

namespace dlspec::conformance {
namespace {

constexpr abi::Device first_gpu{DeviceType::kDLCUDA, 0};

bool needs_device(Kinds kinds) { return kinds == Kinds::device || kinds == Kinds::native_device; }

bool is_for(Kinds kinds, SubjectKind kind, bool has_device) {
  if (needs_device(kinds) != has_device) return false;
  return kinds == Kinds::both || is_native(kind) == is_native(kinds);
}

// Capsules, dunder methods and stream keywords need a Python interpreter.
bool needs_interpreter(RuleId id) {
  const std::string_view group = rule_group(rule(id));
  return group == "capsule" || group == "python" || group == "stream";
}

bool is_selected(const Selection& selection, RuleId id) {
  if (is_native(selection.kind) && needs_interpreter(id)) return false;
  const Rule& row = rule(id);
  return row.level <= selection.level && matches_globs(selection.rules, row.id);
}

std::vector<RuleId> selected_rules(const Selection& selection, const Variant& variant, const LayoutRow& layout) {
  std::vector<RuleId> rules = variant.rules;
  if (variant.layout_rules) rules.insert(rules.end(), layout.consumer_rules.begin(), layout.consumer_rules.end());
  if (is_native(selection.kind)) {
    if (variant.conduct_rules) rules.insert(rules.end(), std::begin(rules_of_conduct), std::end(rules_of_conduct));
  } else if (variant.role == Role::consumer && !needs_device(variant.kinds)) {
    rules.push_back(RuleId::managed_deleter_once);  // nothing is released twice, whatever is tried
  }
  std::erase_if(rules, [&](RuleId id) { return !is_selected(selection, id); });
  std::sort(rules.begin(), rules.end());
  rules.erase(std::unique(rules.begin(), rules.end()), rules.end());
  return rules;
}

Order order_from(const char* dtype, const LayoutRow& layout) {
  return {.dtype = dtype,
          .shape = layout.shape,
          .strides = layout.strides,
          .offset = layout.offset,
          .read_only = layout.read_only,
          .bytes = {}};
}

std::string case_id(const Variant& variant, std::string_view name, const char* dtype, const LayoutRow& layout) {
  return std::string(role_name(variant.role)) + "/" + dtype + "/" + layout.name + "/" + std::string(name);
}

// The rule that a crash is recorded under: a rule of the layout, where it has one, is more specific than the variant's.
RuleId primary_rule(const Variant& variant, const LayoutRow& layout, const std::vector<RuleId>& selected) {
  std::vector<RuleId> candidates{variant.primary};
  if (variant.layout_rules)
    candidates.insert(candidates.begin(), layout.consumer_rules.begin(), layout.consumer_rules.end());
  for (const RuleId id : candidates) {
    if (std::find(selected.begin(), selected.end(), id) != selected.end()) return id;
  }
  return selected.front();
}

// nullopt when the selection leaves the case out. Ignores the shard. `name`: the variant as the case id says it.
std::optional<Case> make_case(const Selection& selection, const Variant& variant, std::string_view name,
                              const char* dtype, const LayoutRow& layout) {
  Case work;
  work.id = case_id(variant, name, dtype, layout);
  if (!matches_globs(selection.cases, work.id)) return std::nullopt;
  work.rules = selected_rules(selection, variant, layout);
  if (work.rules.empty()) return std::nullopt;
  work.primary = primary_rule(variant, layout, work.rules);
  work.role = variant.role;
  work.dtype = dtype;
  work.layout = layout.name;
  work.drawn = layout.drawn;
  work.variant = name;
  work.plain = variant.plain;
  work.order = order_from(dtype, layout);
  if (selection.device) work.order.device = *selection.device;
  return work;
}

bool has_role(const Selection& selection, Role role) {
  return std::find(selection.roles.begin(), selection.roles.end(), role) != selection.roles.end();
}

// Into an order in which any part has something of every dtype, layout and level: a run may be cut short by its budget.
void mix(std::span<Case> cases) {
  std::vector<std::pair<std::uint64_t, std::size_t>> places;
  for (std::size_t i = 0; i < cases.size(); ++i) places.emplace_back(fnv1a(cases[i].id), i);
  std::sort(places.begin(), places.end());
  std::vector<Case> mixed;
  mixed.reserve(cases.size());
  for (const auto& [hash, place] : places) mixed.push_back(std::move(cases[place]));
  std::move(mixed.begin(), mixed.end(), cases.begin());
}

// Those that try a stimulus, or the exchanges.
void add_paths(const Selection& selection, bool of_stimuli, std::vector<Case>& cases) {
  if (selection.device) return;  // every path is one of the host
  const bool native = is_native(selection.kind);
  const auto add = [&](const PathRow& row) {
    if (stimulus_of(row.variant).empty() == of_stimuli || row.native != native || !has_role(selection, row.role))
      return;
    std::optional<Case> work =
        make_case(selection, path_variant(row), row.variant, row.dtype, *find_layout(row.layout));
    if (work) cases.push_back(*std::move(work));
  };
  const std::size_t first = cases.size();
  std::for_each(path_rows().begin(), path_rows().end(), add);
  if (!of_stimuli) {
    for (const Role role : selection.roles) {
      for (const auto rows : {lone_rows(native, role), drawn_rows(native, role, selection.thorough)})
        std::for_each(rows.begin(), rows.end(), add);
    }
  }
  mix(std::span(cases).subspan(first));
  if (selection.thorough) {
    for (const Role role : selection.roles) {
      const std::span<const PathRow> rows = thorough_rows(native, role);
      std::for_each(rows.begin(), rows.end(), add);
    }
    return;
  }
  for (const std::string& id : patterns_of(selection.cases)) {  // cases of a thorough run, asked for by their ids
    const bool is_planned = std::any_of(cases.begin(), cases.end(), [&](const Case& work) { return work.id == id; });
    const std::optional<PathRow> named = is_planned ? std::nullopt : path_of_id(native, id);
    if (named) add(*named);
  }
}

// The selected cases of all shards in table order, without contents.
std::vector<Case> select_cases(const Selection& selection) {
  std::vector<Case> cases;
  const bool has_device = selection.device.has_value();
  if (!selection.smoke) add_paths(selection, false, cases);  // before unusual variants, some of which kill workers
  for (const Variant& variant : variants()) {
    if (!has_role(selection, variant.role) || !is_for(variant.kinds, selection.kind, has_device)) continue;
    if (selection.smoke && !variant.first) continue;
    for (const char* dtype : variant.dtypes) {
      for (const char* layout : variant.layouts) {
        std::optional<Case> work = make_case(selection, variant, variant.name, dtype, *find_layout(layout));
        if (work) cases.push_back(*std::move(work));
      }
    }
  }
  if (!selection.smoke) add_paths(selection, true, cases);  // a stimulus that kills does so in its own variant first
  return cases;
}

// Few and short enough that all sequences of a run take about a tenth of a second.
constexpr std::size_t sequences_per_case = 15;
constexpr std::size_t steps_per_sequence = 24;

// The sequences of "sequence=N": the same in every run with this seed; none for other variants.
std::vector<std::string> planned_sequences(const Case& work, SubjectKind kind, std::uint64_t seed) {
  constexpr std::string_view prefix = "sequence=";
  if (!work.variant.starts_with(prefix)) return {};
  const SequenceProfile profile = sequence_profile(work.role, kind);
  // The role and number of the case are part of the seed, so that no two cases carry out the same.
  SequenceRandom random(seed * 64 + static_cast<std::uint64_t>(work.variant[prefix.size()] - '0') * 4 +
                        static_cast<unsigned>(work.role));
  std::vector<std::string> texts;
  for (std::size_t i = 0; i < sequences_per_case; ++i) {
    texts.push_back(sequence_text(generate_sequence(profile, random, steps_per_sequence)));
  }
  return texts;
}

std::string tuple_text(const std::vector<std::int64_t>& numbers) {
  std::string text = "(";
  for (const std::int64_t number : numbers) text += (text.size() > 1 ? "," : "") + std::to_string(number);
  return text + ")";
}

std::vector<Case> plain_ones_first(const std::vector<Case>& cases) {
  std::vector<Case> ordered;
  for (const bool plain : {true, false}) {
    std::copy_if(cases.begin(), cases.end(), std::back_inserter(ordered),
                 [&](const Case& work) { return work.plain == plain; });
  }
  return ordered;
}

}  // namespace

bool is_native(SubjectKind kind) { return kind != SubjectKind::python; }

bool is_native(Kinds kinds) { return kinds == Kinds::native || kinds == Kinds::both || kinds == Kinds::native_device; }

std::vector<Case> make_plan(const Selection& selection) {
  std::vector<Case> cases = select_cases(selection);
  std::erase_if(cases, [&](const Case& work) { return shard_of(work.id, selection.shards) != selection.shard; });
  cases = plain_ones_first(cases);
  for (Case& work : cases) {
    const bool extreme = work.variant.starts_with("extreme-values");
    work.order.bytes = order_contents(work.order, selection.seed, extreme ? Values::extreme : Values::ordinary);
    work.sequences = planned_sequences(work, selection.kind, selection.seed);
  }
  return cases;
}

std::vector<RuleId> asked_rules(SubjectKind kind, Role role, bool has_device) {
  Selection whole;
  whole.kind = kind;
  std::set<RuleId> asked;
  for (const Variant& variant : variants()) {
    if (variant.role != role || !is_for(variant.kinds, kind, has_device)) continue;
    for (const char* layout : variant.layouts) {
      const std::vector<RuleId> rules = selected_rules(whole, variant, *find_layout(layout));
      asked.insert(rules.begin(), rules.end());
    }
  }
  for (const PathRow& row : path_rows()) {
    if (has_device || row.role != role || row.native != is_native(kind)) continue;
    const Variant& variant = path_variant(row);
    const std::vector<RuleId> rules = selected_rules(whole, variant, *find_layout(row.layout));
    asked.insert(rules.begin(), rules.end());
  }
  return {asked.begin(), asked.end()};
}

bool needs_device(std::string_view name) {
  static const std::unordered_set<std::string_view> names = [] {
    std::unordered_set<std::string_view> of_device;
    for (const Variant& each : variants()) {
      if (needs_device(each.kinds)) of_device.insert(each.name);
    }
    return of_device;
  }();
  return names.contains(name);
}

std::vector<Selection> everywhere(const Selection& selection) {
  std::vector<Selection> both{selection, selection};
  both.front().device.reset();
  both.back().device = first_gpu;
  return both;
}

bool plan_is_empty(const Selection& selection) { return select_cases(selection).empty(); }

std::uint32_t shard_of(std::string_view case_id, std::uint32_t shards) {
  return shards == 0 ? 1 : static_cast<std::uint32_t>(fnv1a(case_id) % shards) + 1;
}

Order sequence_order(std::string_view layout, std::string_view dtype) {
  Order order = order_from(std::string(dtype).c_str(), *find_layout(layout));
  order.bytes = order_contents(order, 0);
  return order;
}

std::optional<Order> order_of(std::string_view case_id) {
  std::array<std::string_view, 4> parts;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t slash = case_id.find('/');
    if (slash == std::string_view::npos) return std::nullopt;
    parts[i] = case_id.substr(0, slash);
    case_id.remove_prefix(slash + 1);
  }
  const LayoutRow* layout = find_layout(parts[2]);
  if (layout == nullptr || !parse_role(parts[0])) return std::nullopt;
  Order order = order_from(std::string(parts[1]).c_str(), *layout);
  if (needs_device(case_id)) order.device = first_gpu;
  return order;
}

std::string order_text(const Order& order) {
  std::string text = order.dtype + " " + tuple_text(order.shape);
  if (order.strides) text += ":" + tuple_text(*order.strides);
  if (order.offset != 0) text += "+" + std::to_string(order.offset);
  text += " @" + device_text(order.device);
  if (order.read_only) text += " ro";
  return text;
}

}  // namespace dlspec::conformance
