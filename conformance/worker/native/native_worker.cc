#include <dlspec/conformance/worker/native/native_worker.h>

#include <unistd.h>

#include <algorithm>
#include <exception>
#include <optional>
#include <string>
#include <variant>

#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/oracle/fault_report.h>
#include <dlspec/conformance/plan/plan.h>
#include <dlspec/conformance/worker/native/builtin.h>
#include <dlspec/conformance/worker/native/faulty.h>
#include <dlspec/conformance/worker/native/gpu.h>
#include <dlspec/conformance/worker/native/loaded_plugin.h>
#include <dlspec/conformance/worker/native/native_case.h>
#include <dlspec/conformance/worker/native/native_variants.h>
#include <dlspec/conformance/worker/protocol/channel.h>
#include <dlspec/conformance/worker/protocol/messages.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::conformance {
namespace {

constexpr int protocol_error = 70;  // exit status: the command said something that is no request

Ready introduce(const DlspecPlugin& plugin, const std::string& path) {
  Ready ready;
  ready.pid = ::getpid();
  ready.name = plugin.name;
  ready.version = plugin.version;
  ready.loaded_from = path;
  ready.build = file_digest(path);
  if (plugin.make != nullptr) ready.roles.push_back(Role::producer);
  if (plugin.import_tensor != nullptr) ready.roles.push_back(Role::consumer);
  if (plugin.bridge != nullptr) ready.roles.push_back(Role::bridge);
  ready.standard = "dlpack";
  return ready;
}

// The subject, or dlspec's own.
const DlspecPlugin* asked_of(const Case& work, const DlspecPlugin* plugin) {
  if (work.control.empty()) return plugin;
  return work.control == "good" ? builtin_plugin() : faulty_plugin();
}

int serve(Channel& channel, const DlspecPlugin& plugin) {
  while (const std::optional<std::string> line = channel.receive()) {
    const Request request = parse_request(*line);
    if (std::holds_alternative<QuitRequest>(request)) return 0;
    const auto* const asked = std::get_if<CaseRequest>(&request);
    if (asked == nullptr) return protocol_error;
    arm_fault_report();
    const CaseReply reply{asked->number, ::getpid(), answer_case(*asked_of(asked->work, &plugin), asked->work)};
    if (!channel.send(encode(reply, asked->work.rules))) return 0;
  }
  return 0;
}

int work(int descriptor) {
  Channel channel(descriptor);
  const std::optional<std::string> line = channel.receive();
  if (!line) return 0;
  const Request request = parse_request(*line);
  const auto* const start = std::get_if<StartRequest>(&request);
  if (start == nullptr) return protocol_error;
  std::string no_device;
  if (Gpu::asked(no_device) == nullptr && !no_device.empty()) {
    channel.send(encode(Failed{"device", no_device, {}}));
    return 0;
  }
  const bool builtin = start->kind == SubjectKind::builtin;
  const LoadedPlugin loaded = builtin ? LoadedPlugin{*builtin_plugin(), {}, {}} : load_plugin(start->path);
  if (!loaded.table) {
    channel.send(encode(Failed{"plugin", loaded.message, loaded.detail}));
    return 0;
  }
  channel.send(encode(introduce(*loaded.table, start->path)));
  return serve(channel, *loaded.table);
}

}  // namespace

Answer answer_case(const DlspecPlugin& plugin, const Case& work) {
  const NativeCase asked(work);
  NativeAnswer answer(asked);
  answer_native_case(plugin, work.role, work.variant, asked, answer);
  // Asked of whatever is offered, and some cases end before anything is.
  for (const RuleId rule : rules_of_conduct) {
    if (work.role == Role::consumer && !answer.outcomes().contains(rule)) answer.not_applicable(rule);
  }
  Answer reply;
  for (const auto& [rule, outcome] : answer.outcomes()) {
    if (answer.asks(rule)) reply.outcomes.emplace(rule, outcome);
  }
  reply.sequence = answer.report();
  return reply;
}

int native_worker_main(int channel) {
  try {
    const int taken = take_channel(channel);
    report_faults_to(taken);
    return taken < 0 ? protocol_error : work(taken);
  } catch (const std::exception&) {
    return protocol_error;
  }
}

}  // namespace dlspec::conformance
