// A worker as the scheduler sees it: started once, asked case after case, told to leave. Whatever it
// does instead of answering becomes a Death with words for the report.
#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>

#include <dlspec/conformance/core/case.h>
#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/worker/protocol/fault.h>
#include <dlspec/conformance/worker/protocol/messages.h>
#include <dlspec/conformance/worker/supervisor/conversation.h>

namespace dlspec::conformance {

struct WorkerLimits {
  std::chrono::milliseconds case_deadline{std::chrono::seconds(10)};
  std::chrono::milliseconds import_deadline{std::chrono::seconds(120)};
  std::uint64_t memory = std::uint64_t{4} << 30;  // resident bytes; 0: any
};

// Why there is no answer.
struct Death {
  enum class Kind : std::uint8_t { crash, timeout, interrupted };
  Kind kind = Kind::crash;
  std::string text;                    // "killed by SIGSEGV", "no answer within 10 s"; the same for the same fault
  bool earlier = false;                // it never read the question: the doing of what ran before
  std::optional<RuleId> culprit = {};  // the rule that it breaks, where the worker could say before it died
};

class Worker {
 public:
  // Nothing, and a sentence part in `error`, when the process cannot be started at all.
  [[nodiscard]] static std::unique_ptr<Worker> spawn(const Command& command, const WorkerLimits& limits,
                                                     std::string& error);

  // After Failed and Death the worker is gone.
  [[nodiscard]] std::variant<Ready, Failed, Death> start(const StartRequest& request);
  [[nodiscard]] std::variant<Answer, Death> ask(const Case& work);
  // Tells it to leave in the ordinary way; how that went wrong, if it did. The culprit is
  // managed.deleter-after-finalize when it was in a deleter then.
  [[nodiscard]] std::optional<Death> quit();

  // The last part of what the process printed.
  [[nodiscard]] const std::string& output() const { return conversation_.output(); }

 private:
  Worker(Child child, const WorkerLimits& limits) : conversation_(std::move(child), limits.memory), limits_(limits) {}
  [[nodiscard]] Death death(Conversation::Event event, std::chrono::milliseconds deadline);
  [[nodiscard]] Conversation::Event wait_answer(std::string& line);
  [[nodiscard]] Conversation::Event wait_end();
  [[nodiscard]] Death death_at_exit(Conversation::Event event, const Ending& ending) const;
  [[nodiscard]] Death rubbish(const std::string& why);

  Conversation conversation_;
  WorkerLimits limits_;
  std::uint64_t number_ = 0;
  std::optional<Fault> fault_;  // what the worker said of the death that it is about to die
  int deleters_running_ = 0;    // at its exit
};

}  // namespace dlspec::conformance
