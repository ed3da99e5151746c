#include <dlspec/conformance/report/console.h>

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include <dlspec/conformance/plan/plan.h>
#include <dlspec/conformance/report/folded.h>
#include <dlspec/conformance/report/rules_text.h>

namespace dlspec::conformance {
namespace {

constexpr std::size_t longest_shown = 600;  // bytes of one observed text; the document has more
constexpr std::size_t most_reasons = 20;    // lines of reasons under one heading

// Escape sequences, or nothing.
class Paint {
 public:
  explicit Paint(bool color) : color_(color) {}
  [[nodiscard]] std::string status(Verdict status, std::string_view text) const {
    switch (status) {
      case Verdict::fail:
      case Verdict::crash:
      case Verdict::timeout:
      case Verdict::xpass: return wrap("1;31", text);
      case Verdict::warn: return wrap("1;33", text);
      case Verdict::pass: return wrap("32", text);
      default: return std::string(text);
    }
  }
  [[nodiscard]] std::string strong(std::string_view text) const { return wrap("1", text); }
  [[nodiscard]] std::string faint(std::string_view text) const { return wrap("2", text); }

 private:
  [[nodiscard]] std::string wrap(const char* code, std::string_view text) const {
    return color_ ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
  }
  bool color_;
};

std::string upper(std::string text) {
  for (char& character : text) {
    if (character >= 'a' && character <= 'z') character = static_cast<char>(character - 'a' + 'A');
  }
  return text;
}

std::string header(const SubjectInfo& subject, const Paint& paint) {
  std::string text = paint.strong(shown_name(subject));
  if (!subject.name.empty() && subject.subject != subject.name)
    text += fmt::format(" ({})", clean_text(subject.subject));
  std::vector<std::string> facts;
  if (!subject.roles.empty()) facts.push_back(role_list(subject));
  if (!subject.loaded_from.empty()) facts.push_back("loaded from " + clean_text(subject.loaded_from));
  if (!subject.build.empty()) facts.push_back(clean_text(subject.build));
  if (!subject.interpreter.empty()) facts.push_back(clean_text(subject.interpreter));
  if (facts.empty()) facts.emplace_back("was not loaded");
  return fmt::format("{}\n  {}\n", text, paint.faint(fmt::format("{}", fmt::join(facts, ", "))));
}

// "  observed  text", continued under itself when the text has several lines.
std::string field(const char* name, std::string_view value, const Paint& paint) {
  if (value.empty()) return "";
  std::string shown;
  for (const char character : clean_text(value, longest_shown)) {
    shown += character;
    if (character == '\n') shown += "            ";
  }
  return fmt::format("  {}{}\n", paint.faint(fmt::format("{:<10}", name)), shown);
}

std::string further_cases(const std::vector<const Record*>& others, std::size_t listed) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < std::min(listed, others.size()); ++i) names.push_back(clean_text(others[i]->case_id));
  if (others.size() > listed && listed > 0) names.push_back(fmt::format("{} more", others.size() - listed));
  const char* cases = others.size() == 1 ? "case" : "cases";
  return fmt::format("{} more {}{}{}", others.size(), cases, names.empty() ? "" : ": ", fmt::join(names, ", "));
}

std::string block_text(const FoldedFinding& block, const SubjectInfo& subject, const ConsoleOptions& options,
                       const Paint& paint) {
  const Record& record = *block.first;
  const Rule& row = rule(record.rule);
  const std::optional<Order> order = order_of(record.case_id);
  std::string text = fmt::format("\n{}  {}  {}  {}\n", paint.status(record.status, upper(verdict_name(record.status))),
                                 paint.strong(row.id), level_text(row), row.title);
  text += fmt::format("  {}, {}\n", shown_name(subject), clean_text(record.case_id));
  if (order) text += field("tensor", order_text(*order), paint);
  text += field("observed", record.observed, paint);
  text += field("allowed", record.allowed, paint);
  text += field("source", row.source, paint);
  text += field("repeat", record.reproduce, paint);
  if (!block.others.empty()) text += field("and in", further_cases(block.others, options.cases_listed), paint);
  return text;
}

// One line per reason: how many cases, why.
std::string reasons(const char* heading, const Document& document, const SubjectInfo& subject, Verdict status) {
  const std::vector<FoldedReason> folded = fold_reasons(document, subject, status);
  if (folded.empty()) return "";
  std::string text = fmt::format("\n{}\n", heading);
  for (std::size_t i = 0; i < std::min(folded.size(), most_reasons); ++i) {
    const auto& [reason, count] = folded[i];
    std::string shown = clean_text(reason.empty() ? "no reason given" : reason, longest_shown);
    std::replace(shown.begin(), shown.end(), '\n', ' ');
    text += fmt::format("  {:>4} {}  {}\n", count, count == 1 ? "case " : "cases", shown);
  }
  if (folded.size() > most_reasons) text += fmt::format("  and {} more reasons\n", folded.size() - most_reasons);
  return text;
}

std::string counts(const Document& document, const SubjectInfo& subject, const Paint& paint) {
  const Summary summary = summarize(document.results, subject.subject);
  std::vector<std::string> parts;
  for (const Verdict status : all_verdicts) {
    const std::uint64_t count = summary[static_cast<std::size_t>(status)];
    if (count > 0) parts.push_back(paint.status(status, fmt::format("{} {}", count, verdict_name(status))));
  }
  if (parts.empty()) parts.emplace_back("nothing was judged");
  return fmt::format("{}: {}", paint.strong(shown_name(subject)), fmt::join(parts, ", "));
}

}  // namespace

std::string count_line(const Document& document, const SubjectInfo& subject) {
  return counts(document, subject, Paint(false));
}

std::string console_subject(const Document& document, const SubjectInfo& subject, const ConsoleOptions& options) {
  const Paint paint(options.color);
  std::string text = header(subject, paint);
  constexpr Verdict shown[] = {Verdict::crash, Verdict::timeout, Verdict::fail, Verdict::xpass, Verdict::warn};
  for (const FoldedFinding& block : fold_findings(document, subject, shown))
    text += block_text(block, subject, options, paint);
  text += reasons("Accepted by the baseline:", document, subject, Verdict::xfail);
  text += reasons("Not supported:", document, subject, Verdict::unsupported);
  text += reasons("Blocked:", document, subject, Verdict::blocked);
  text += reasons("Skipped:", document, subject, Verdict::skipped);
  return text + "\n" + counts(document, subject, paint) + "\n";
}

std::string console_report(const Document& document, const ConsoleOptions& options) {
  std::string text;
  for (const SubjectInfo& subject : document.subjects) {
    if (!text.empty()) text += "\n";
    text += console_subject(document, subject, options);
  }
  return text;
}

}  // namespace dlspec::conformance
