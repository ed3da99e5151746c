#include <dlspec/conformance/report/rules_text.h>

#include <algorithm>
#include <map>
#include <vector>

#include <fmt/format.h>

#include <dlspec/conformance/plan/plan.h>
#include <dlspec/vocabulary/device.h>

namespace dlspec::conformance {
namespace {

std::string strong(std::string_view text, bool color) {
  return color ? fmt::format("\x1b[1m{}\x1b[0m", text) : std::string(text);
}

const char* level_word(Level level) {
  switch (level) {
    case Level::must: return "MUST";
    case Level::implied: return "MUST*";
    case Level::should: return "SHOULD";
    case Level::may: return "MAY";
    case Level::convention: break;
  }
  return "convention";
}

const char* coverage_word(Coverage coverage) {
  switch (coverage) {
    case Coverage::checked: return "checked";
    case Coverage::not_yet: return "not yet";
    case Coverage::never: break;
  }
  return "never";
}

std::string version_text(abi::Version version) { return fmt::format("{}.{}", version.major, version.minor); }

bool is_open_ended(const Interval& interval) { return interval.last.major == 0xFFFFFFFF; }

// "1.2+", for a column.
std::string short_interval(const Interval& interval) {
  switch (interval.scope) {
    case Interval::Scope::any: return "all";
    case Interval::Scope::legacy: return "legacy";
    case Interval::Scope::python_spec: return "capsules";
    case Interval::Scope::array_api: return fmt::format("AA {}+", interval.first.major);
    case Interval::Scope::dlpack: break;
  }
  if (interval.first == unreleased) return "main";
  if (is_open_ended(interval)) return version_text(interval.first) + "+";
  return version_text(interval.first) + "-" + version_text(interval.last);
}

const char* how_checked(Check check) {
  switch (check) {
    case Check::struct_bytes: return "on the bytes of the exported struct";
    case Check::dynamic: return "on a live subject, from C";
    case Check::python: return "on a live subject, from Python";
    case Check::gpu: return "on a live subject with a GPU";
    case Check::sanitizer: return "on a live subject under memory protection";
    case Check::review: break;
  }
  return "by reading the source";
}

// "producer: max_version=1.3, plain; consumer: versioned": where the plan decides the rule.
std::string planned_in(RuleId id) {
  std::map<Role, std::vector<std::string>> names;
  for (const Variant& variant : variants()) {
    bool decides = std::find(variant.rules.begin(), variant.rules.end(), id) != variant.rules.end();
    for (const char* name : variant.layouts) {
      const std::vector<RuleId>& layout_rules = find_layout(name)->consumer_rules;
      decides |= variant.layout_rules && std::find(layout_rules.begin(), layout_rules.end(), id) != layout_rules.end();
    }
    std::vector<std::string>& list = names[variant.role];
    if (decides && std::find(list.begin(), list.end(), variant.name) == list.end()) list.emplace_back(variant.name);
  }
  std::string text;
  for (const auto& [role, list] : names) {
    if (!list.empty())
      text += fmt::format("{}{}: {}", text.empty() ? "" : "; ", role_name(role), fmt::join(list, ", "));
  }
  return text;
}

std::string coverage_text(const Rule& row) {
  std::string text = row.coverage == Coverage::checked ? how_checked(row.check)
                     : row.coverage == Coverage::not_yet
                         ? fmt::format("not yet (it can be, {})", how_checked(row.check))
                         : "never: a machine cannot";
  if (*row.reason != '\0') text += fmt::format(": {}", row.reason);
  return text;
}

const char* bound_side(Side side) {
  switch (side) {
    case Side::producer: return "producers";
    case Side::consumer: return "consumers";
    case Side::both: break;
  }
  return "producers and consumers";
}

}  // namespace

std::string level_text(const Rule& row) {
  if (row.level == Level::implied) return fmt::format("MUST (implied by {})", row.implied_by);
  return level_word(row.level);
}

std::string interval_text(const Interval& interval) {
  switch (interval.scope) {
    case Interval::Scope::any: return "every version";
    case Interval::Scope::legacy: return "structs without a version";
    case Interval::Scope::python_spec: return "everything that goes through Python capsules";
    case Interval::Scope::array_api: return fmt::format("array API {}.12 and later", interval.first.major);
    case Interval::Scope::dlpack: break;
  }
  if (interval.first == unreleased) return "no release yet";
  std::string text = "DLPack " + version_text(interval.first);
  if (is_open_ended(interval)) {
    text += " and later";
  } else if (interval.first != interval.last) {
    text += " to " + version_text(interval.last);
  }
  return text + (interval.unversioned ? ", structs without a version included" : "");
}

std::string rules_list(std::string_view glob, bool color) {
  std::vector<const Rule*> chosen;
  std::size_t width = 0;
  for (const Rule& row : rules()) {
    if (!glob_match(glob, row.id)) continue;
    chosen.push_back(&row);
    width = std::max(width, std::string_view(row.id).size());
  }
  std::string text;
  for (const Rule* row : chosen) {
    text += fmt::format("{}  {:<10}  {:<8}  {:<8}  {:<7}  {}\n", strong(fmt::format("{:<{}}", row->id, width), color),
                        level_word(row->level), side_name(row->side), short_interval(row->interval),
                        coverage_word(row->coverage), row->title);
  }
  return text;
}

std::string explain_rule(const Rule& row, bool color) {
  std::string text = fmt::format("{}  {}\n\n  {}\n\n", strong(row.id, color), row.title, row.requirement);
  const auto line = [&](const char* name, std::string_view value) {
    if (!value.empty()) text += fmt::format("  {:<10}  {}\n", name, value);
  };
  line("level", level_text(row));
  line("binds", bound_side(row.side));
  line("versions", interval_text(row.interval));
  line("source", row.source);
  line("if broken", verdict_name(row.broken));
  line("needs", row.needs);
  line("checked", coverage_text(row));
  line("asked in", planned_in(row.rule));
  line("since", fmt::format("dlspec {}", row.since));
  return text;
}

std::string rules_coverage() {
  struct Figures {
    std::string_view group;
    std::size_t all = 0;
    std::size_t by_coverage[3] = {};
  };
  std::vector<Figures> groups;
  Figures total{.group = "all"};
  for (const Rule& row : rules()) {
    if (groups.empty() || groups.back().group != rule_group(row)) groups.push_back({.group = rule_group(row)});
    for (Figures* figures : {&groups.back(), &total}) {
      ++figures->all;
      ++figures->by_coverage[static_cast<std::size_t>(row.coverage)];
    }
  }
  groups.push_back(total);
  std::string text = fmt::format("{:<10}{:>8}{:>9}{:>9}{:>7}\n", "group", "rules", "checked", "not yet", "never");
  for (const Figures& figures : groups) {
    text += fmt::format("{:<10}{:>8}{:>9}{:>9}{:>7}\n", figures.group, figures.all, figures.by_coverage[0],
                        figures.by_coverage[1], figures.by_coverage[2]);
  }
  return text;
}

}  // namespace dlspec::conformance
