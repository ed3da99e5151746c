// dlspec rules: lists the rules, explains one, counts the checked ones, and lists the open questions of the standard.
#include <dlspec/conformance/judging/near.h>
#include <dlspec/conformance/report/questions_text.h>
#include <dlspec/conformance/report/rules_text.h>
#include <dlspec/conformance/selfcheck/zoo/exhibits.h>
#include <dlspec/conformance/verdict/status.h>

#include "program.h"
#include "terminal.h"

namespace dlspec::command {
namespace {

std::string text_of(const RulesOptions& options) {
  const bool color = use_color(options.color);
  if (options.coverage) return conformance::rules_coverage(conformance::shown_rules());
  if (options.questions) return conformance::questions_list(options.pattern, color);
  const Rule* const one = find_rule(options.pattern);
  return one != nullptr ? conformance::explain_rule(*one, conformance::evidence_of(*one), color)
                        : conformance::rules_list(options.pattern, color);
}

}  // namespace

int rules(const RulesOptions& options) {
  const std::string text = text_of(options);
  if (text.empty() && options.questions) {
    complain("no question is called '" + options.pattern +
             "' or bears on such a rule; `dlspec rules --questions` "
             "lists them all");
    return conformance::exit_usage;
  }
  if (text.empty())
    return fail_with(conformance::exit_usage,
                     "no rule matches '" + options.pattern + "'" + conformance::nearest_rule(options.pattern));
  return print(text) ? conformance::exit_good : conformance::exit_unjudged;
}

}  // namespace dlspec::command
