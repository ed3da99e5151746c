#include <dlspec/conformance/report/console.h>

#include <algorithm>
#include <vector>

#include <fmt/format.h>

#include <dlspec/conformance/core/text.h>
#include <dlspec/conformance/report/claims.h>
#include <dlspec/conformance/report/console_parts.h>
#include <dlspec/conformance/report/folded.h>
#include <dlspec/conformance/report/matrix.h>
#include <dlspec/conformance/report/wrap.h>

namespace dlspec::conformance {
namespace {

constexpr std::size_t most_information = 8;  // lines about what is only information

// The verdict with the figures of each role, then what was judged.
std::string header(const Document& document, const SubjectInfo& subject, const ConsoleOptions& options) {
  const Paint paint(options);
  const Claim claim = claim_of(document, subject);
  const Verdict worst = claim.failing > 0 ? Verdict::fail : claim.warnings > 0 ? Verdict::warn : Verdict::pass;
  const std::string name = shown_name(subject), verdict = verdict_text(claim), exercised = exercised_text(claim);
  std::string text = paragraph(name + " " + verdict + (exercised.empty() ? "" : "; " + exercised), options.width);
  // Few rules that were exercised are enough to break one.
  const Verdict shown = claim.failing > 0 || claim.is_judged() ? worst : Verdict::skipped;
  text = painted_phrase(text, verdict, [&](std::string_view part) { return paint.status(shown, part); });
  text = painted_phrase(text, name, [&](std::string_view part) { return paint.strong(part); });
  std::vector<std::string> facts;
  if (!subject.name.empty() && subject.subject != subject.name) facts.push_back(clean_text(subject.subject));
  if (!subject.roles.empty()) facts.push_back(role_list(subject));
  if (!subject.loaded_from.empty())
    facts.push_back("loaded from " +
                    (options.verbose ? clean_text(subject.loaded_from) : shown_path(subject.loaded_from)));
  if (!subject.build.empty()) facts.push_back(clean_text(subject.build));
  if (!subject.interpreter.empty()) facts.push_back(clean_text(subject.interpreter));
  if (subject.name.empty()) facts.emplace_back("was not loaded");
  if (!subject.table_calls.empty())
    facts.push_back(clean_text(fmt::format("calls of exchange tables {}", fmt::join(subject.table_calls, ", "))));
  constexpr std::size_t indent = 2;
  for (const std::string& line :
       lines_of(on_one_line(fmt::format("{}", fmt::join(facts, ", "))), options.width - indent))
    text += "  " + paint.faint(line) + "\n";
  return text;
}

std::size_t cases_in(const std::vector<FoldedReason>& reasons) {
  std::size_t cases = 0;
  for (const FoldedReason& reason : reasons) cases += reason.cases;
  return cases;
}

std::string reason_text(const FoldedReason& reason) {
  return reason.reason.empty() ? "no reason given" : on_one_line(reason.reason);
}

// "Not supported: 12 cases for 3 reasons, most often (9): no bfloat16", on one line; a single reason is told in full.
std::string reasons_line(const char* heading, const Document& document, const SubjectInfo& subject, Verdict status,
                         const ConsoleOptions& options) {
  const std::vector<FoldedReason> folded = fold_reasons(document, subject, status);
  if (folded.empty()) return "";
  const std::size_t cases = cases_in(folded);
  const std::string count = fmt::format("{}: {} {}", heading, cases, cases == 1 ? "case" : "cases");
  if (folded.size() == 1) return paragraph(count + ": " + reason_text(folded.front()), options.width);
  const auto most = std::max_element(folded.begin(), folded.end(),
                                     [](const FoldedReason& a, const FoldedReason& b) { return a.cases < b.cases; });
  const std::string text =
      fmt::format("{} for {} reasons, most often ({}): {}", count, folded.size(), most->cases, reason_text(*most));
  return cut(text, options.width) + "\n";
}

// One line per reason: how many cases, why.
std::string reasons_list(const char* heading, const Document& document, const SubjectInfo& subject, Verdict status) {
  std::string text;
  for (const FoldedReason& reason : fold_reasons(document, subject, status)) {
    if (text.empty()) text = fmt::format("\n{}:\n", heading);
    text += fmt::format("  {:>4} {}  {}\n", reason.cases, reason.cases == 1 ? "case " : "cases", reason_text(reason));
  }
  return text;
}

// What is only information, a line for each rule; verbose: for each observation.
std::string information(const Document& document, const SubjectInfo& subject, const ConsoleOptions& options) {
  constexpr Verdict info[] = {Verdict::info};
  const Paint paint(options);
  std::string text;
  std::size_t lines = 0, left = 0;
  const auto add = [&](RuleId id, std::size_t cases, const std::string& observed) {
    if (!options.verbose && lines == most_information) return void(++left);
    const std::string count = fmt::format("  {:>4} {}  ", cases, cases == 1 ? "case " : "cases");
    const std::size_t used = count.size() + std::string_view(rule(id).id).size() + 2;
    const std::size_t room = options.width > used ? options.width - used : 0;
    text += count + paint.rule_link(id, rule(id).id) + "  " + (options.verbose ? observed : cut(observed, room)) + "\n";
    ++lines;
  };
  if (options.verbose) {
    for (const FoldedFinding& each : fold_findings(document, subject, info))
      add(each.first->rule, 1 + each.others.size(), on_one_line(each.first->observed));
  } else {
    for (const FoldedRule& each : fold_rules(records_of(document, subject), info))
      add(each.rule, each.deviating.size(), on_one_line(each.deviating.front()->observed));
  }
  if (left > 0) text += fmt::format("  and {} more {}\n", left, left == 1 ? "rule" : "rules");
  return text.empty() ? "" : "\nInformation:\n" + text;
}

// What xfail means, and of which rules it is said.
std::string accepted(const Document& document, const SubjectInfo& subject, const ConsoleOptions& options) {
  constexpr Verdict expected[] = {Verdict::xfail};
  const std::vector<FoldedRule> rules = fold_rules(records_of(document, subject), expected);
  if (rules.empty()) return "";
  std::string names;
  std::size_t cases = 0;
  for (const FoldedRule& each : rules) {
    names += fmt::format("{}{} ({})", names.empty() ? "" : ", ", rule(each.rule).id, each.deviating.size());
    cases += each.deviating.size();
  }
  return paragraph(fmt::format("Accepted by the baseline (xfail): {} {} as it lists, which fails nothing: {}", cases,
                               cases == 1 ? "record deviates" : "records deviate", names),
                   options.width);
}

std::string not_judged(const Document& document, const SubjectInfo& subject, const ConsoleOptions& options) {
  struct Section {
    const char* heading;
    Verdict status;
  };
  constexpr Section sections[] = {
      {"Not supported", Verdict::unsupported}, {"Blocked", Verdict::blocked}, {"Skipped", Verdict::skipped}};
  std::string text = accepted(document, subject, options);
  for (const Section& each : sections) {
    if (!options.verbose) text += reasons_line(each.heading, document, subject, each.status, options);
  }
  if (!text.empty()) text = "\n" + text;
  if (!options.verbose) return text;
  text += reasons_list("Accepted by the baseline", document, subject, Verdict::xfail);
  for (const Section& each : sections) text += reasons_list(each.heading, document, subject, each.status);
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

std::size_t line_count(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

// A screen for one violated rule, two for more.
std::size_t lines_for(const std::vector<FoldedRule>& rules) { return (rules.size() > 1 ? 2 : 1) * screen_lines; }

std::string findings(const Document& document, const SubjectInfo& subject, const ConsoleOptions& options,
                     std::size_t other_lines) {
  const Records records = records_of(document, subject);
  if (options.verbose) {
    std::string text;
    for (const FoldedFinding& block : fold_findings(records, finding_statuses))
      text += finding_block(block, shown_name(subject), Paint(options));
    return text;
  }
  const std::vector<FoldedRule> rules = violated_rules(records);
  if (rules.empty()) return "";
  const std::size_t most = lines_for(rules);
  return rule_blocks(rules, options, most - std::min(most, other_lines));
}

// How to see what was left out.
std::string hint(const Document& document, const SubjectInfo& subject, const ConsoleOptions& options) {
  const Summary summary = summarize(document.results, subject.subject);
  std::uint64_t told = 0;
  for (const Verdict status : all_verdicts) {
    const bool is_quiet = status == Verdict::pass || status == Verdict::not_applicable;
    told += is_quiet ? 0 : summary[static_cast<std::size_t>(status)];
  }
  if (told == 0 || options.verbose) return "";
  constexpr const char* text = "-v prints every case and reason; dlspec rules ID explains a rule.";
  return Paint(options).faint(cut(text, options.width)) + "\n";
}

}  // namespace

std::string count_line(const Document& document, const SubjectInfo& subject) {
  return counts(document, subject, Paint({}));
}

std::string console_subject(const Document& document, const SubjectInfo& subject, const ConsoleOptions& options) {
  const std::string first = header(document, subject, options);
  std::string rest = information(document, subject, options) + not_judged(document, subject, options) + "\n";
  rest += hint(document, subject, options);
  // Colours are no columns: the plain line says how often it has to be broken.
  const std::string plain = count_line(document, subject);
  rest += columns(plain) <= options.width ? counts(document, subject, Paint(options)) + "\n"
                                          : paragraph(plain, options.width);
  return first + findings(document, subject, options, line_count(first) + line_count(rest)) + rest;
}

std::string console_report(const Document& document, const ConsoleOptions& options) {
  std::string text;
  for (const SubjectInfo& subject : document.subjects) {
    if (has_exchanges_only(document, subject)) continue;
    if (!text.empty()) text += '\n';
    text += console_subject(document, subject, options);
  }
  const std::string exchanges = console_matrix(document, options);
  return text + (text.empty() || exchanges.empty() ? "" : "\n") + exchanges;
}

}  // namespace dlspec::conformance
