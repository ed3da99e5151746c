#include <dlspec/conformance/header/judge.h>

#include <utility>

#include <fmt/format.h>

#include <dlspec/conformance/header/judge_parts.h>

namespace dlspec::conformance {
namespace {

struct OldName {
  const char* now;
  const char* then;
  abi::Version last;
};
constexpr OldName old_names[] = {
#define DLSPEC_HEADER_OLD_NAME(now, then, major, minor) {now, then, {major, minor}},
#include <dlspec/conformance/header/layout.def>
};

}  // namespace

HeaderFinding finding_at(RuleId id, std::string where, std::string observed, std::string allowed) {
  return {id, rule(id).violated, std::move(where), std::move(observed), std::move(allowed)};
}

void report_missing(abi::Version release, abi::Version since, const std::string& where, const std::string& observed,
                    const std::string& allowed, std::vector<HeaderFinding>& findings) {
  if (release < since) return;
  findings.push_back(
      finding_at(RuleId::version_not_blindly_header_macro, where,
                 fmt::format("{}, although the header says that it is {}", observed, release_text(release)),
                 fmt::format("{} since {}", allowed, release_text(since))));
}

std::string release_text(abi::Version release) { return fmt::format("{}.{}", release.major, release.minor); }

std::string name_in(abi::Version release, const std::string& name) {
  for (const OldName& row : old_names) {
    if (name == row.now && release <= row.last) return row.then;
  }
  return name;
}

std::vector<HeaderFinding> judge_header(const Declarations& declarations, const Measured& measured) {
  const abi::Version release = header_release(measured);
  std::vector<HeaderFinding> findings;
  judge_version_macros(measured, findings);
  judge_structs(measured, release, findings);
  judge_enumerators(declarations, measured, release, findings);
  judge_flags(measured, release, findings);
  return findings;
}

}  // namespace dlspec::conformance
