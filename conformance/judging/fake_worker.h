// A worker written in shell, and plans for it: for the tests of this room.
#pragma once

#include <chrono>
#include <string>
#include <utility>
#include <vector>

#include <dlspec/conformance/judging/schedule.h>

namespace dlspec::conformance {

// A fake worker that passes every rule. `reaction` is shell code that runs before each answer, with the request in
// $line.
inline std::string fake(const std::string& reaction) {
  return R"(read line <&3; echo "{\"ready\":{\"pid\":$$,\"name\":\"Fake\"}}" >&3
while read line <&3; do
  case "$line" in *quit*) exit 0;; esac
  n=${line#*\"n\":}; n=${n%%[!0-9]*}
  )" + reaction +
         R"(
  pass="{\"outcome\":\"pass\"}"
  echo "{\"n\":$n,\"pid\":$$,\"outcomes\":{\"tensor.element-address\":$pass,\"managed.deleter-once\":$pass}}" >&3
done)";
}

inline Case work(const std::string& variant, RuleId primary = RuleId::tensor_element_address) {
  Case result;
  result.id = "producer/float32/c/" + variant;
  result.dtype = "float32";
  result.layout = "c";
  result.variant = variant;
  result.order.dtype = "float32";
  result.order.shape = {1};
  result.order.bytes = std::string(4, '\0');
  result.primary = primary;
  result.rules = {RuleId::tensor_element_address, RuleId::managed_deleter_once};
  return result;
}

inline Task task(const std::string& reaction, std::vector<Case> cases) {
  return {"fake", {{"/bin/sh", "-c", fake(reaction)}, inherited_environment(), ""}, {}, std::move(cases), {}};
}

inline ScheduleOptions options(unsigned jobs = 1) {
  ScheduleOptions result;
  result.jobs = jobs;
  result.limits.case_deadline = std::chrono::milliseconds(2000);
  return result;
}

inline std::string statuses(const TaskResult& result) {
  std::string text;
  for (const Record& record : result.records) text += verdict_name(record.status) + std::string(" ");
  return text;
}

inline TaskResult run_one(const Task& one, const ScheduleOptions& how = options()) {
  return run_tasks({&one, 1}, how).front();
}

}  // namespace dlspec::conformance
