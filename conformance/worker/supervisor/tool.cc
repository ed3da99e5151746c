#include <dlspec/conformance/worker/supervisor/tool.h>

#include <dlspec/conformance/worker/supervisor/conversation.h>

namespace dlspec::conformance {

ToolResult run_tool(const Command& command, std::chrono::seconds deadline) {
  ToolResult result;
  auto child = Child::spawn(command, result.error);
  if (!child) return result;
  Conversation conversation(std::move(*child), 0);
  const auto until = Clock::now() + deadline;
  // A tool that writes nothing to the channel closes it at its end.
  auto event = conversation.wait_line(until, result.answer);
  if (event == Conversation::Event::line || event == Conversation::Event::closed) event = conversation.wait_end(until);
  const Ending ending = conversation.child().finish();
  conversation.read_rest();
  result.output = conversation.output();
  switch (event) {
    case Conversation::Event::ended: result.ending = ending; break;
    case Conversation::Event::interrupted: result.error = "interrupted"; break;
    case Conversation::Event::deadline:
      result.error = "did not end within " + std::to_string(deadline.count()) + " s";
      break;
    default: result.error = "wrote too much"; break;
  }
  return result;
}

}  // namespace dlspec::conformance
