// Shared by the parts of the terminal report. Internal to report/.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include <dlspec/conformance/report/console.h>
#include <dlspec/conformance/report/folded.h>

namespace dlspec::conformance {

inline constexpr std::size_t longest_shown = 600;  // bytes of an observed text; the document has the rest

// ANSI colours and hyperlinks (OSC 8), or plain text.
class Paint {
 public:
  explicit Paint(const ConsoleOptions& options) : color_(options.color), rule_pages_(options.rule_pages) {}
  [[nodiscard]] std::string status(Verdict status, std::string_view text) const;
  [[nodiscard]] std::string strong(std::string_view text) const { return wrap("1", text); }
  [[nodiscard]] std::string faint(std::string_view text) const { return wrap("2", text); }
  // `text`, which stands for the rule: strong, and a link to the rule's page.
  [[nodiscard]] std::string rule_link(RuleId id, std::string_view text) const;

 private:
  [[nodiscard]] std::string wrap(const char* code, std::string_view text) const;
  bool color_;
  std::string rule_pages_;
};

[[nodiscard]] std::string upper(std::string text);

// The text on one line, sanitised, at most `longest_shown` bytes of it.
[[nodiscard]] std::string on_one_line(std::string_view text);

// The text as a paragraph of at most `width` columns, with line breaks. Further lines are indented.
[[nodiscard]] std::string paragraph(std::string_view text, std::size_t width);

// The first occurrence of the phrase in such a paragraph, painted by `paint`, also where a line is broken inside it.
[[nodiscard]] std::string painted_phrase(const std::string& text, std::string_view phrase,
                                         const std::function<std::string(std::string_view part)>& paint);

// A finding in full, in the fixed order: rule, who, tensor, observed, allowed, source, command, all further cases.
[[nodiscard]] std::string finding_block(const FoldedFinding& block, const std::string& who, const Paint& paint);

// The violated rules, worst first, in at most `lines` lines, a line at least for each: as much of each as fits, the
// worst first. `lines` is about the whole text with its empty lines.
[[nodiscard]] std::string rule_blocks(const std::vector<FoldedRule>& rules, const ConsoleOptions& options,
                                      std::size_t lines);

}  // namespace dlspec::conformance
