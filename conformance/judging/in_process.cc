#include <dlspec/conformance/judging/in_process.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <vector>

#include <fmt/format.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <dlspec/conformance/core/text.h>
#include <dlspec/conformance/plan/spec_json.h>
#include <dlspec/conformance/platform/process.h>
#include <dlspec/conformance/verdict/status.h>
#include <dlspec/conformance/verdict/verdict.h>
#include <dlspec/conformance/worker/native/native_worker.h>
#include <dlspec/conformance/worker/protocol/channel.h>
#include <dlspec/conformance/worker/protocol/fault.h>
#include <dlspec/conformance/worker/protocol/messages.h>

#include <dlspec/conformance/judging/run_document.h>
#include <dlspec/conformance/judging/running.h>

namespace dlspec::conformance {

namespace {

constexpr std::uint64_t the_case = 1;

// The supervisor's side of the protocol, for one case and without deadlines.
class Asker {
 public:
  using Show = std::function<void(const Document&)>;
  Asker(int descriptor, SubjectRun& run, const JudgingOptions& options, const Invocation& invocation,
        const Listener& listener, const Show& show)
      : channel_(descriptor), run_(run), options_(options), invocation_(invocation), listener_(listener), show_(show) {}

  void ask() {
    channel_.send(encode(run_.launch.start));
    const std::optional<std::string> line = channel_.receive();
    if (!line) return listener_.remark("the process ended before the library was loaded");
    FirstReply first = parse_first_reply(*line);
    if (const auto* failed = std::get_if<Failed>(&first)) {
      return listener_.remark(failed->message + (failed->detail.empty() ? "" : "\n" + clean_text(failed->detail)));
    }
    if (const auto* wrong = std::get_if<Rubbish>(&first))
      return listener_.remark("rubbish on the channel: " + wrong->why);
    run_.result.ready = std::get<Ready>(std::move(first));
    judge_answer();
    channel_.send(encode(QuitRequest{}));
  }

 private:
  void judge_answer() {
    const Case& work = run_.chosen->cases.front();
    channel_.send(case_request(work, the_case));
    std::optional<std::string> line;
    while ((line = channel_.receive())) {
      const std::optional<Fault> fault = parse_fault(*line);
      if (!fault) break;
      listener_.remark(fault->text);
    }
    if (!line) return listener_.remark("the process ended before it answered " + work.id);
    const auto reply = parse_case_reply(*line, work.rules);
    if (const auto* wrong = std::get_if<Rubbish>(&reply))
      return listener_.remark("rubbish on the channel: " + wrong->why);
    Judged judged = judge(run_.chosen->subject.text, work, std::get<CaseReply>(reply).answer);
    run_.result.records = std::move(judged.records);
    for (const std::string& fault : judged.faults) listener_.remark(fault);
    std::vector<SubjectRun> runs{run_};
    show_(make_document(runs, options_, invocation_));
  }

  Channel channel_;
  SubjectRun& run_;
  const JudgingOptions& options_;
  const Invocation& invocation_;
  const Listener& listener_;
  const Show& show_;
};

// Forks twice, so that the process that runs `work` is not a child of the subject: libraries may wait for all children.
// False when the fork fails.
template <class Work>
bool start_detached(const Work& work) {
  adopt_orphans(false);
  const pid_t between = fork();
  if (between < 0) return false;
  if (between == 0) {
    const pid_t asker = fork();
    if (asker == 0) {
      for (const int number : {SIGINT, SIGTERM, SIGHUP}) std::signal(number, SIG_IGN);  // meant for the subject
      work();
    }
    _exit(asker < 0 ? 1 : 0);
  }
  int status = 0;
  while (waitpid(between, &status, 0) < 0 && errno == EINTR) {
  }
  return status == 0;
}

int become_worker(const Launch& launch, int channel, const Listener& listener) {
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) std::signal(number, SIG_DFL);
  if (channel != worker_channel) {
    dup2(channel, worker_channel);
    close(channel);
  }
  if (launch.start.kind != SubjectKind::python) return native_worker_main(worker_channel);
  execve(launch.command.arguments.front().c_str(), null_terminated(launch.command.arguments).data(),
         null_terminated(launch.command.environment).data());
  listener.remark(launch.command.arguments.front() + ": " + std::strerror(errno));
  return exit_unjudged;
}

}  // namespace

std::string in_process_error(const JudgingOptions& options, const Choice& choice) {
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

int run_in_process(const JudgingOptions& options, const Choice& choice, const Resources& resources,
                   const Invocation& invocation, const Listener& listener,
                   const std::function<void(const Document&)>& show) {
  const Chosen& chosen = choice.subjects.front();
  SubjectRun run{&chosen, launch(chosen, choice, options, resources, listener), {}};
  if (!run.launch.error.empty()) {
    listener.remark(chosen.subject.text + ": " + run.launch.error);
    return exit_unjudged;
  }
  int ends[2];
  if (socketpair(AF_UNIX, SOCK_STREAM, 0, ends) != 0) {
    listener.remark(std::string("no socket pair: ") + std::strerror(errno));
    return exit_unjudged;
  }
  const bool asked = start_detached([&] {
    close(ends[1]);
    Asker(ends[0], run, options, invocation, listener, show).ask();
  });
  close(ends[0]);
  if (!asked) {
    listener.remark("no process can be forked");
    return exit_unjudged;
  }
  return become_worker(run.launch, ends[1], listener);
}

}  // namespace dlspec::conformance
