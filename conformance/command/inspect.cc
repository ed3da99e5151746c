// dlspec inspect: evaluates an expression in its own process and shows the exported struct.
#include <algorithm>
#include <cstdio>
#include <optional>

#include <dlspec/conformance/core/file.h>
#include <dlspec/conformance/core/text.h>
#include <dlspec/conformance/judging/inspect.h>
#include <dlspec/conformance/judging/outputs.h>
#include <dlspec/conformance/subject/cache.h>
#include <dlspec/conformance/subject/environment.h>
#include <dlspec/conformance/subject/interpreter.h>
#include <dlspec/conformance/subject/resources.h>
#include <dlspec/conformance/subject/subject.h>
#include <dlspec/conformance/verdict/status.h>

#include "program.h"
#include "terminal.h"

namespace dlspec::command {

namespace {

using namespace dlspec::conformance;

// The libraries of --with; a sentence in `error` for a text that names none.
std::vector<Subject> libraries(const InspectOptions& options, const Resources& resources, std::string& error) {
  const Adapters adapters = find_adapters(resources.adapters());
  std::vector<Subject> found;
  for (const std::string& text : options.libraries) {
    const ParsedSubject parsed = parse_subject(text, adapters);
    if (!parsed.subject) {
      error = parsed.error;
    } else if (parsed.subject->version.empty()) {
      error = "--with " + text + " names no version: write NAME==1.2.3 or NAME@latest";
    } else {
      found.push_back(*parsed.subject);
    }
  }
  return found;
}

// Makes `interpreter` that of an environment with the libraries. "" or a sentence.
std::string enter_environment(const std::vector<Subject>& libraries, const InspectOptions& options,
                              Interpreter& interpreter) {
  if (libraries.empty()) return "";
  Progress progress(false);
  const Listener listener = terminal_listener(progress, false, options.yes);
  EnvironmentOptions environments;
  environments.cache = cache_folder();
  environments.offline = options.offline;
  environments.confirm = listener.confirm;
  environments.notices = listener.notices;
  std::vector<Wanted> wanted;
  for (const Subject& each : libraries) wanted.push_back({&*each.adapter, each.version});
  const Environment made = provide_environment(wanted, interpreter, environments);
  interpreter.command = made.python;
  return made.error;
}

// Where the expression's module is not installed, and dlspec knows the library: what fetches it.
std::string remedy(const std::string& missing, const Resources& resources) {
  const std::string library = missing + "@latest";
  const bool known = !missing.empty() && parse_subject(library, find_adapters(resources.adapters())).subject;
  return known ? "; `--with " + library + "` evaluates it in an environment with the newest release" : "";
}

}  // namespace

int inspect(const InspectOptions& options) {
  if (const std::string error = check_writable(options.svg); !error.empty()) return fail_with(exit_unjudged, error);
  const Resources resources = find_resources();
  std::string wrong;
  const std::vector<Subject> wanted = libraries(options, resources, wrong);
  if (!wrong.empty()) return fail_with(exit_usage, wrong);
  InterpreterChoice choice = choose_interpreter(options.python);
  if (!choice.interpreter) return fail_with(exit_unjudged, choice.error);
  wrong = enter_environment(wanted, options, *choice.interpreter);
  if (!wrong.empty()) return fail_with(exit_unjudged, wrong);
  const InspectionOrder order{options.expression, options.setup, options.paths, options.timeout};
  std::string output;
  const InspectionAnswer answer = inspect_expression(order, *choice.interpreter, resources, output);
  std::fputs(output.c_str(), stderr);
  if (!answer.inspection) {
    std::fputs(clean_text(answer.detail).c_str(), stderr);
    complain(answer.error + remedy(answer.missing, resources));
    return exit_unjudged;
  }
  const std::optional<Drawn> drawn = drawn_of(*answer.inspection);
  const ConsoleOptions console = console_options(options.color, false);
  const std::string picture =
      drawn ? picture_text(picture_of(*drawn, console.width), {.unicode = use_unicode(), .color = console.color}) : "";
  if (!print(show_inspection(*answer.inspection, picture, console)))
    return fail_with(exit_unjudged, "standard output cannot be written");
  if (!options.svg.empty()) {
    if (!drawn) return fail_with(exit_unjudged, "--svg: the struct cannot be read, so that nothing can be drawn");
    const std::string error = write_file(options.svg, picture_svg(picture_of(*drawn), "memory"));
    if (!error.empty()) return fail_with(exit_unjudged, error);
  }
  if (!answer.inspection->generation) return exit_unjudged;
  const auto& findings = answer.inspection->findings;
  const bool violated = std::any_of(findings.begin(), findings.end(),
                                    [](const InspectedRule& finding) { return finding.status == Verdict::fail; });
  return violated ? exit_violated : exit_good;
}

}  // namespace dlspec::command
