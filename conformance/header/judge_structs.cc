// Sizes, alignments and offsets, compared with the structs of abi.h.
#include <cstddef>

#include <fmt/format.h>

#include <dlspec/conformance/header/judge_parts.h>

namespace dlspec::conformance {
namespace {

struct StructRow {
  const char* name;
  std::uint64_t size;
  std::uint64_t alignment;
  abi::Version since;
  RuleId rule;
};
constexpr StructRow struct_rows[] = {
#define DLSPEC_HEADER_STRUCT(name, ours, major, minor, rule) \
  {#name, sizeof(ours), alignof(ours), {major, minor}, RuleId::rule},
#include <dlspec/conformance/header/layout.def>
};

struct MemberRow {
  const char* of;
  const char* name;
  Place place;
  RuleId rule;
};
constexpr MemberRow member_rows[] = {
#define DLSPEC_HEADER_MEMBER(of, member, ours, rule) \
  {#of, #member, {offsetof(ours, member), sizeof(decltype(ours::member))}, RuleId::rule},
#include <dlspec/conformance/header/layout.def>
};

// The member's name alone, from "DLTensor.ctx".
std::string last_name(const std::string& name) { return name.substr(name.find('.') + 1); }

void judge_members(const StructRow& row, const MeasuredStruct& measured, abi::Version release,
                   std::vector<HeaderFinding>& findings) {
  for (const MemberRow& member : member_rows) {
    if (std::string(member.of) != row.name) continue;
    const std::string name = last_name(name_in(release, fmt::format("{}.{}", row.name, member.name)));
    const std::string where = fmt::format("{}.{}", name_in(release, row.name), name);
    const auto found = measured.members.find(name);
    const Place& ours = member.place;
    const std::string allowed = fmt::format("{} bytes at offset {}", ours.size, ours.offset);
    if (found == measured.members.end()) {
      findings.push_back(finding_at(member.rule, where, "no such member", allowed));
    } else if (found->second.offset != ours.offset || found->second.size != ours.size) {
      const Place& theirs = found->second;
      findings.push_back(
          finding_at(member.rule, where, fmt::format("{} bytes at offset {}", theirs.size, theirs.offset), allowed));
    }
  }
}

void judge_struct(const StructRow& row, const Measured& measured, abi::Version release,
                  std::vector<HeaderFinding>& findings) {
  const std::string name = name_in(release, row.name);
  const auto found = measured.structs.find(name);
  if (found == measured.structs.end()) {
    report_missing(release, row.since, name, "not declared", "declared", findings);
    return;
  }
  const std::size_t before = findings.size();
  judge_members(row, found->second, release, findings);
  const MeasuredStruct& theirs = found->second;
  if (findings.size() != before || (theirs.size == row.size && theirs.alignment == row.alignment)) return;
  findings.push_back(finding_at(row.rule, name, fmt::format("{} bytes, alignment {}", theirs.size, theirs.alignment),
                                fmt::format("{} bytes, alignment {}", row.size, row.alignment)));
}

}  // namespace

void judge_structs(const Measured& measured, abi::Version release, std::vector<HeaderFinding>& findings) {
  for (const StructRow& row : struct_rows) judge_struct(row, measured, release, findings);
  for (const auto& [member, elements] : measured.elements) {
    if (elements.size == sizeof(std::int64_t) && elements.is_signed) continue;
    const char* const sign = elements.is_signed ? "signed" : "unsigned";
    findings.push_back(finding_at(RuleId::abi_shape_int64, "DLTensor." + member,
                                  fmt::format("{} integers of {} bytes", sign, elements.size),
                                  "signed integers of 8 bytes (int64_t)"));
  }
}

}  // namespace dlspec::conformance
