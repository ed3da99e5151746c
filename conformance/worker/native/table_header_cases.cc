// Exchange tables of plug-ins: the header, the members, and the stream that the table names.
#include <fmt/format.h>

#include <cstring>
#include <vector>

#include <dlspec/conformance/oracle/unknown_values.h>
#include <dlspec/conformance/worker/native/plugin_table.h>
#include <dlspec/conformance/worker/native/producer_trial.h>
#include <dlspec/conformance/worker/native/table_cases.h>
#include <dlspec/conformance/worker/native/table_conduct.h>
#include <dlspec/vocabulary/device.h>
#include <dlspec/vocabulary/rules.h>

namespace dlspec::conformance {
namespace {

using Header = abi::v1::ExchangeApiHeader;

constexpr abi::Version first_with_tables{1, 2};
constexpr std::size_t longest_chain = 16;
constexpr const char* older = "NULL, or an older table";

std::string dotted(abi::Version version) { return fmt::format("{}.{}", version.major, version.minor); }

// What is wrong with the tables that prev_api leads to; "" when nothing is.
std::string chain_problem(const Header& first) {
  const Header* newer = &first;
  for (std::size_t count = 0; newer->prev_api != nullptr; ++count) {
    const Header* const each = newer->prev_api;
    if (count == longest_chain) return fmt::format("prev_api has more than {} tables", longest_chain);
    if (!(each->version < newer->version)) {
      return fmt::format("prev_api of the table of {} leads to one of {}", dotted(newer->version),
                         dotted(each->version));
    }
    newer = each;
  }
  return "";
}

void judge_members(const Api& api, NativeAnswer& answer) {
  const auto judge = [&](RuleId rule, const char* name, bool is_there) {
    answer.decide(rule, is_there, std::string(name) + " is NULL", "a function");
  };
  judge(RuleId::exchange_fn_allocator_nonnull, "managed_tensor_allocator", api.managed_tensor_allocator != nullptr);
  judge(RuleId::exchange_fn_from_nonnull, "managed_tensor_from_py_object_no_sync",
        api.managed_tensor_from_py_object_no_sync != nullptr);
  judge(RuleId::exchange_fn_to_nonnull, "managed_tensor_to_py_object_no_sync",
        api.managed_tensor_to_py_object_no_sync != nullptr);
  judge(RuleId::exchange_fn_stream_nonnull, "current_work_stream", api.current_work_stream != nullptr);
}

}  // namespace

void table_header_case(const DlspecPlugin& plugin, const NativeCase&, NativeAnswer& answer) {
  if (plugin.exchange_api == nullptr) return answer.rest_not_applicable();
  const auto& header = *static_cast<const Header*>(plugin.exchange_api);
  if (header.version < first_with_tables) {
    answer.violated(RuleId::exchange_header_version,
                    fmt::format("the header says {}, and DLPack has such tables since 1.2", dotted(header.version)),
                    "the version of DLPack that the table implements");
    return answer.rest_blocked("by exchange.header-version");
  }
  answer.pass(RuleId::exchange_header_version);
  const std::string problem = chain_problem(header);
  answer.decide(RuleId::exchange_prev_null_or_older, problem.empty(), problem, older);
  if (const Api* const api = exchange_table_of(plugin)) judge_members(*api, answer);
  answer.rest_not_applicable();
}

// What uses change: nothing.
void table_lifetime_case(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  const Api* const api = exchange_table_of(plugin);
  if (api == nullptr) return answer.rest_not_applicable();
  const Api before = *api;
  const DlspecPlugin through = through_table(plugin);
  for (int i = 0; through.make != nullptr && i < 3; ++i) (void)PluginExport(through, asked, Generation::versioned);
  const bool is_same = std::memcmp(&before, api, sizeof before) == 0;
  answer.decide(RuleId::exchange_process_lifetime, is_same, "the table changed while it was used",
                "a table that stays as it is");
}

namespace {

struct Stream {
  bool succeeded;
  bool is_left;  // the variable is as it was
};

Stream stream_of(const Api& api, std::int32_t device_type) {
  int preset = 0;
  void* stream = &preset;
  const bool succeeded =
      table_call("current_work_stream", [&] { return api.current_work_stream(device_type, 0, &stream); });
  return {succeeded, stream == &preset};
}

}  // namespace

void table_stream_case(const DlspecPlugin& plugin, const NativeCase&, NativeAnswer& answer) {
  const Api* const api = table_with(&Api::current_work_stream, RuleId::exchange_fn_stream_nonnull, plugin, answer);
  if (api == nullptr) return;
  bool is_left = false;
  for (int time = 0; time < 3; ++time) {  // the answer may be remembered
    const Stream found = stream_of(*api, kDLCPU);
    is_left = is_left || (found.succeeded && found.is_left);
  }
  answer.decide(RuleId::exchange_stream_cpu, !is_left,
                "current_work_stream succeeded for the host and left the caller's variable as it was",
                "NULL, a stream, or a failure");
  judge_table_calls(answer);
}

void table_unknown_stream_case(const DlspecPlugin& plugin, const NativeCase&, NativeAnswer& answer) {
  const Api* const api = table_with(&Api::current_work_stream, RuleId::exchange_fn_stream_nonnull, plugin, answer);
  if (api == nullptr) return;
  const bool succeeded = stream_of(*api, kDLCPU).succeeded;
  (void)stream_of(*api, unknown_device_type);
  const bool is_alike = stream_of(*api, kDLCPU).succeeded == succeeded;
  answer.decide(RuleId::exchange_stream_cpu, is_alike,
                "current_work_stream answered another status for the host after a call for an unknown device",
                "the same status");
  judge_table_calls(answer);
}

}  // namespace dlspec::conformance
