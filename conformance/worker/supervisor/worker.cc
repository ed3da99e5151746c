#include <dlspec/conformance/worker/supervisor/worker.h>

#include <algorithm>

#include <fmt/format.h>

#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/plan/spec_json.h>

namespace dlspec::conformance {

namespace {

std::string seconds_text(std::chrono::milliseconds time) {
  return fmt::format("{} s", static_cast<double>(time.count()) / 1000.0);
}

}  // namespace

std::unique_ptr<Worker> Worker::spawn(const Command& command, const WorkerLimits& limits, std::string& error) {
  auto child = Child::spawn(command, error);
  if (!child) return nullptr;
  return std::unique_ptr<Worker>(new Worker(std::move(*child), limits));
}

Death Worker::death(Conversation::Event event, std::chrono::milliseconds deadline) {
  const Ending ending = conversation_.child().finish();
  switch (event) {
    case Conversation::Event::ended:
      if (fault_) return {Death::Kind::crash, describe(ending) + ": " + fault_->text, false, fault_->culprit};
      return {Death::Kind::crash, describe(ending) + " before answering"};
    case Conversation::Event::closed: return {Death::Kind::crash, "closed the channel"};
    case Conversation::Event::too_long: return rubbish(fmt::format("a line longer than {} bytes", longest_line));
    case Conversation::Event::deadline: return {Death::Kind::timeout, "no answer within " + seconds_text(deadline)};
    case Conversation::Event::memory:
      return {Death::Kind::crash, fmt::format("memory limit: more than {} MiB resident", limits_.memory >> 20)};
    case Conversation::Event::interrupted: return {Death::Kind::interrupted, "interrupted"};
    case Conversation::Event::line: break;
  }
  return {Death::Kind::crash, "stopped"};
}

Death Worker::rubbish(const std::string& why) {
  conversation_.child().finish();
  return {Death::Kind::crash, "wrote rubbish on the channel: " + why};
}

std::variant<Ready, Failed, Death> Worker::start(const StartRequest& request) {
  conversation_.send(encode(request));
  std::string line;
  const auto event = conversation_.wait_line(Clock::now() + limits_.import_deadline, line);
  if (event != Conversation::Event::line) return death(event, limits_.import_deadline);
  auto reply = parse_first_reply(line);
  if (auto* failed = std::get_if<Failed>(&reply)) {
    conversation_.child().finish();
    return std::move(*failed);
  }
  if (const auto* wrong = std::get_if<Rubbish>(&reply)) return rubbish(wrong->why);
  if (std::get<Ready>(reply).pid != conversation_.child().pid()) return rubbish("ready, from another process");
  if (limits_.memory != 0 && conversation_.child().resident() > limits_.memory)
    return death(Conversation::Event::memory, limits_.import_deadline);
  return std::get<Ready>(std::move(reply));
}

// The next line that is not a fault message.
Conversation::Event Worker::wait_answer(std::string& line, std::chrono::milliseconds time) {
  const auto deadline = Clock::now() + time;
  fault_.reset();
  for (;;) {
    const auto event = conversation_.wait_line(deadline, line);
    if (event != Conversation::Event::line) return event;
    auto fault = parse_fault(line);
    if (!fault) return event;
    if (fault->pid == conversation_.child().pid()) fault_ = std::move(fault);
  }
}

std::variant<Answer, Death> Worker::ask(const Case& work, std::chrono::milliseconds most) {
  const auto time = std::min(limits_.case_deadline, most);
  ++number_;
  conversation_.send(case_request(work, number_));
  std::string line;
  const auto event = wait_answer(line, time);
  if (event == Conversation::Event::ended && conversation_.left_unread()) {
    return Death{Death::Kind::crash, describe(conversation_.child().finish()) + " after it had answered", true};
  }
  if (event != Conversation::Event::line) return death(event, time);
  auto reply = parse_case_reply(line, work.rules);
  if (const auto* wrong = std::get_if<Rubbish>(&reply)) return rubbish(wrong->why);
  auto& answer = std::get<CaseReply>(reply);
  if (answer.pid != conversation_.child().pid()) return rubbish("an answer from another process");
  if (answer.number != number_) return rubbish("an answer to another question");
  return std::move(answer.answer);
}

// Reads the exit messages of the worker.
Conversation::Event Worker::wait_end() {
  const auto deadline = Clock::now() + limits_.case_deadline;
  std::string line;
  for (;;) {
    const auto event = conversation_.wait_line(deadline, line);
    if (event == Conversation::Event::closed) return conversation_.wait_end(deadline);
    if (event != Conversation::Event::line) return event;
    if (const auto mark = parse_exit_mark(line)) deleters_running_ += *mark == ExitMark::entered ? 1 : -1;
  }
}

Death Worker::death_at_exit(Conversation::Event event, const Ending& ending) const {
  Death death{Death::Kind::crash, describe(ending) + " at exit"};
  if (event == Conversation::Event::deadline) {
    death = {Death::Kind::timeout, "did not leave within " + seconds_text(limits_.case_deadline)};
  }
  if (deleters_running_ > 0) {
    death.text += ", in a deleter that was called after the end of the interpreter";
    death.culprit = RuleId::managed_deleter_after_finalize;
  }
  return death;
}

std::optional<Death> Worker::quit() {
  conversation_.send(encode(QuitRequest{}));
  const auto event = wait_end();
  const Ending ending = conversation_.child().finish();
  if (event == Conversation::Event::interrupted) return Death{Death::Kind::interrupted, "interrupted"};
  if (event != Conversation::Event::deadline && ending.exited && ending.number == 0) return std::nullopt;
  return death_at_exit(event, ending);
}

}  // namespace dlspec::conformance
