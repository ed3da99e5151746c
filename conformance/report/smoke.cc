#include <dlspec/conformance/report/smoke.h>

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include <dlspec/conformance/report/folded.h>

namespace dlspec::conformance {

namespace {

// The result of a case: the worst of its records.
enum class CaseResult : std::uint8_t { unsupported, fine, unjudged, warned, violated };
constexpr std::array<const char*, 5> words{"not supported", "fine", "not judged", "with warnings", "with failures"};
using CaseCounts = std::array<std::size_t, words.size()>;

CaseResult case_result(Verdict status) {
  switch (status) {
    case Verdict::crash:
    case Verdict::timeout:
    case Verdict::fail:
    case Verdict::xpass: return CaseResult::violated;
    case Verdict::warn: return CaseResult::warned;
    case Verdict::blocked:
    case Verdict::skipped: return CaseResult::unjudged;
    case Verdict::unsupported: return CaseResult::unsupported;
    default: return CaseResult::fine;
  }
}

CaseCounts count_cases(const Document& document, const SubjectInfo& subject, Role role) {
  std::map<std::string_view, CaseResult> cases;
  for (const Record& record : document.results) {
    if (record.subject != subject.subject || record.role != role) continue;
    CaseResult& result = cases.try_emplace(record.case_id, CaseResult::unsupported).first->second;
    result = std::max(result, case_result(record.status));
  }
  CaseCounts counts{};
  for (const auto& [id, result] : cases) ++counts[static_cast<std::size_t>(result)];
  return counts;
}

std::string line_of(const char* what, const CaseCounts& counts) {
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (counts[i] > 0) parts.push_back(fmt::format("{} {}", counts[i], words[i]));
  }
  return parts.empty() ? "" : fmt::format("  {:<12}{}\n", what, fmt::join(parts, ", "));
}

bool has(std::span<const std::string> provides, std::string_view name) {
  return std::find(provides.begin(), provides.end(), name) != provides.end();
}

std::string functions_line(std::span<const std::string> provides) {
  std::vector<std::string> missing;
  for (const char* name : {"make", "from_dlpack", "contents", "write"}) {
    if (!has(provides, name)) missing.emplace_back(name);
  }
  std::string text = fmt::format("  {:<12}{}", "adapter", fmt::join(provides, ", "));
  if (!missing.empty()) text += fmt::format("; without {}", fmt::join(missing, ", "));
  return text + "\n";
}

std::string side_at_fault(const CaseCounts& all, bool python, std::span<const std::string> provides,
                          std::span<const std::string> faults) {
  if (!faults.empty()) return "What is to be corrected first is named below; nothing else counts before.";
  const std::size_t violated = all[static_cast<std::size_t>(CaseResult::violated)];
  if (violated == 0 &&
      all[static_cast<std::size_t>(CaseResult::fine)] + all[static_cast<std::size_t>(CaseResult::warned)] == 0) {
    return "No exchange took place: nothing can be said of the adapter or of the library.";
  }
  if (violated == 0) return "Adapter and library agree.";
  if (python && !(has(provides, "make") && has(provides, "contents"))) {
    return "The library or the adapter is at fault: without make() and contents() nothing shows which.";
  }
  if (!python) return "The library is at fault, or the plug-in in front of it.";
  return "The library is at fault: contents() gave for each array of make() just what was ordered.";
}

}  // namespace

std::string smoke_text(const Document& document, const SubjectInfo& subject, std::span<const std::string> provides,
                       std::span<const std::string> faults) {
  const CaseCounts exports = count_cases(document, subject, Role::producer);
  const CaseCounts imports = count_cases(document, subject, Role::consumer);
  const CaseCounts copies = count_cases(document, subject, Role::bridge);
  CaseCounts all{};
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = exports[i] + imports[i] + copies[i];
  const bool python = subject.kind == SubjectKind::python;
  std::string text = fmt::format("Smoke test of {}:\n", shown_name(subject));
  if (python && !provides.empty()) text += functions_line(provides);
  text += line_of("exports", exports) + line_of("imports", imports) + line_of("copies", copies);
  return text + "  " + side_at_fault(all, python, provides, faults) + "\n";
}

}  // namespace dlspec::conformance
