#include "options.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <span>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <dlspec/conformance/subject/subject.h>
#include <dlspec/conformance/verdict/status.h>

#include "shell.h"
#include "subcommands.h"

namespace dlspec::command {

namespace {

constexpr const char* about =
    "dlspec judges how libraries export and import DLPack tensors, rule by rule.\n\n"
    "  dlspec run                          dlspec itself, and every known library that Python can import\n"
    "  dlspec run numpy                    the NumPy of the active environment (or of --python)\n"
    "  dlspec run numpy==1.26.4            a release, fetched into dlspec's own cache\n"
    "  dlspec run ./adapter.py ./lib.so    your own library, by a Python adapter or a C plug-in\n"
    "  dlspec inspect 'numpy.arange(6)'    one exported object, field by field\n"
    "  dlspec matrix numpy torch           arrays of each, imported by each\n"
    "  dlspec fuzz numpy --minutes 5       random sequences of exports, imports and releases\n"
    "  dlspec header include/dlpack.h      a copy of the header, as a C compiler lays it out\n"
    "  dlspec rules 'tensor.*'             the rules, each with its source\n"
    "  dlspec baseline update FILE ...     the file of known and accepted deviations\n"
    "  dlspec init mylib                   an adapter for a library of your own\n";
constexpr const char* first_steps =
    "dlspec judges how libraries export and import DLPack tensors, rule by rule. What to do next:\n\n"
    "  dlspec run numpy@latest             the newest NumPy, fetched into dlspec's own cache\n"
    "  dlspec run numpy                    the NumPy of the active environment\n"
    "  dlspec inspect 'numpy.arange(6)'    one exported object, field by field\n"
    "  dlspec init mylib                   writes an adapter for a library that dlspec does not know\n"
    "  dlspec run ./mylib_adapter.py       judges that library; ./libmine.so judges a C plug-in\n"
    "  pytest --dlspec=mylib_adapter.py    the same as tests, one for each rule\n"
    "  dlspec rules 'tensor.*'             the rules, each with its source\n"
    "  dlspec --help                       everything else";
constexpr const char* statuses =
    "Exit status: 0 nothing failed, 1 a rule is violated, 2 wrong usage, 3 something could not be judged,\n"
    "4 the baseline does not fit.\n"
    "Environment: DLSPEC_PYTHON (the interpreter, in place of that of the active environment),\n"
    "DLSPEC_CACHE (where environments are kept), NO_COLOR.";

Finished wrong_usage(const std::string& sentence, const std::string& command) {
  const std::string help = command.empty() ? "dlspec --help" : "dlspec " + command + " --help";
  return {conformance::exit_usage, "dlspec: " + sentence + "\n  see " + help};
}

constexpr const char* commands[] = {"run",  "inspect", "matrix", "rules",    "selftest",
                                    "fuzz", "header",  "report", "baseline", "init"};

// "run, inspect, ... and init"
std::string all_commands() {
  const std::span<const char* const> but_last(std::begin(commands), std::size(commands) - 1);
  return fmt::format("{} and {}", fmt::join(but_last, ", "), commands[but_last.size()]);
}

bool is_command(const std::string& word) {
  return std::find(std::begin(commands), std::end(commands), word) != std::end(commands);
}

// The error for an unknown command, with the nearest command as a suggestion.
std::string unknown_command(const std::string& word) {
  const std::string nearest =
      *std::min_element(std::begin(commands), std::end(commands), [&](const char* a, const char* b) {
        return conformance::edit_distance(word, a) < conformance::edit_distance(word, b);
      });
  const bool near = conformance::edit_distance(word, nearest) <= 2;
  return "'" + word + "' is no command" +
         (near ? "; did you mean '" + nearest + "'?" : "; there are " + all_commands());
}

// The error for an unconsumed argument. CLI11 lists all of them; the first is the mistyped one.
std::string unknown_option(const CLI::App& app) {
  const std::vector<std::string> extra = app.remaining(true);
  const std::string word = extra.empty() ? "" : extra.front();
  return word.starts_with('-') ? "there is no option " + word : "'" + word + "' is one argument too many";
}

// The help text of the innermost command.
std::string help_text(const CLI::App& app, const std::string& first) {
  if (!is_command(first)) return app.help();
  const CLI::App& command = *app.get_subcommand(first);
  const std::vector<CLI::App*> inner = command.get_subcommands();
  return inner.empty() ? command.help("dlspec") : inner.front()->help("dlspec " + first);
}

// What can be said of the first arguments, before CLI11 has to know any option.
std::optional<Finished> without_options(const std::vector<std::string>& arguments) {
  if (arguments.empty()) return Finished{conformance::exit_usage, first_steps};
  const std::string& first = arguments.front();
  if (first.empty()) return wrong_usage("no command; give one of " + all_commands(), "");
  if (first == "baseline" && (arguments.size() < 2 || (arguments[1] != "update" && !arguments[1].starts_with('-')))) {
    return wrong_usage("no action on a baseline; write `dlspec baseline update FILE RESULT...`", "baseline");
  }
  if (is_command(first)) return std::nullopt;
  if (!first.starts_with('-')) return wrong_usage(unknown_command(first), "");
  constexpr const char* alone[] = {"--help", "-h", "--version", completion_option, manual_option};
  if (std::find(std::begin(alone), std::end(alone), first) != std::end(alone)) return std::nullopt;
  return wrong_usage("there is no option " + first + " before a command", "");
}

}  // namespace

Options parse_options(const std::vector<std::string>& arguments) {
  if (auto finished = without_options(arguments)) return *finished;
  const std::string& first = arguments.front();
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
  FuzzOptions fuzz;
  HeaderOptions header;
  ReportOptions report;
  BaselineOptions baseline;
  InitOptions init;
  add_run(app, run);
  add_inspect(app, inspect);
  add_matrix(app, matrix);
  add_rules(app, rules);
  add_selftest(app, selftest);
  add_fuzz(app, fuzz);
  add_header(app, header);
  add_report(app, report);
  add_baseline(app, baseline);
  add_init(app, init);
  if (const auto text = shell_text(app, arguments)) return *text;
  try {
    // CLI11 expects the arguments in reverse order.
    app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::CallForHelp&) {
    return Finished{0, help_text(app, first)};
  } catch (const CLI::CallForVersion&) {
    return Finished{0, "dlspec " DLSPEC_VERSION};
  } catch (const CLI::ExtrasError&) {
    return wrong_usage(unknown_option(app), is_command(first) ? first : "");
  } catch (const CLI::ParseError& error) {
    return wrong_usage(error.what(), is_command(first) ? first : "");
  }
  if (first == "run") return run;
  if (first == "inspect") return inspect;
  if (first == "matrix") return matrix;
  if (first == "rules") return rules;
  if (first == "selftest") return selftest;
  if (first == "fuzz") return fuzz;
  if (first == "header") return header;
  if (first == "baseline") return baseline;
  if (first == "init") return init;
  return report;
}

}  // namespace dlspec::command
