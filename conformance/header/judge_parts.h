// The parts of judge_header(). Internal to header/.
#pragma once

#include <string>
#include <vector>

#include <dlspec/conformance/header/judge.h>

namespace dlspec::conformance {

[[nodiscard]] HeaderFinding finding_at(RuleId rule, std::string where, std::string observed, std::string allowed);

// Reports what the header has not, `observed`, if the release that it says to be has it: since when, and what.
void report_missing(abi::Version release, abi::Version since, const std::string& where, const std::string& observed,
                    const std::string& allowed, std::vector<HeaderFinding>& findings);

// "1.2"
[[nodiscard]] std::string release_text(abi::Version release);

// How a release spells a name of today: "DLContext" for "DLDevice" up to 0.3; the name itself where it is the same.
[[nodiscard]] std::string name_in(abi::Version release, const std::string& name);

void judge_version_macros(const Measured& measured, std::vector<HeaderFinding>& findings);
void judge_structs(const Measured& measured, abi::Version release, std::vector<HeaderFinding>& findings);
void judge_enumerators(const Declarations& declarations, const Measured& measured, abi::Version release,
                       std::vector<HeaderFinding>& findings);
void judge_flags(const Measured& measured, abi::Version release, std::vector<HeaderFinding>& findings);

}  // namespace dlspec::conformance
