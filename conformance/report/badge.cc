#include <fmt/format.h>

#include <dlspec/conformance/report/claims.h>
#include <dlspec/conformance/report/formats.h>
#include <dlspec/conformance/report/matrix.h>

namespace dlspec::conformance {
namespace {

struct Message {
  std::string text;
  const char* color;
};

// A badge claims that a subject conforms only where the run may say so of every subject.
Message message_of(const Document& document) {
  const Summary summary = summarize(document.results);
  const auto count = [&](Verdict status) { return summary[static_cast<std::size_t>(status)]; };
  const std::uint64_t failed =
      count(Verdict::fail) + count(Verdict::crash) + count(Verdict::timeout) + count(Verdict::xpass);
  if (failed > 0) return {fmt::format("{} failed", failed), "#b3261e"};
  std::size_t subjects = 0;
  std::size_t judged = 0;
  std::size_t warnings = 0;
  for (const SubjectInfo& subject : document.subjects) {
    if (has_exchanges_only(document, subject)) continue;
    const Claim claim = claim_of(document, subject);
    ++subjects;
    judged += claim.is_judged() ? 1 : 0;
    warnings += claim.warnings;
  }
  if (subjects == 0 && count(Verdict::pass) > 0) return {"exchanges pass", "#1e7b34"};
  if (judged == 0 || judged < subjects) return {"not judged", "#5f6368"};
  const std::string tried = fmt::format("conforms, {} rules tried", rule_figures(document).exercised_ids.size());
  if (warnings > 0) return {fmt::format("{}, {} {}", tried, warnings, warnings == 1 ? "warns" : "warn"), "#8a6100"};
  return {tried, "#1e7b34"};
}

// What was judged, subject by subject, for who points at the badge.
std::string details_of(const Document& document) {
  std::string text;
  for (const SubjectInfo& subject : document.subjects) {
    if (has_exchanges_only(document, subject)) continue;
    const Claim claim = claim_of(document, subject);
    text += fmt::format("; {} {} ({})", shown_name(subject), verdict_text(claim), exercised_text(claim));
  }
  return text;
}

// Estimated width of the text at this font size: 6.5 px per character, 10 px padding; textLength stretches it to fit.
std::size_t width_of(const std::string& text) { return text.size() * 13 / 2 + 10; }

}  // namespace

std::string badge(const Document& document) {
  const std::string label = "DLPack";
  const std::string told = details_of(document);
  const Message message = message_of(document);
  const std::size_t left = width_of(label);
  const std::size_t right = width_of(message.text);
  return fmt::format(
      R"svg(<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="20" role="img" aria-label="{1}: {2}">
<title>{1}: {2}{9}</title>
<clipPath id="round"><rect width="{0}" height="20" rx="3"/></clipPath>
<g clip-path="url(#round)"><rect width="{3}" height="20" fill="#444"/>)svg"
      R"svg(<rect x="{3}" width="{4}" height="20" fill="{5}"/></g>
<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">
<text x="5" y="14" textLength="{6}">{1}</text><text x="{7}" y="14" textLength="{8}">{2}</text>
</g>
</svg>
)svg",
      left + right, label, escape_markup(message.text), left, right, message.color, left - 10, left + 5, right - 10,
      escape_markup(told));
}

}  // namespace dlspec::conformance
