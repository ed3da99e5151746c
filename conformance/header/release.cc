// Which release a header says it is, and how its version macros say so.
#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include <dlspec/conformance/header/judge_parts.h>

namespace dlspec::conformance {
namespace {

struct VersionMacro {
  std::uint64_t value;
  abi::Version release;
};
constexpr VersionMacro version_macros[] = {
#define DLSPEC_HEADER_VERSION_MACRO(value, major, minor) {value, {major, minor}},
#include <dlspec/conformance/header/layout.def>
};

const std::uint64_t* find_macro(const Measured& measured, const char* name) {
  const auto found = measured.macros.find(name);
  return found == measured.macros.end() ? nullptr : &found->second;
}

const VersionMacro* find_release(std::uint64_t value) {
  const auto* const row = std::find_if(std::begin(version_macros), std::end(version_macros),
                                       [&](const VersionMacro& macro) { return macro.value == value; });
  return row == std::end(version_macros) ? nullptr : row;
}

abi::Version release_by_structs(const Measured& measured) {
  if (measured.structs.contains("DLPackExchangeAPI")) return {1, 2};
  return measured.structs.contains("DLManagedTensorVersioned") ? abi::Version{1, 0} : abi::Version{0, 2};
}

HeaderFinding macro_finding(const char* where, std::string observed, std::string allowed) {
  return finding_at(RuleId::version_compile_time_macros, where, std::move(observed), std::move(allowed));
}

void judge_old_macro(std::uint64_t value, const Measured& measured, std::vector<HeaderFinding>& findings) {
  const VersionMacro* const row = find_release(value);
  if (!row)
    findings.push_back(macro_finding("DLPACK_VERSION", fmt::format("{}, which no release said", value),
                                     "010, 030, 040 or 050 (octal: 8, 24, 32, 40), 60, 70 or 80"));
  const std::uint64_t* const abi_version = find_macro(measured, "DLPACK_ABI_VERSION");
  if (row && row->release >= abi::Version{0, 7} && (!abi_version || *abi_version != 1))
    findings.push_back(macro_finding("DLPACK_ABI_VERSION", abi_version ? std::to_string(*abi_version) : "not defined",
                                     "1 in releases 0.7 and 0.8"));
}

}  // namespace

abi::Version header_release(const Measured& measured) {
  const std::uint64_t* const major = find_macro(measured, "DLPACK_MAJOR_VERSION");
  const std::uint64_t* const minor = find_macro(measured, "DLPACK_MINOR_VERSION");
  if (major && minor) return {static_cast<std::uint32_t>(*major), static_cast<std::uint32_t>(*minor)};
  const std::uint64_t* const old = find_macro(measured, "DLPACK_VERSION");
  const VersionMacro* const row = old ? find_release(*old) : nullptr;
  return row ? row->release : release_by_structs(measured);
}

void judge_version_macros(const Measured& measured, std::vector<HeaderFinding>& findings) {
  const std::uint64_t* const major = find_macro(measured, "DLPACK_MAJOR_VERSION");
  const std::uint64_t* const minor = find_macro(measured, "DLPACK_MINOR_VERSION");
  const std::uint64_t* const old = find_macro(measured, "DLPACK_VERSION");
  if (!major && !minor && !old) {
    findings.push_back(macro_finding("DLPACK_MAJOR_VERSION", "no macro says the version",
                                     "DLPACK_MAJOR_VERSION and DLPACK_MINOR_VERSION, or DLPACK_VERSION before 1.0"));
  } else if (!major != !minor) {
    findings.push_back(
        macro_finding(major ? "DLPACK_MINOR_VERSION" : "DLPACK_MAJOR_VERSION", "not defined", "both or none of them"));
  } else if (major && old) {
    findings.push_back(macro_finding("DLPACK_VERSION", "defined beside DLPACK_MAJOR_VERSION", "not defined since 1.0"));
  } else if (old) {
    judge_old_macro(*old, measured, findings);
  }
  if (major && *major != abi::newest_version.major)
    findings.push_back(finding_at(RuleId::version_major_published, "DLPACK_MAJOR_VERSION", std::to_string(*major),
                                  std::to_string(abi::newest_version.major)));
}

}  // namespace dlspec::conformance
