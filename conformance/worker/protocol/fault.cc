#include <dlspec/conformance/worker/protocol/fault.h>

#include <dlspec/conformance/core/json_fields.h>

namespace dlspec::conformance {
namespace {

using fields::Json;

std::string past_tense(const std::string& access) {
  if (access == "read") return "read";
  return access == "write" ? "wrote to" : "touched";
}

// An out-of-bounds access, a write to read-only memory, or an access after the release.
Fault of_access(const Json& body) {
  const std::string part = fields::text_or_empty(body, "part");
  const std::string state = fields::text_or_empty(body, "state");
  const std::string where = fields::text_or_empty(body, "where");
  const std::string act = "it " + past_tense(fields::text_or_empty(body, "access")) + " ";
  Fault fault;
  if (state == "closed") {
    fault.text = act + "the " + part + " after the release";
    fault.culprit = RuleId::managed_no_touch_after_delete;
  } else if (state == "read-only" && where == "inside") {
    fault.text = act + part + " that is marked READ_ONLY";
    fault.culprit = RuleId::flags_read_only_not_written;
  } else {
    const std::int64_t distance = fields::integer(body, "distance").value_or(0);
    fault.text = act + std::to_string(distance) + (distance == 1 ? " byte " : " bytes ") + where + " the " + part;
    fault.culprit = RuleId::tensor_element_address;
  }
  return fault;
}

Fault of_exception(const Json& body, const std::string& type) {
  const std::string callee = fields::text_or_empty(body, "callee");
  Fault fault;
  if (callee == "deleter") {
    fault.text = "the deleter threw " + type;
    fault.culprit = RuleId::managed_deleter_nothrow;
  } else if (callee == "table function") {
    fault.text = "a function of the exchange table threw " + type;
    fault.culprit = RuleId::exchange_no_cpp_exceptions;
  } else {
    fault.text = "a C++ exception that nobody caught, " + type;
  }
  return fault;
}

}  // namespace

std::optional<ExitMark> parse_exit_mark(std::string_view line) {
  if (!line.starts_with(R"({"exit":)")) return std::nullopt;
  std::string why;
  const Json object = fields::parse_object(line, why);
  const Json* const body = why.empty() ? fields::find(object, "exit") : nullptr;
  if (body == nullptr) return std::nullopt;
  const std::string word = fields::text_or_empty(*body, "deleter");
  if (word == "entered") return ExitMark::entered;
  return word == "returned" ? std::optional(ExitMark::returned) : std::nullopt;
}

std::optional<Fault> parse_fault(std::string_view line) {
  if (!line.starts_with(R"({"fault":)")) return std::nullopt;
  std::string why;
  const Json object = fields::parse_object(line, why);
  const Json* const body = why.empty() ? fields::find(object, "fault") : nullptr;
  if (body == nullptr || !body->is_object()) return std::nullopt;
  const auto type = fields::text(*body, "exception");
  Fault fault = type ? of_exception(*body, *type) : of_access(*body);
  fault.pid = fields::integer(*body, "pid").value_or(0);
  return fault;
}

}  // namespace dlspec::conformance
