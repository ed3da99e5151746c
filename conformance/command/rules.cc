// dlspec rules: lists the rules, or explains one.
#include <dlspec/conformance/report/rules_text.h>
#include <dlspec/conformance/verdict/status.h>

#include "near.h"
#include "program.h"
#include "terminal.h"

namespace dlspec::command {

int rules(const RulesOptions& options) {
  const bool color = use_color(options.color);
  std::string text;
  if (options.coverage) {
    text = conformance::rules_coverage();
  } else if (const Rule* one = find_rule(options.pattern)) {
    text = conformance::explain_rule(*one, color);
  } else {
    text = conformance::rules_list(options.pattern, color);
  }
  if (text.empty()) {
    complain("no rule matches '" + options.pattern + "'" + nearest_rule(options.pattern));
    return conformance::exit_usage;
  }
  return print(text) ? conformance::exit_good : conformance::exit_unjudged;
}

}  // namespace dlspec::command
