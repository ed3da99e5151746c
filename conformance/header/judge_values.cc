// Enumerators and flags, compared with device.def, dtype.def and flags.h.
#include <algorithm>

#include <fmt/format.h>

#include <dlspec/conformance/header/judge_parts.h>
#include <dlspec/vocabulary/device.h>
#include <dlspec/vocabulary/dtype.h>
#include <dlspec/vocabulary/flags.h>

namespace dlspec::conformance {
namespace {

struct Enumerator {
  const char* name;
  std::int64_t value;
  abi::Version since;
};

// An enumeration of dlpack.h with its rows and the rule that a library breaks which is compiled with other values.
struct Enumeration {
  const char* name;
  RuleId renumbered;
  std::vector<Enumerator> rows;
};

std::vector<Enumeration> enumerations() {
  Enumeration devices{"DLDeviceType", RuleId::device_type_known, {}};
  for (const DeviceRow& row : device_table) devices.rows.push_back({row.name, row.value, row.since});
  Enumeration codes{"DLDataTypeCode", RuleId::dtype_code_known, {}};
  for (const DtypeCodeRow& row : dtype_table) codes.rows.push_back({row.name, row.value, row.since});
  return {devices, codes};
}

const Enumerator* find_value(const Enumeration& enumeration, std::int64_t value) {
  const auto row = std::find_if(enumeration.rows.begin(), enumeration.rows.end(),
                                [&](const Enumerator& one) { return one.value == value; });
  return row == enumeration.rows.end() ? nullptr : &*row;
}

void judge_row(const Enumeration& enumeration, const Enumerator& row, const Measured& measured, abi::Version release,
               std::vector<HeaderFinding>& findings) {
  const std::string name = name_in(release, row.name);
  const auto found = measured.enumerators.find(name);
  if (found == measured.enumerators.end()) {
    report_missing(release, row.since, name, "missing", std::to_string(row.value), findings);
  } else if (found->second != row.value) {
    findings.push_back(
        finding_at(enumeration.renumbered, name, std::to_string(found->second), std::to_string(row.value)));
  } else if (row.since == unreleased) {
    findings.push_back(finding_at(RuleId::abi_private_enum_space, name,
                                  fmt::format("{}, as on upstream's unreleased main", row.value),
                                  "values of a release"));
  } else if (release < row.since) {
    findings.push_back(finding_at(RuleId::version_truthful_minor, name,
                                  "declared, although the header says that it is " + release_text(release),
                                  "since " + release_text(row.since)));
  }
}

// An enumerator that no release has and that is no earlier name of one. Where a value has two names, the other is
// judged.
void judge_private(const Enumeration& enumeration, const DeclaredEnumerator& declared, const Measured& measured,
                   abi::Version release, std::vector<HeaderFinding>& findings) {
  const auto found = measured.enumerators.find(declared.name);
  if (declared.type != enumeration.name || found == measured.enumerators.end()) return;
  const bool is_known = std::any_of(enumeration.rows.begin(), enumeration.rows.end(), [&](const Enumerator& row) {
    return declared.name == row.name || declared.name == name_in(release, row.name);
  });
  if (is_known) return;
  const Enumerator* const row = find_value(enumeration, found->second);
  // In a later release it may be a new name for a value of today, or a count of them.
  if (release > abi::newest_version) return;
  findings.push_back(finding_at(
      RuleId::abi_private_enum_space, declared.name,
      row ? fmt::format("{}, the value of {}", found->second, row->name) : fmt::format("{}, private", found->second),
      "names and values that upstream gives"));
}

}  // namespace

void judge_enumerators(const Declarations& declarations, const Measured& measured, abi::Version release,
                       std::vector<HeaderFinding>& findings) {
  for (const Enumeration& enumeration : enumerations()) {
    for (const Enumerator& row : enumeration.rows) judge_row(enumeration, row, measured, release, findings);
    for (const DeclaredEnumerator& one : declarations.enumerators)
      judge_private(enumeration, one, measured, release, findings);
  }
}

void judge_flags(const Measured& measured, abi::Version release, std::vector<HeaderFinding>& findings) {
  const auto judge = [&](const char* macro, RuleId rule) {
    const auto* const row = std::find_if(std::begin(flags::table), std::end(flags::table),
                                         [&](const flags::FlagRow& flag) { return std::string(flag.name) == macro; });
    const auto found = measured.macros.find(macro);
    if (found != measured.macros.end() && found->second != row->bit) {
      findings.push_back(finding_at(rule, macro, std::to_string(found->second), std::to_string(row->bit)));
    } else if (found == measured.macros.end()) {
      report_missing(release, row->since, macro, "not defined", std::to_string(row->bit), findings);
    }
  };
#define DLSPEC_HEADER_FLAG(macro, rule) judge(#macro, RuleId::rule);
#include <dlspec/conformance/header/layout.def>
}

}  // namespace dlspec::conformance
