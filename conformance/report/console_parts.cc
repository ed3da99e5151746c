#include <dlspec/conformance/report/console_parts.h>

#include <algorithm>

#include <fmt/format.h>

#include <dlspec/conformance/core/text.h>
#include <dlspec/conformance/plan/plan.h>
#include <dlspec/conformance/report/rules_text.h>
#include <dlspec/conformance/report/wrap.h>

namespace dlspec::conformance {
namespace {

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

std::string further_cases(const std::vector<const Record*>& others) {
  std::string text = fmt::format("{} more {}:", others.size(), others.size() == 1 ? "case" : "cases");
  for (const Record* other : others) text += "\n            " + clean_text(other->case_id);
  return text;
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

std::string Paint::rule_link(RuleId id, std::string_view text) const {
  if (rule_pages_.empty()) return strong(text);
  constexpr const char* link = "\x1b]8;;";
  constexpr const char* end = "\x1b\\";
  return fmt::format("{0}{2}{3}.md{1}{4}{0}{1}", link, end, rule_pages_, rule(id).id, strong(text));
}

std::string upper(std::string text) {
  for (char& character : text) {
    if (character >= 'a' && character <= 'z') character = static_cast<char>(character - 'a' + 'A');
  }
  return text;
}

std::string on_one_line(std::string_view text) {
  std::string shown = clean_text(text, longest_shown);
  std::replace(shown.begin(), shown.end(), '\n', ' ');
  return shown;
}

std::string paragraph(std::string_view text, std::size_t width) {
  constexpr std::size_t indent = 2;
  constexpr char held = '\x01';  // clean_text leaves none
  // A number keeps its percent sign.
  std::string kept(text);
  for (std::size_t at = kept.find(" %"); at != std::string::npos; at = kept.find(" %", at)) kept[at] = held;
  std::string lines = wrapped(kept, indent, 0, width);
  std::replace(lines.begin(), lines.end(), held, ' ');
  return lines + "\n";
}

std::string painted_phrase(const std::string& text, std::string_view phrase,
                           const std::function<std::string(std::string_view part)>& paint) {
  constexpr std::string_view line_break = "\n  ";
  for (std::size_t start = 0; !phrase.empty() && start < text.size(); ++start) {
    std::size_t at = start, part = start;
    std::string painted = text.substr(0, start);
    for (const char character : phrase) {
      if (character == ' ' && std::string_view(text).substr(at).starts_with(line_break)) {
        painted += paint(std::string_view(text).substr(part, at - part)) + std::string(line_break);
        part = at += line_break.size();
      } else if (at < text.size() && text[at] == character) {
        ++at;
      } else {
        at = std::string::npos;
        break;
      }
    }
    if (at != std::string::npos)
      return painted + paint(std::string_view(text).substr(part, at - part)) + text.substr(at);
  }
  return text;
}

std::string finding_block(const FoldedFinding& block, const std::string& who, const Paint& paint) {
  const Record& record = *block.first;
  const Rule& row = rule(record.rule);
  const std::optional<Order> order = order_of(record.case_id);
  std::string text = fmt::format("\n{}  {}  {}  {}\n", paint.status(record.status, upper(verdict_name(record.status))),
                                 paint.rule_link(record.rule, row.id), level_text(row), row.title);
  text += fmt::format("  {}, {}\n", who, clean_text(record.case_id));
  if (order) text += field("tensor", order_text(*order), paint);
  text += field("observed", record.observed, paint);
  text += field("allowed", record.allowed, paint);
  text += field("milder", mildness(record), paint);
  text += field("source", row.source, paint);
  text += field("repeat", record.reproduce, paint);
  if (!block.others.empty()) text += fmt::format("  {}{}\n", paint.faint("and in    "), further_cases(block.others));
  return text;
}

}  // namespace dlspec::conformance
