// The supervisor's handle of a worker process: start it once, ask it one case after another, quit it. Any failure to
// answer becomes a Death with a text for the report.
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
  std::uint64_t memory = std::uint64_t{4} << 30;  // resident bytes; 0: unlimited
};

// The reason why there is no answer.
struct Death {
  enum class Kind : std::uint8_t { crash, timeout, interrupted };
  Kind kind = Kind::crash;
  std::string text;                    // "killed by SIGSEGV", "no answer within 10 s"; equal for equal faults
  bool earlier = false;                // the worker died before it read the request: the previous case is the cause
  std::optional<RuleId> culprit = {};  // the violated rule, where the worker named it before it died
};

class Worker {
 public:
  // nullptr when the process cannot be started, with a sentence part in `error`.
  [[nodiscard]] static std::unique_ptr<Worker> spawn(const Command& command, const WorkerLimits& limits,
                                                     std::string& error);

  // After Failed or Death the process is dead and the worker must not be used.
  [[nodiscard]] std::variant<Ready, Failed, Death> start(const StartRequest& request);
  // Waits until the deadline of a case, or as long as `most` where that is less.
  [[nodiscard]] std::variant<Answer, Death> ask(const Case& work,
                                                std::chrono::milliseconds most = std::chrono::hours(24 * 365));
  // Asks the worker to exit. Returns its death unless it exits with status 0. The culprit is
  // managed.deleter-after-finalize if it died inside a deleter.
  [[nodiscard]] std::optional<Death> quit();

  // The end of what the process printed.
  [[nodiscard]] const std::string& output() const { return conversation_.output(); }

 private:
  Worker(Child child, const WorkerLimits& limits) : conversation_(std::move(child), limits.memory), limits_(limits) {}
  [[nodiscard]] Death death(Conversation::Event event, std::chrono::milliseconds deadline);
  [[nodiscard]] Conversation::Event wait_answer(std::string& line, std::chrono::milliseconds time);
  [[nodiscard]] Conversation::Event wait_end();
  [[nodiscard]] Death death_at_exit(Conversation::Event event, const Ending& ending) const;
  [[nodiscard]] Death rubbish(const std::string& why);

  Conversation conversation_;
  WorkerLimits limits_;
  std::uint64_t number_ = 0;
  std::optional<Fault> fault_;  // the worker's own message about the death that follows
  int deleters_running_ = 0;    // deleters entered and not returned at exit
};

}  // namespace dlspec::conformance
