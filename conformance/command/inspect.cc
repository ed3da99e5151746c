// dlspec inspect: evaluates an expression in a process of its own and shows what it exports.
#include <algorithm>
#include <cstdio>

#include <dlspec/conformance/report/document.h>
#include <dlspec/conformance/subject/interpreter.h>
#include <dlspec/conformance/subject/resources.h>
#include <dlspec/conformance/verdict/status.h>
#include <dlspec/conformance/worker/supervisor/conversation.h>

#include "inspection.h"
#include "program.h"
#include "terminal.h"

namespace dlspec::command {

namespace {

using namespace dlspec::conformance;

// Asks the worker; what it printed goes to standard error.
InspectionAnswer ask(const Command& command, const std::string& request, double timeout) {
  std::string error;
  auto child = Child::spawn(command, error);
  if (!child) return {std::nullopt, error, ""};
  Conversation conversation(std::move(*child), 0);
  conversation.send(request);
  std::string line;
  const auto time = std::chrono::milliseconds(static_cast<std::int64_t>(timeout * 1000));
  const auto event = conversation.wait_line(Clock::now() + time, line);
  const Ending ending = conversation.child().finish();
  conversation.read_rest();
  std::fputs(conversation.output().c_str(), stderr);
  switch (event) {
    case Conversation::Event::line: return parse_inspection(line);
    case Conversation::Event::ended:
      return {std::nullopt, "the interpreter " + describe(ending) + " before answering", ""};
    case Conversation::Event::deadline:
      return {std::nullopt, "the expression did not come to an end in time; give more with --timeout", ""};
    case Conversation::Event::interrupted: return {std::nullopt, "interrupted", ""};
    default: return {std::nullopt, "the interpreter gave no answer", ""};
  }
}

}  // namespace

int inspect(const InspectOptions& options) {
  const Resources resources = find_resources();
  const InterpreterChoice choice = choose_interpreter(options.python);
  if (!choice.interpreter) {
    complain(choice.error);
    return exit_unjudged;
  }
  const Command command{
      {choice.interpreter->command, resources.inspect_script().string()}, inherited_environment(), ""};
  const std::string request =
      inspection_request(resources.extension().string(), options.expression, options.setup, options.paths);
  const InspectionAnswer answer = ask(command, request, options.timeout);
  if (!answer.inspection) {
    std::fputs(clean_text(answer.detail).c_str(), stderr);
    complain(answer.error);
    return exit_unjudged;
  }
  if (!print(show_inspection(*answer.inspection, use_color(options.color)))) {
    complain("standard output cannot be written");
    return exit_unjudged;
  }
  if (!answer.inspection->generation) return exit_unjudged;
  const auto& findings = answer.inspection->findings;
  const bool broken = std::any_of(findings.begin(), findings.end(),
                                  [](const InspectedRule& finding) { return finding.status == Verdict::fail; });
  return broken ? exit_broken : exit_good;
}

}  // namespace dlspec::command
