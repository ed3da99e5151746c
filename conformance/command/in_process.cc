#include "in_process.h"

#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <vector>

#include <fmt/format.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <dlspec/conformance/plan/spec_json.h>
#include <dlspec/conformance/report/console.h>
#include <dlspec/conformance/verdict/status.h>
#include <dlspec/conformance/verdict/verdict.h>
#include <dlspec/conformance/worker/native/native_worker.h>
#include <dlspec/conformance/worker/protocol/channel.h>
#include <dlspec/conformance/worker/protocol/fault.h>
#include <dlspec/conformance/worker/protocol/messages.h>

#include "results.h"
#include "terminal.h"

namespace dlspec::command {

namespace {

using namespace dlspec::conformance;

constexpr std::uint64_t the_case = 1;

// The side that asks: what `run` does with a worker, for one case and without deadlines.
class Asker {
 public:
  Asker(int descriptor, Outcome& outcome, const RunOptions& options, const std::string& invoked_as)
      : channel_(descriptor), outcome_(outcome), options_(options), invoked_as_(invoked_as) {}

  void ask() {
    channel_.send(encode(outcome_.launch.start));
    const std::optional<std::string> line = channel_.receive();
    if (!line) return complain("the process ended before the library was loaded");
    FirstReply first = parse_first_reply(*line);
    if (const auto* failed = std::get_if<Failed>(&first)) {
      return complain(failed->message + (failed->detail.empty() ? "" : "\n" + clean_text(failed->detail)));
    }
    if (const auto* wrong = std::get_if<Rubbish>(&first)) return complain("rubbish on the channel: " + wrong->why);
    outcome_.result.ready = std::get<Ready>(std::move(first));
    judge_answer();
    channel_.send(encode(QuitRequest{}));
  }

 private:
  void judge_answer() {
    const Case& work = outcome_.chosen->cases.front();
    channel_.send(case_request(work, the_case));
    std::optional<std::string> line;
    while ((line = channel_.receive())) {
      const std::optional<Fault> fault = parse_fault(*line);
      if (!fault) break;
      complain(fault->text);
    }
    if (!line) return complain("the process ended before it answered " + work.id);
    const auto reply = parse_case_reply(*line);
    if (const auto* wrong = std::get_if<Rubbish>(&reply)) return complain("rubbish on the channel: " + wrong->why);
    Judged judged = judge(outcome_.chosen->subject.text, work, std::get<CaseReply>(reply).answer);
    outcome_.result.records = std::move(judged.records);
    for (const std::string& fault : judged.faults) complain(fault);
    print(console_report(make_document({outcome_}, options_, invoked_as_), {use_color(options_.color)}));
    std::fflush(stdout);
  }

  Channel channel_;
  Outcome& outcome_;
  const RunOptions& options_;
  const std::string& invoked_as_;
};

// The asker is no child of the subject's: libraries wait for children of their own. False when there is none.
template <class Work>
bool start_apart(const Work& work) {
  prctl(PR_SET_CHILD_SUBREAPER, 0, 0, 0, 0);
  const pid_t between = fork();
  if (between < 0) return false;
  if (between == 0) {
    const pid_t asker = fork();
    if (asker == 0) {
      for (const int number : {SIGINT, SIGTERM, SIGHUP}) std::signal(number, SIG_IGN);  // they are for the subject
      work();
    }
    _exit(asker < 0 ? 1 : 0);
  }
  int status = 0;
  while (waitpid(between, &status, 0) < 0 && errno == EINTR) {
  }
  return status == 0;
}

int become_worker(const Launch& launch, int channel) {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) std::signal(number, SIG_DFL);
  if (channel != worker_channel) {
    dup2(channel, worker_channel);
    close(channel);
  }
  if (launch.start.kind != SubjectKind::python) return native_worker_main(worker_channel);
  execve(launch.command.arguments.front().c_str(), null_terminated(launch.command.arguments).data(),
         null_terminated(launch.command.environment).data());
  complain(launch.command.arguments.front() + ": " + std::strerror(errno));
  return exit_unjudged;
}

}  // namespace

std::string why_not_one_case(const RunOptions& options, const Choice& choice) {
  std::size_t cases = 0;
  for (const Chosen& chosen : choice.subjects) cases += chosen.cases.size();
  for (const auto& [format, path] : options.reports) {
    if (!path.empty()) return "--in-process prints its verdict and writes no report; leave out --" + format;
  }
  if (choice.subjects.size() == 1 && cases == 1) return "";
  return fmt::format(
      "--in-process runs one case of one subject; this selects {} case{} of {} subject{}: name one by --case", cases,
      cases == 1 ? "" : "s", choice.subjects.size(), choice.subjects.size() == 1 ? "" : "s");
}

int run_in_process(const RunOptions& options, const Choice& choice, const Resources& resources,
                   const EnvironmentOptions& environments, const std::string& invoked_as) {
  const Chosen& chosen = choice.subjects.front();
  Outcome outcome{
      &chosen, launch_subject(chosen.subject, choice.interpreter, resources, environments, options.seed), {}};
  if (!outcome.launch.error.empty()) {
    complain(chosen.subject.text + ": " + outcome.launch.error);
    return exit_unjudged;
  }
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) {
    complain(std::string("no socket pair: ") + std::strerror(errno));
    return exit_unjudged;
  }
  const bool asked = start_apart([&] {
    close(ends[1]);
    Asker(ends[0], outcome, options, invoked_as).ask();
  });
  close(ends[0]);
  if (!asked) {
    complain("no process can be forked");
    return exit_unjudged;
  }
  return become_worker(outcome.launch, ends[1]);
}

}  // namespace dlspec::command
