#include "options.h"

#include <algorithm>
#include <charconv>
#include <map>

#include <CLI/CLI.hpp>

#include <dlspec/conformance/core/shell.h>
#include <dlspec/conformance/report/formats.h>
#include <dlspec/conformance/subject/subject.h>
#include <dlspec/conformance/verdict/status.h>

namespace dlspec::command {

namespace {

using conformance::Role;

constexpr const char* about =
    "dlspec judges how libraries export and import DLPack tensors, rule by rule.\n\n"
    "  dlspec run                          dlspec itself, and every library that it knows and Python imports\n"
    "  dlspec run numpy                    the NumPy of python3 (or of --python)\n"
    "  dlspec run numpy==1.26.4            a release, fetched into dlspec's own cache\n"
    "  dlspec run ./adapter.py ./lib.so    your own library, by a Python adapter or a C plug-in\n"
    "  dlspec inspect 'numpy.arange(6)'    one exported object, field by field\n"
    "  dlspec matrix numpy torch           arrays of each, imported by each\n"
    "  dlspec rules 'tensor.*'             the rules, each with its source\n"
    "  dlspec baseline update FILE ...     the file of what is known and accepted\n";
constexpr const char* statuses =
    "Exit status: 0 nothing failed, 1 a rule is broken, 2 wrong usage, 3 something could not be judged,\n"
    "4 the baseline does not fit.\n"
    "Environment: DLSPEC_CACHE (where environments are kept), NO_COLOR.";
constexpr const char* run_about =
    "Judges producers and consumers by rule.\n\n"
    "SUBJECT: builtin, NAME, NAME==VERSION, NAME@latest, path/to/adapter.py or path/to/plugin.so.\n"
    "Without one: builtin and every shipped adapter whose library Python imports.";
constexpr const char* run_examples =
    "Examples:\n"
    "  dlspec run numpy@latest numpy==1.26.4 --json result.json\n"
    "  dlspec run ./adapter.py --rules 'tensor.*' --role producer\n"
    "  dlspec run numpy --case 'producer/float32/negative/*' --seed 7";
constexpr const char* matrix_about =
    "Exchanges arrays between libraries: each SUBJECT's array is imported by every SUBJECT, in one process.\n"
    "Each pair has a worker of its own, so that the death of one says nothing of the others.\n\n"
    "SUBJECT: builtin, NAME, NAME==VERSION, NAME@latest or path/to/adapter.py. Those with a version share one\n"
    "environment where that can be had, else each pair has its own.";
constexpr const char* matrix_examples =
    "Examples:\n"
    "  dlspec matrix numpy@latest torch@latest jax@latest --html matrix.html\n"
    "  dlspec matrix numpy ./adapter.py --case 'exchange/float32/*'";
constexpr const char* inspect_about =
    "Evaluates a Python expression and shows what the object exports. The leading module is imported\n"
    "by itself. Exit status 1 if a rule fails, 3 if the expression raises or exports nothing.";
constexpr const char* inspect_examples =
    "Examples:\n"
    "  dlspec inspect 'numpy.arange(12).reshape(3,4)[::2, ::-1]'\n"
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
constexpr const char* report_about =
    "Merges result documents of `dlspec run --json` (shards of one plan, or different subjects), prints them and\n"
    "renders them in other formats.";
constexpr const char* baseline_about = "Keeps the file of a library's known and accepted deviations.";
constexpr const char* update_about =
    "Writes the deviations of these results into FILE, which is made when it is not there. Reasons that\n"
    "stand in it already are kept.";
constexpr const char* baseline_examples =
    "Examples:\n"
    "  dlspec run mylib --json result.json; dlspec baseline update mylib.txt result.json\n"
    "  dlspec run mylib --baseline mylib.txt";
constexpr const char* baseline_help = "Deviations that are accepted: a file, or those that dlspec ships";
constexpr const char* report_examples =
    "Examples:\n  dlspec report shard-1.json shard-2.json --json whole.json --html whole.html";

// Reads "2/5". CLI11 takes the returned text as the complaint.
std::string read_shard(const std::string& text, conformance::Shard& shard) {
  const char* end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, shard.index);
  if (first.ec == std::errc() && first.ptr != end && *first.ptr == '/') {
    const auto second = std::from_chars(first.ptr + 1, end, shard.count);
    if (second.ec == std::errc() && second.ptr == end && shard.index >= 1 && shard.index <= shard.count) return "";
  }
  return "'" + text + "' is no shard: write I/N with 1 <= I <= N, as in 2/5";
}

// An option whose value is one of the names in a table.
template <class Value>
void add_choice(CLI::App& app, const char* name, Value& target, const std::map<std::string, Value>& table,
                const char* type, const char* what) {
  std::vector<std::string> names;
  for (const auto& entry : table) names.push_back(entry.first);
  app.add_option_function<std::string>(
         name, [&target, table](const std::string& text) { target = table.at(text); }, what)
      ->check(CLI::IsMember(names))
      ->type_name(type);
}

void add_color(CLI::App& app, Color& color) {
  add_choice<Color>(app, "--color", color,
                    {{"auto", Color::automatic}, {"always", Color::always}, {"never", Color::never}}, "WHEN",
                    "Colours: auto means on a terminal");
}

void add_reports(CLI::App& app, conformance::Reports& reports) {
  for (const conformance::ReportFormat& format : conformance::formats()) {
    app.add_option("--" + std::string(format.name), reports[format.name], format.what)->type_name("FILE");
  }
}

void add_seed(CLI::App& app, RunOptions& options) {
  app.add_option("--seed", options.seed, "Of the arrays' contents (0)")
      ->check(CLI::Range(std::uint64_t{0}, std::uint64_t{INT64_MAX}))
      ->type_name("N");
}

void add_selection(CLI::App& run, RunOptions& options) {
  add_choice<std::vector<Role>>(run, "--role", options.roles,
                                {{"producer", {Role::producer}},
                                 {"consumer", {Role::consumer}},
                                 {"bridge", {Role::bridge}},
                                 {"both", {Role::producer, Role::consumer}}},
                                "ROLE", "What is judged of a subject; without it: every role that it plays");
  run.add_option("--rules", options.rules, "Only rules that match, as in 'tensor.*'")->type_name("GLOB");
  run.add_option("--case", options.cases, "Only cases that match, as in 'producer/float32/*'")->type_name("GLOB");
  add_choice<Level>(run, "--level", options.level,
                    {{"must", Level::must},
                     {"implied", Level::implied},
                     {"should", Level::should},
                     {"may", Level::may},
                     {"convention", Level::convention}},
                    "LEVEL", "Only rules that bind as much as this level, or more");
  const auto set_shard = [&options](const std::string& text) {
    const std::string complaint = read_shard(text, options.shard);
    if (!complaint.empty()) throw CLI::ValidationError("--shard", complaint);
    options.sharded = true;
  };
  run.add_option_function<std::string>("--shard", set_shard, "One of N parts of the plan")->type_name("I/N");
  add_seed(run, options);
}

void add_tools(CLI::App& run, RunOptions& options) {
  const auto set_wrapper = [&options](const std::string& text) {
    const auto words = conformance::split_words(text);
    if (!words) throw CLI::ValidationError("--wrapper", "'" + text + "' leaves a quote open");
    if (words->empty()) throw CLI::ValidationError("--wrapper", "names no command; write for instance 'valgrind -q'");
    options.wrapper = text;
  };
  CLI::Option* const wrapper = run.add_option_function<std::string>(
                                      "--wrapper", set_wrapper, "Put before the worker's command, as in 'valgrind -q'")
                                   ->type_name("CMD");
  run.add_flag("--in-process", options.in_process, "The one selected case in this process, for a debugger")
      ->excludes(wrapper);
}

void add_running(CLI::App& run, RunOptions& options) {
  run.add_option("--python", options.python, "The interpreter for Python subjects (python3)")->type_name("PATH");
  run.add_option("--jobs", options.jobs, "Workers at a time (one for each processor, at most 4)")
      ->check(CLI::Range(1U, 1024U))
      ->type_name("N");
  run.add_option("--timeout", options.timeout, "Seconds for one case (10)")
      ->check(CLI::Range(0.001, 1e6))
      ->type_name("S");
  run.add_option("--budget", options.budget, "Seconds for one subject, imports not counted (120)")
      ->check(CLI::Range(0.001, 1e9))
      ->type_name("S");
  run.add_option("--memory", options.memory, "MiB of memory that a worker may hold (4096)")
      ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 24))
      ->type_name("MIB");
  run.add_flag("--offline", options.offline, "Only environments that are in the cache");
  run.add_flag("--refresh", options.refresh, "Ask the index what @latest is, even if it was asked today");
  run.add_flag("--yes", options.yes, "No question before a large download");
}

void add_run(CLI::App& app, RunOptions& options) {
  CLI::App& run = *app.add_subcommand("run", run_about);
  run.footer(run_examples);
  run.add_option("SUBJECT", options.subjects, "What to judge")->type_name("");
  add_selection(run, options);
  add_running(run, options);
  add_tools(run, options);
  run.add_flag("--smoke", options.smoke, "Ordinary exchanges only: is the adapter at fault, or the library?");
  run.add_flag("--strict", options.strict, "Warnings count as failures");
  run.add_option("--baseline", options.baseline, baseline_help)->type_name("FILE|shipped");
  add_reports(run, options.reports);
  run.add_option("--emit-reproducer", options.reproducers,
                 "Write a script or C program of its own for each rule that failed")
      ->type_name("DIR");
  run.add_flag("--quiet", options.quiet, "Print errors only");
  add_color(run, options.color);
}

void add_matrix(CLI::App& app, MatrixOptions& options) {
  CLI::App& matrix = *app.add_subcommand("matrix", matrix_about);
  matrix.footer(matrix_examples);
  matrix.add_option("SUBJECT", options.run.subjects, "Who exchanges")->required()->type_name("");
  matrix.add_option("--case", options.run.cases, "Only cases that match, as in 'exchange/float32/*'")
      ->type_name("GLOB");
  add_seed(matrix, options.run);
  add_running(matrix, options.run);
  matrix.add_flag("--strict", options.run.strict, "Warnings count as failures");
  add_reports(matrix, options.run.reports);
  matrix.add_flag("--quiet", options.run.quiet, "Print errors only");
  add_color(matrix, options.run.color);
}

void add_inspect(CLI::App& app, InspectOptions& options) {
  CLI::App& inspect = *app.add_subcommand("inspect", inspect_about);
  inspect.footer(inspect_examples);
  inspect.add_option("EXPR", options.expression, "A Python expression")->required()->type_name("");
  inspect.add_option("--setup", options.setup, "Python statements that run before")->type_name("CODE");
  inspect.add_option("--path", options.paths, "Put in front of the module search path")
      ->type_name("DIR")
      ->expected(1)
      ->take_all();
  inspect.add_option("--python", options.python, "The interpreter (python3)")->type_name("PATH");
  inspect.add_option("--timeout", options.timeout, "Seconds for all of it (120)")
      ->check(CLI::Range(0.001, 1e6))
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
  selftest.add_option("--rules", options.rules, "Only subjects of rules that match")->type_name("GLOB");
  selftest.add_option("--python", options.python, "The interpreter (python3)")->type_name("PATH");
  selftest.add_option("--jobs", options.jobs, "Workers at a time (one for each processor, at most 4)")
      ->check(CLI::Range(1U, 1024U))
      ->type_name("N");
  selftest.add_flag("--quiet", options.quiet, "Print what is wrong only");
}

void add_report(CLI::App& app, ReportOptions& options) {
  CLI::App& report = *app.add_subcommand("report", report_about);
  report.footer(report_examples);
  report.add_option("RESULT", options.files, "Result documents")->required()->type_name("");
  report.add_option("--baseline", options.baseline, baseline_help)->type_name("FILE|shipped");
  add_reports(report, options.reports);
  report.add_flag("--strict", options.strict, "Warnings count as failures");
  report.add_flag("--quiet", options.quiet, "Print errors only");
  add_color(report, options.color);
}

void add_baseline(CLI::App& app, BaselineOptions& options) {
  CLI::App& baseline = *app.add_subcommand("baseline", baseline_about);
  baseline.footer(baseline_examples);
  baseline.require_subcommand(1);
  CLI::App& update = *baseline.add_subcommand("update", update_about);
  update.footer(baseline_examples);
  update.add_option("FILE", options.file, "The baseline")->required()->type_name("");
  update.add_option("RESULT", options.results, "Result documents, of several versions if you like")
      ->required()
      ->type_name("");
  update.add_flag("--quiet", options.quiet, "Print errors only");
}

Finished wrong_usage(const std::string& sentence, const std::string& command) {
  const std::string help = command.empty() ? "dlspec --help" : "dlspec " + command + " --help";
  return {conformance::exit_usage, "dlspec: " + sentence + "\n  see " + help};
}

constexpr const char* commands[] = {"run", "inspect", "matrix", "rules", "selftest", "baseline", "report"};

// A first word that is no command, with the nearest one.
std::string unknown_command(const std::string& word) {
  const std::string nearest =
      *std::min_element(std::begin(commands), std::end(commands), [&](const char* a, const char* b) {
        return conformance::edit_distance(word, a) < conformance::edit_distance(word, b);
      });
  const bool near = conformance::edit_distance(word, nearest) <= 2;
  return "'" + word + "' is no command" +
         (near ? "; did you mean '" + nearest + "'?"
               : "; there are run, inspect, matrix, rules, selftest, baseline and report");
}

// CLI11 lists what is left over; the first of them is what was mistyped.
std::string unknown_option(const CLI::App& app) {
  const std::vector<std::string> extra = app.remaining(true);
  const std::string word = extra.empty() ? "" : extra.front();
  return word.starts_with("-") ? "there is no option " + word : "'" + word + "' is one argument too many";
}

// Of the innermost command that was named.
std::string help_text(const CLI::App& app, const std::string& first, bool is_command) {
  if (!is_command) return app.help();
  const CLI::App& command = *app.get_subcommand(first);
  const std::vector<CLI::App*> inner = command.get_subcommands();
  return inner.empty() ? command.help("dlspec") : inner.front()->help("dlspec " + first);
}

}  // namespace

Options parse_options(const std::vector<std::string>& arguments) {
  const std::string first = arguments.empty() ? "" : arguments.front();
  if (first.empty())
    return wrong_usage("what is to be done? run, inspect, matrix, rules, selftest, baseline or report", "");
  if (first == "baseline" && (arguments.size() < 2 || (arguments[1] != "update" && !arguments[1].starts_with("-")))) {
    return wrong_usage("what is to be done with a baseline? `dlspec baseline update FILE RESULT...`", "baseline");
  }
  const bool is_command = std::find(std::begin(commands), std::end(commands), first) != std::end(commands);
  if (!is_command && !first.starts_with("-")) return wrong_usage(unknown_command(first), "");

  constexpr const char* alone[] = {"--help", "-h", "--version"};
  if (!is_command && std::find(std::begin(alone), std::end(alone), first) == std::end(alone)) {
    return wrong_usage("there is no option " + first + " before a command", "");
  }

  CLI::App app(about, "dlspec");
  app.footer(statuses);
  app.set_version_flag("--version", "dlspec " DLSPEC_VERSION);
  app.require_subcommand(1);
  app.get_formatter()->column_width(22);
  RunOptions run;
  InspectOptions inspect;
  MatrixOptions matrix;
  RulesOptions rules;
  SelftestOptions selftest;
  ReportOptions report;
  BaselineOptions baseline;
  add_run(app, run);
  add_inspect(app, inspect);
  add_matrix(app, matrix);
  add_rules(app, rules);
  add_selftest(app, selftest);
  add_report(app, report);
  add_baseline(app, baseline);
  try {
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));  // CLI11 takes them from the back
  } catch (const CLI::CallForHelp&) {
    return Finished{0, help_text(app, first, is_command)};
  } catch (const CLI::CallForVersion&) {
    return Finished{0, "dlspec " DLSPEC_VERSION};
  } catch (const CLI::ExtrasError&) {
    return wrong_usage(unknown_option(app), is_command ? first : "");
  } catch (const CLI::ParseError& error) {
    return wrong_usage(error.what(), is_command ? first : "");
  }
  if (first == "run") return run;
  if (first == "inspect") return inspect;
  if (first == "matrix") return matrix;
  if (first == "rules") return rules;
  if (first == "selftest") return selftest;
  if (first == "baseline") return baseline;
  return report;
}

}  // namespace dlspec::command
