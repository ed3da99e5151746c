#include <dlspec/conformance/report/console_parts.h>

#include <algorithm>

#include <fmt/format.h>

#include <dlspec/conformance/core/text.h>
#include <dlspec/conformance/plan/plan.h>
#include <dlspec/conformance/report/rules_text.h>

namespace dlspec::conformance {
namespace {

std::string upper(std::string text) {
  for (char& character : text) {
    if (character >= 'a' && character <= 'z') character = static_cast<char>(character - 'a' + 'A');
  }
  return text;
}

// "  observed  text"; further lines of the text are indented to its first.
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

}  // namespace

std::string Paint::status(Verdict status, std::string_view text) const {
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

std::string Paint::wrap(const char* code, std::string_view text) const {
  return color_ ? fmt::format("\x1b[{}m{}\x1b[0m", code, text) : std::string(text);
}

std::string finding_block(const FoldedFinding& block, const std::string& who, const ConsoleOptions& options,
                          const Paint& paint) {
  const Record& record = *block.first;
  const Rule& row = rule(record.rule);
  const std::optional<Order> order = order_of(record.case_id);
  std::string text = fmt::format("\n{}  {}  {}  {}\n", paint.status(record.status, upper(verdict_name(record.status))),
                                 paint.strong(row.id), level_text(row), row.title);
  text += fmt::format("  {}, {}\n", who, clean_text(record.case_id));
  if (order) text += field("tensor", order_text(*order), paint);
  text += field("observed", record.observed, paint);
  text += field("allowed", record.allowed, paint);
  text += field("milder", mildness(record), paint);
  text += field("source", row.source, paint);
  text += field("repeat", record.reproduce, paint);
  if (!block.others.empty()) text += field("and in", further_cases(block.others, options.cases_listed), paint);
  return text;
}

}  // namespace dlspec::conformance
