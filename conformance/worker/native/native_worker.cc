#include <dlspec/conformance/worker/native/native_worker.h>

#include <fmt/format.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>

#include <dlspec/conformance/worker/native/builtin.h>
#include <dlspec/conformance/worker/native/loaded_plugin.h>
#include <dlspec/conformance/worker/native/native_case.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::conformance {
namespace {

using nlohmann::json;

std::string text(const json& message) { return message.dump(-1, ' ', false, json::error_handler_t::replace); }

// Lines over a socket, blocking.
class LineChannel {
 public:
  explicit LineChannel(int descriptor) : descriptor_(descriptor) {}

  // The next line without its end; nothing when the other side is gone.
  std::optional<std::string> read() {
    for (;;) {
      const std::size_t end = pending_.find('\n');
      if (end != std::string::npos) {
        std::string line = pending_.substr(0, end);
        pending_.erase(0, end + 1);
        return line;
      }
      char block[65536];
      const ssize_t count = ::recv(descriptor_, block, sizeof block, 0);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return std::nullopt;
      pending_.append(block, static_cast<std::size_t>(count));
    }
  }

  bool write(const std::string& message) {
    const std::string line = message + '\n';
    for (std::size_t sent = 0; sent < line.size();) {
      const ssize_t count = ::send(descriptor_, line.data() + sent, line.size() - sent, MSG_NOSIGNAL);
      if (count < 0 && errno == EINTR) continue;
      if (count <= 0) return false;
      sent += static_cast<std::size_t>(count);
    }
    return true;
  }

 private:
  int descriptor_;
  std::string pending_;
};

std::vector<std::uint8_t> from_hex(const std::string& text) {
  const auto digit = [](char c) { return c <= '9' ? c - '0' : (c | 0x20) - 'a' + 10; };
  std::vector<std::uint8_t> bytes(text.size() / 2);
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<std::uint8_t>(digit(text[2 * i]) << 4 | digit(text[2 * i + 1]));
  return bytes;
}

NativeCase read_case(const json& request) {
  NativeCase asked;
  const json& spec = request.at("spec");
  asked.role = request.at("role") == "producer" ? Role::producer : Role::consumer;
  asked.variant = request.at("variant").get<std::string>();
  asked.layout.dtype = parse_dtype(spec.at("dtype").get<std::string>()).value();
  asked.layout.shape = spec.at("shape").get<std::vector<std::int64_t>>();
  if (!spec.at("strides").is_null()) asked.layout.strides = spec.at("strides").get<std::vector<std::int64_t>>();
  asked.offset = spec.at("offset").get<std::int64_t>();
  asked.layout.byte_offset = static_cast<std::uint64_t>(asked.offset) * item_size(asked.layout.dtype);
  asked.read_only = spec.at("readonly").get<bool>();
  asked.bytes = from_hex(spec.at("bytes").get<std::string>());
  for (const json& id : request.at("rules")) asked.rules.push_back(find_rule(id.get<std::string>())->rule);
  return asked;
}

json outcome_json(const Outcome& outcome) {
  static constexpr const char* names[] = {"pass", "broken", "unsupported", "not-applicable", "blocked", "info"};
  json object{{"outcome", names[static_cast<std::size_t>(outcome.kind)]}};
  if (!outcome.observed.empty()) object["observed"] = outcome.observed;
  if (!outcome.allowed.empty()) object["allowed"] = outcome.allowed;
  if (outcome.verdict) object["verdict"] = verdict_name(*outcome.verdict);
  return object;
}

json answer_json(const json& request, const NativeCase& asked, const NativeAnswer& answer) {
  json message{{"n", request.at("n")}, {"pid", ::getpid()}};
  if (!answer.fault_sentence().empty()) {
    message["adapter_fault"] = answer.fault_sentence();
    return message;
  }
  json& outcomes = message["outcomes"] = json::object();
  for (const RuleId rule : asked.rules) {
    const auto found = answer.outcomes().find(rule);
    if (found != answer.outcomes().end()) outcomes[dlspec::rule(rule).id] = outcome_json(found->second);
  }
  return message;
}

json ready(const DlspecPlugin& plugin, const std::string& path) {
  json roles = json::array();
  if (plugin.make != nullptr) roles.push_back("producer");
  if (plugin.import_tensor != nullptr) roles.push_back("consumer");
  return {{"ready",
           {{"pid", ::getpid()},
            {"name", plugin.name},
            {"version", plugin.version},
            {"loaded_from", path},
            {"roles", roles},
            {"standard", "dlpack"},
            {"provides", json::array()}}}};
}

int serve(LineChannel& channel, const DlspecPlugin& plugin) {
  while (const std::optional<std::string> line = channel.read()) {
    const json message = json::parse(*line, nullptr, false);
    if (message.is_discarded() || message.contains("quit")) break;
    if (!channel.write(answer_request(plugin, *line))) break;
  }
  return 0;
}

int work(int descriptor) {
  LineChannel channel(descriptor);
  const std::optional<std::string> line = channel.read();
  if (!line) return 0;
  const json start = json::parse(*line).at("start");
  const bool builtin = start.at("kind") == "builtin";
  const std::string path = builtin ? "" : start.at("path").get<std::string>();
  const LoadedPlugin loaded = builtin ? LoadedPlugin{builtin_plugin(), {}, {}} : load_plugin(path);
  if (loaded.table == nullptr) {
    channel.write(text(json{{"failed", {{"stage", "plugin"}, {"message", loaded.message}, {"detail", loaded.detail}}}}));
    return 0;
  }
  channel.write(text(ready(*loaded.table, path)));
  return serve(channel, *loaded.table);
}

}  // namespace

std::string answer_request(const DlspecPlugin& plugin, std::string_view request_line) {
  const json message = json::parse(request_line);
  const json& request = message.at("case");
  const NativeCase asked = read_case(request);
  NativeAnswer answer(asked);
  if (asked.role == Role::producer) answer_producer_case(plugin, asked, answer);
  else answer_consumer_case(plugin, asked, answer);
  return text(answer_json(request, asked, answer));
}

int native_worker_main(int channel) {
  try {
    return work(channel);
  } catch (const std::exception&) {
    return 70;  // the protocol was not kept; the supervisor says that the worker left without an answer
  }
}

std::string difference(const std::vector<std::uint8_t>& got, const std::vector<std::uint8_t>& wanted) {
  if (got.size() != wanted.size()) return fmt::format("{} bytes of contents instead of {}", got.size(), wanted.size());
  const auto [first, other] = std::mismatch(got.begin(), got.end(), wanted.begin());
  if (first == got.end()) return {};
  return fmt::format("byte {} of the contents is 0x{:02x} instead of 0x{:02x}", first - got.begin(), *first, *other);
}

}  // namespace dlspec::conformance
