// Misbehaving workers, as one-line shell programs.
#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/platform/process.h>
#include <dlspec/conformance/worker/supervisor/worker.h>

#include <csignal>
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

namespace dlspec::conformance {
namespace {

using std::chrono::milliseconds;

// Reads the start request and sends the ready message.
const std::string ready = R"(read line <&3; echo "{\"ready\":{\"pid\":$$,\"name\":\"Fake\"}}" >&3; )";
const std::string good_answer = R"(read line <&3; echo "{\"n\":1,\"pid\":$$,\"outcomes\":{}}" >&3; )";

Command shell(const std::string& program) { return {{"/bin/sh", "-c", program}, inherited_environment(), ""}; }

WorkerLimits short_limits() { return {milliseconds(700), milliseconds(20000), 0}; }

std::unique_ptr<Worker> started(const std::string& program, const WorkerLimits& limits = short_limits()) {
  std::string error;
  auto worker = Worker::spawn(shell(ready + program), limits, error);
  EXPECT_NE(worker, nullptr) << error;
  auto reply = worker->start({});
  EXPECT_TRUE(std::holds_alternative<Ready>(reply))
      << (std::holds_alternative<Death>(reply) ? std::get<Death>(reply).text : "failed");
  return worker;
}

// The death of a worker that is sent one case.
std::string death_of(const std::string& program, const WorkerLimits& limits = short_limits()) {
  auto worker = started(program, limits);
  auto reply = worker->ask(Case{});
  return std::holds_alternative<Death>(reply) ? std::get<Death>(reply).text : "it answered";
}

TEST(Worker, AnswersAndLeaves) {
  auto worker = started(good_answer + "read line <&3; exit 0");
  EXPECT_TRUE(std::holds_alternative<Answer>(worker->ask(Case{})));
  EXPECT_EQ(worker->quit(), std::nullopt);
}

TEST(Worker, DeathsAreDescribed) {
  EXPECT_EQ(death_of("read line <&3; kill -SEGV $$"), "killed by SIGSEGV before answering");
  EXPECT_EQ(death_of("read line <&3; kill -ABRT $$"), "killed by SIGABRT before answering");
  EXPECT_EQ(death_of("read line <&3; kill -KILL $$"), "killed by SIGKILL before answering");
  EXPECT_EQ(death_of("read line <&3; exit 0"), "exited with status 0 before answering");
  EXPECT_EQ(death_of("read line <&3; exit 3"), "exited with status 3 before answering");
  EXPECT_EQ(death_of("read line <&3; exec 3>&-; sleep 30"), "closed the channel");
}

TEST(Worker, HangingAndStoppedWorkersTimeOut) {
  EXPECT_EQ(death_of("read line <&3; sleep 30"), "no answer within 0.7 s");
  EXPECT_EQ(death_of("read line <&3; kill -STOP $$"), "no answer within 0.7 s");
}

TEST(Worker, RubbishOnTheChannelIsNamed) {
  EXPECT_EQ(death_of("echo hello >&3; sleep 30"), "wrote rubbish on the channel: not JSON: \"hello\"");
  EXPECT_EQ(death_of(R"(echo "{\"n\":7,\"pid\":$$,\"outcomes\":{}}" >&3; sleep 30)"),
            "wrote rubbish on the channel: an answer to another question");
  EXPECT_EQ(death_of(R"(echo "{\"n\":1,\"pid\":1,\"outcomes\":{}}" >&3; sleep 30)"),
            "wrote rubbish on the channel: an answer from another process");
  WorkerLimits patient = short_limits();
  patient.case_deadline = milliseconds(20000);
  EXPECT_EQ(death_of("head -c 17000000 /dev/zero >&3; sleep 30", patient),
            "wrote rubbish on the channel: a line longer than 16777216 bytes");
}

TEST(Worker, StandardOutputIsDrained) {
  WorkerLimits patient = short_limits();
  patient.case_deadline = milliseconds(20000);
  auto worker = started("head -c 100000000 /dev/zero; echo the end >&2; " + good_answer + "read line <&3", patient);
  EXPECT_TRUE(std::holds_alternative<Answer>(worker->ask(Case{})));
  EXPECT_LE(worker->output().size(), std::size_t{192} << 10);
}

TEST(Worker, AnAnswerBeforeDeathCountsAndTheDeathIsNoticedLater) {
  auto worker = started(good_answer + "sleep 0.1; kill -SEGV $$");
  EXPECT_TRUE(std::holds_alternative<Answer>(worker->ask(Case{})));
  auto second = worker->ask(Case{});
  ASSERT_TRUE(std::holds_alternative<Death>(second));
  EXPECT_TRUE(std::get<Death>(second).earlier);
  EXPECT_EQ(std::get<Death>(second).text, "killed by SIGSEGV after it had answered");
}

TEST(Worker, DeathAtExitIsReported) {
  auto worker = started("read line <&3; kill -SEGV $$");
  const auto death = worker->quit();
  ASSERT_TRUE(death);
  EXPECT_EQ(death->text, "killed by SIGSEGV at exit");
}

// A shell command that sends a fault message.
std::string says_fault(const std::string& rest) { return R"(echo "{\"fault\":{\"pid\":$$,)" + rest + R"(}}" >&3; )"; }

TEST(Worker, AFaultMessageNamesTheCauseOfADeath) {
  auto worker = started(
      "read line <&3; " +
      says_fault(R"(\"access\":\"read\",\"part\":\"data\",\"state\":\"open\",\"where\":\"beyond\",\"distance\":1)") +
      "kill -SEGV $$");
  const auto reply = worker->ask(Case{});
  ASSERT_TRUE(std::holds_alternative<Death>(reply));
  EXPECT_EQ(std::get<Death>(reply).text, "killed by SIGSEGV: it read 1 byte beyond the data");
  EXPECT_EQ(std::get<Death>(reply).culprit, RuleId::tensor_element_address);
}

TEST(Worker, AFaultMessageWithoutADeathIsIgnored) {
  auto worker =
      started(says_fault(R"(\"exception\":\"int\",\"callee\":\"deleter\")") + good_answer + "read line <&3; exit 0");
  EXPECT_TRUE(std::holds_alternative<Answer>(worker->ask(Case{})));
}

TEST(Worker, ADeathInADeleterAtExitHasACulprit) {
  const std::string entered = R"(read line <&3; echo "{\"exit\":{\"pid\":$$,\"deleter\":\"entered\"}}" >&3; )";
  const std::string returned = R"(echo "{\"exit\":{\"pid\":$$,\"deleter\":\"returned\"}}" >&3; )";
  const auto inside = started(entered + "kill -SEGV $$")->quit();
  ASSERT_TRUE(inside);
  EXPECT_EQ(inside->culprit, RuleId::managed_deleter_after_finalize);
  EXPECT_EQ(inside->text, "killed by SIGSEGV at exit, in a deleter that was called after the end of the interpreter");
  const auto hanging = started(entered + "sleep 30")->quit();
  ASSERT_TRUE(hanging);
  EXPECT_EQ(hanging->kind, Death::Kind::timeout);
  EXPECT_EQ(hanging->culprit, RuleId::managed_deleter_after_finalize);
  const auto outside = started(entered + returned + "kill -SEGV $$")->quit();
  ASSERT_TRUE(outside);
  EXPECT_EQ(outside->culprit, std::nullopt);
  EXPECT_EQ(started(entered + returned + "exit 0")->quit(), std::nullopt);
}

TEST(Worker, GrandchildrenNeitherDelayNorSurvive) {
  adopt_orphans(true);
  const auto file = std::filesystem::temp_directory_path() / ("dlspec-grandchild-" + std::to_string(getpid()));
  // One in the worker's group, one in a session of its own; both hold channel and output open.
  // A supervisor that waited for them would reach the deadline.
  const std::string second = "setsid sh -c 'echo $$ > " + file.string() + "; exec sleep 60' & ";
  const std::string until_it_runs = "while [ ! -s " + file.string() + " ]; do sleep 0.02; done; ";
  EXPECT_EQ(death_of("sleep 60 & " + second + until_it_runs + "read line <&3; exit 5"),
            "exited with status 5 before answering");
  std::ifstream stream(file);
  pid_t pid = 0;
  stream >> pid;
  ASSERT_GT(pid, 0);
  EXPECT_NE(kill(pid, 0), 0) << "the grandchild is still alive";
  std::filesystem::remove(file);
}

TEST(Worker, AWorkerOverItsMemoryLimitIsKilled) {
  WorkerLimits small = short_limits();
  small.case_deadline = milliseconds(20000);
  small.memory = std::uint64_t{64} << 20;
  EXPECT_EQ(death_of("read line <&3; x=$(head -c 300000000 /dev/zero | tr '\\0' x); sleep 30", small),
            "memory limit: more than 64 MiB resident");
}

TEST(Worker, FailedStartsAreReported) {
  std::string error;
  EXPECT_EQ(Worker::spawn({{"/nonexistent/program"}, {}, ""}, short_limits(), error), nullptr);
  EXPECT_EQ(error, "/nonexistent/program: No such file or directory");
  auto dying = Worker::spawn(shell("exit 7"), short_limits(), error);
  EXPECT_EQ(std::get<Death>(dying->start({})).text, "exited with status 7 before answering");
  auto failing =
      Worker::spawn(shell(R"(echo '{"failed":{"stage":"import","message":"no"}}' >&3)"), short_limits(), error);
  EXPECT_EQ(std::get<Failed>(failing->start({})).message, "no");
  auto liar = Worker::spawn(shell(R"(echo '{"ready":{"pid":1}}' >&3; sleep 30)"), short_limits(), error);
  EXPECT_EQ(std::get<Death>(liar->start({})).text, "wrote rubbish on the channel: ready, from another process");
}

TEST(Worker, InheritsNothingButTheChannel) {
  const int leaked = dup(1);  // open in this process, not close-on-exec
  auto worker = started("ls /proc/self/fd | wc -l; " + good_answer + "read line <&3");
  EXPECT_TRUE(std::holds_alternative<Answer>(worker->ask(Case{})));
  EXPECT_EQ(worker->output(), "5\n");  // 0 to 3, and the folder that ls reads
  close(leaked);
}

}  // namespace
}  // namespace dlspec::conformance
