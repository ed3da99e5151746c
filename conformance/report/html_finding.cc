// A finding of the HTML page: everything that its records say, folded by rule.
#include <algorithm>
#include <map>
#include <vector>

#include <fmt/format.h>

#include <dlspec/conformance/plan/plan.h>
#include <dlspec/conformance/report/conditions.h>
#include <dlspec/conformance/report/formats.h>
#include <dlspec/conformance/report/html_parts.h>
#include <dlspec/conformance/report/links.h>
#include <dlspec/conformance/report/picture.h>
#include <dlspec/conformance/report/rules_text.h>
#include <dlspec/reference/descriptor/extent.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::conformance {
namespace {

std::string field(const char* name, const std::string& markup) {
  return markup.empty() ? "" : fmt::format("<dt>{}</dt><dd>{}</dd>\n", name, markup);
}

std::string cases_text(std::size_t count) { return fmt::format("{} {}", count, count == 1 ? "case" : "cases"); }

// Records with one status, observation and expectation.
std::vector<FoldedFinding> observations(const FoldedRule& folded) {
  std::vector<FoldedFinding> found = fold_findings(folded.deviating, remarkable_statuses);
  std::stable_sort(found.begin(), found.end(), [](const FoldedFinding& a, const FoldedFinding& b) {
    return a.first->status == b.first->status && a.others.size() > b.others.size();
  });
  return found;
}

std::string case_list(const FoldedFinding& finding) {
  if (finding.others.empty()) return "";
  std::string text =
      fmt::format("<details class=\"cases\"><summary>and {} more</summary>\n", cases_text(finding.others.size()));
  for (const Record* other : finding.others) text += html_code(other->case_id) + "<br>\n";
  return text + "</details>\n";
}

std::string observation(const FoldedFinding& finding, Verdict worst) {
  const Record& record = *finding.first;
  const std::optional<Order> order = order_of(record.case_id);
  std::string text = "<div class=\"observation\"><dl>\n";
  if (record.status != worst)
    text += field("status", fmt::format("<span class=\"status {0}\">{0}</span>", verdict_name(record.status)));
  text += field("observed", escape_markup(record.observed)) + field("allowed", escape_markup(record.allowed));
  text += field("milder", escape_markup(mildness(record)));
  text += field("tensor", order ? html_code(order_text(*order)) : "");
  text += field("case", html_code(record.case_id));
  text += field("repeat", record.reproduce.empty() ? "" : html_code(shown_command(record)));
  return text + "</dl>" + case_list(finding) + "</div>\n";
}

// The memory of the array that the case is about, where the rule is about memory.
std::string memory(const FoldedRule& folded, std::size_t number) {
  const std::string_view id = rule(folded.rule).id;
  const std::optional<Order> order = order_of(folded.deviating.front()->case_id);
  const auto dtype = order ? parse_dtype(order->dtype) : std::nullopt;
  if (!id.starts_with("tensor.") || !dtype) return "";
  Drawn drawn;
  drawn.storage_bits = reference::storage_bits(*dtype, false);
  if (drawn.storage_bits % 8 != 0) return "";
  drawn.layout = {*dtype, order->shape, order->strides,
                  static_cast<std::uint64_t>(order->offset) * (drawn.storage_bits / 8)};
  constexpr std::size_t narrow = 44;  // columns, so that a phone shows it in full
  const Picture picture = picture_of(drawn, narrow);
  return "<details class=\"memory\"><summary>the memory of this tensor</summary>\n" +
         picture_svg(picture, fmt::format("memory-{}", number)) + "</details>\n";
}

bool is_failing(Verdict status) {
  return std::find(std::begin(failing_statuses), std::end(failing_statuses), status) != std::end(failing_statuses);
}

}  // namespace

std::string html_code(std::string_view text) { return "<code>" + escape_markup(text) + "</code>"; }

std::string html_rule(RuleId id) {
  return fmt::format("<a href=\"{0}{1}.md\"><code>{1}</code></a>", rule_pages, rule(id).id);
}

std::string html_finding(const FoldedRule& folded, std::size_t number, bool is_open) {
  const Rule& row = rule(folded.rule);
  const char* status = verdict_name(folded.worst);
  const char* kind = is_failing(folded.worst) ? "failing" : status;
  std::string text = fmt::format(
      "<details class=\"finding {0}\"{1}><summary><span class=\"status {2}\">{2}</span> <code>{3}</code> "
      "<span>{4}</span> <span class=\"faint\">{5}</span></summary>\n<dl>\n",
      kind, is_open ? " open" : "", status, row.id, escape_markup(row.title), cases_text(folded.deviating.size()));
  text += field("rule", html_rule(folded.rule) + ", " + escape_markup(level_text(row)));
  text += field("requirement", escape_markup(row.requirement)) + field("source", html_source(row.source));
  text += field("when", escape_markup(shared_conditions(folded.deviating, folded.judged))) + "</dl>\n";
  const std::vector<FoldedFinding> seen = observations(folded);
  text += observation(seen.front(), folded.worst) + memory(folded, number);
  if (seen.size() == 1) return text + "</details>\n";
  text += fmt::format("<details class=\"others\"><summary>{} other {}</summary>\n", seen.size() - 1,
                      seen.size() == 2 ? "observation" : "observations");
  for (std::size_t i = 1; i < seen.size(); ++i) text += observation(seen[i], folded.worst);
  return text + "</details></details>\n";
}

}  // namespace dlspec::conformance
