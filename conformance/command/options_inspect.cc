// Options of dlspec inspect, dlspec rules and dlspec selftest.
#include "subcommands.h"

namespace dlspec::command {

namespace {

constexpr const char* inspect_about =
    "Evaluates a Python expression and shows what the object exports. The leading module is imported\n"
    "by itself. A picture shows which element lies where in memory. Exit status 1 if a rule fails, 3 if the\n"
    "expression raises or exports nothing.";
constexpr const char* inspect_examples =
    "Examples:\n"
    "  dlspec inspect 'numpy.arange(12).reshape(3,4)[::2, ::-1]'\n"
    "  dlspec inspect 'numpy.arange(6)' --with numpy@latest\n"
    "  dlspec inspect 'numpy.eye(3).T' --svg memory.svg\n"
    "  dlspec inspect 'make()' --setup 'from mylib import make' --path src";
constexpr const char* rules_about =
    "Lists the rules, or explains one. A pattern is an id with * and ?; one whole id is explained.";
constexpr const char* rules_examples =
    "Examples:\n  dlspec rules\n  dlspec rules 'managed.*'\n  dlspec rules tensor.strides-not-null\n"
    "  dlspec rules --questions null-strides";
constexpr const char* selftest_about =
    "Shows that dlspec's checks work: every faulty subject of its zoo must break exactly the rule that it was made\n"
    "to break, and its clean twin none. Exit status 1 if that is not so.";
constexpr const char* selftest_examples =
    "Examples:\n  dlspec selftest\n  dlspec selftest --rules 'capsule.*' --python python3.9";

}  // namespace

void add_inspect(CLI::App& app, InspectOptions& options) {
  CLI::App& inspect = *app.add_subcommand("inspect", inspect_about);
  inspect.footer(inspect_examples);
  inspect.add_option("EXPR", options.expression, "A Python expression")->required()->type_name("");
  inspect.add_option("--setup", options.setup, "Python statements that run before")->type_name("CODE");
  inspect.add_option("--path", options.paths, "Put in front of the module search path")
      ->type_name("DIR")
      ->expected(1)
      ->take_all();
  inspect.add_option("--python", options.python, "The interpreter (of the active environment)")->type_name("PATH");
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
  CLI::App& rules = *app.add_subcommand("rules", rules_about);
  rules.footer(rules_examples);
  rules.add_option("PATTERN", options.pattern, "An id, or a pattern of ids")->type_name("");
  CLI::Option* const coverage =
      rules.add_flag("--coverage", options.coverage, "How many rules are checked, and why the others are not");
  rules.add_flag("--questions", options.questions, "What the standard leaves open, on all or on the rules that match")
      ->excludes(coverage);
  add_color(rules, options.color);
}

void add_selftest(CLI::App& app, SelftestOptions& options) {
  CLI::App& selftest = *app.add_subcommand("selftest", selftest_about);
  selftest.footer(selftest_examples);
  add_rule_globs(selftest, options.rules, "Only subjects of rules that match; '!GLOB' leaves out; may be repeated");
  selftest.add_option("--python", options.python, "The interpreter (of the active environment)")->type_name("PATH");
  add_jobs(selftest, options.jobs);
  selftest.add_flag("--quiet", options.quiet, "Print failures only");
}

}  // namespace dlspec::command
