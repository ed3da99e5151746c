#include <dlspec/conformance/report/rules_text.h>

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include <dlspec/conformance/report/wrap.h>
#include <dlspec/vocabulary/device.h>
#include <dlspec/vocabulary/questions.h>

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

}  // namespace

const char* coverage_name(Coverage coverage) {
  switch (coverage) {
    case Coverage::checked: return "checked";
    case Coverage::not_yet: return "not yet";
    case Coverage::never: break;
  }
  return "never";
}

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
                        coverage_name(row->coverage), row->title);
  }
  return text;
}

std::string explain_rule(const Rule& row, const RuleEvidence& evidence, bool color) {
  std::string text =
      fmt::format("{}  {}\n\n  {}\n\n", strong(row.id, color), row.title, wrapped(row.requirement, 2, 2));
  const auto section = [&](const char* name, const std::vector<std::string>& lines) {
    for (const std::string& line : lines) text += labelled(&line == lines.data() ? name : "", line);
  };
  for (const Fact& fact : facts_of(row, evidence)) text += labelled(fact.name, fact.text);
  section("reported", reports_of(row));
  section("milder", mitigations_of(row));
  std::vector<std::string> open;
  for (const Question* question : questions_about(row))
    open.push_back(fmt::format("{}: {}", question->id, question->question));
  section("open", open);
  section("deviating", evidence.deviating);
  return text;
}

}  // namespace dlspec::conformance
