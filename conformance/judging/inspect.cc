#include <dlspec/conformance/judging/inspect.h>

#include <chrono>

#include <dlspec/conformance/worker/supervisor/conversation.h>

namespace dlspec::conformance {

namespace {

InspectionAnswer ask(const Command& command, const std::string& request, double timeout, std::string& output) {
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
  output = conversation.output();
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

InspectionAnswer inspect_expression(const InspectionOrder& order, const Interpreter& interpreter,
                                    const Resources& resources, std::string& output) {
  const Command command{{interpreter.command, resources.inspect_script().string()}, inherited_environment(), ""};
  const std::string request =
      inspection_request(resources.extension(interpreter).string(), order.expression, order.setup, order.paths);
  return ask(command, request, order.timeout, output);
}

}  // namespace dlspec::conformance
