// Options of dlspec inspect, dlspec rules and dlspec selftest.
#include "subcommands.h"

namespace dlspec::command {

void add_inspect(CLI::App& app, InspectOptions& options) {
  CLI::App& inspect = add_command(app, "inspect");
  inspect.add_option("EXPR", options.expression, "A Python expression")->required()->type_name("");
  inspect.add_option("--setup", options.setup, "Python statements that run before")->type_name("CODE");
  inspect.add_option("--path", options.paths, "Put in front of the module search path")
      ->type_name("DIR")
      ->expected(1)
      ->take_all();
  add_python(inspect, options.python);
  inspect.add_option("--with", options.libraries, "In an environment with NAME==VERSION or NAME@latest")
      ->type_name("SUBJECT")
      ->expected(1)
      ->take_all();
  inspect.add_flag("--offline", options.offline, "Only environments that are in the cache");
  inspect.add_flag("--yes", options.yes, "No question before a large download");
  inspect.add_option("--svg", options.svg, "The picture of the tensor's memory, as a file")
      ->check(not_empty("file"))
      ->type_name("FILE");
  inspect.add_option("--timeout", options.timeout, "Seconds for all of it (120)")
      ->check(number_between(least_timeout, 1e6))
      ->type_name("S");
  add_color(inspect, options.color);
}

void add_rules(CLI::App& app, RulesOptions& options) {
  CLI::App& rules = add_command(app, "rules");
  rules.add_option("PATTERN", options.pattern, "An id, or a pattern of ids")->type_name("");
  CLI::Option* const coverage =
      rules.add_flag("--coverage", options.coverage, "How many rules are checked, and why the others are not");
  rules.add_flag("--questions", options.questions, "What the standard leaves open, on all or on the rules that match")
      ->excludes(coverage);
  add_color(rules, options.color);
}

void add_selftest(CLI::App& app, SelftestOptions& options) {
  CLI::App& selftest = add_command(app, "selftest");
  add_globs(selftest, "--rules", options.rules,
            "Only subjects of rules that match; '!GLOB' leaves out; may be repeated");
  add_python(selftest, options.python);
  add_jobs(selftest, options.jobs);
  selftest.add_flag("--thorough", options.thorough, "Every subject meets all circumstances of the sample, not a fifth");
  selftest.add_flag("--quiet", options.quiet, "Print failures only");
}

}  // namespace dlspec::command
