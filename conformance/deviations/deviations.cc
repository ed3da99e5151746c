#include <dlspec/conformance/deviations/deviations.h>

#include <regex>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <dlspec/conformance/deviations/faults.h>

namespace dlspec::conformance {
namespace {

struct KnownDeviation {
  RuleId rule;
  const char* package;
  const char* versions;
  const char* what;
  const char* origin;
};

constexpr KnownDeviation known[] = {
#define DLSPEC_DEVIATION(rule, package, versions, what, origin) {RuleId::rule, package, versions, what, origin},
#include <dlspec/conformance/deviations/deviations.def>
#undef DLSPEC_DEVIATION
};

// "https://github.com/a/b/issues/1" -> "a/b#1"; any other address is returned unchanged.
std::string thread_of(const std::string& link) {
  static const std::regex thread(R"(https://github\.com/([^/]+/[^/]+)/(?:issues|pull)/([0-9]+).*)");
  return std::regex_replace(link, thread, "$1#$2");
}

// Skips malformed entries of faults.json; the lint of that file reports them.
std::vector<Deviation> read_faults() {
  std::vector<Deviation> found;
  const nlohmann::json faults = nlohmann::json::parse(faults_json(), nullptr, false);
  if (!faults.is_array()) return found;
  for (const nlohmann::json& fault : faults) {
    const auto text = [&](const char* key) {
      return fault.is_object() && fault.contains(key) && fault[key].is_string() ? fault[key].get<std::string>() : "";
    };
    const Rule* const rule = find_rule(text("rule"));
    if (rule == nullptr) continue;
    // What is only re-created has no reproducer: its thread tells of it.
    const bool re_created = !text("exhibit").empty();
    found.push_back({rule->rule, text("package"), text("version"), text("what"),
                     re_created ? thread_of(text("link")) : "", re_created ? "" : text("id")});
  }
  return found;
}

}  // namespace

std::vector<Deviation> deviations_from(const Rule& rule) {
  static const std::vector<Deviation> faults = read_faults();
  std::vector<Deviation> list;
  for (const Deviation& fault : faults) {
    if (fault.rule == rule.rule) list.push_back(fault);
  }
  for (const KnownDeviation& row : known) {
    if (row.rule == rule.rule) list.push_back({row.rule, row.package, row.versions, row.what, row.origin, ""});
  }
  return list;
}

std::string deviation_text(const Deviation& deviation) {
  const std::string evidence = !deviation.reproducer.empty()  ? fmt::format("found by dlspec, {}", deviation.reproducer)
                               : deviation.origin == "source" ? "read in the source"
                                                              : deviation.origin;
  return fmt::format("{} {}: {} ({})", deviation.package, deviation.versions, deviation.what, evidence);
}

}  // namespace dlspec::conformance
