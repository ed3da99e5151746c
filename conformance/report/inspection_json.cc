#include <dlspec/conformance/report/inspection.h>

#include <dlspec/conformance/core/json_fields.h>

namespace dlspec::conformance {

namespace {

using fields::Json;

std::optional<std::uint64_t> natural(const Json& object, const char* key) {
  const Json* value = fields::find(object, key);
  if (!value || !value->is_number_unsigned()) return std::nullopt;
  return value->get<std::uint64_t>();
}

std::optional<bool> boolean(const Json& object, const char* key) {
  const Json* value = fields::find(object, key);
  if (!value || !value->is_boolean()) return std::nullopt;
  return value->get<bool>();
}

template <class Number>
std::optional<std::pair<Number, Number>> pair(const Json& object, const char* key) {
  const auto numbers = fields::integers(object, key);
  if (!numbers || numbers->size() != 2) return std::nullopt;
  return std::pair(static_cast<Number>((*numbers)[0]), static_cast<Number>((*numbers)[1]));
}

std::vector<InspectedRule> findings(const Json& object) {
  std::vector<InspectedRule> result;
  const Json* list = fields::find(object, "findings");
  if (!list || !list->is_array()) return result;
  for (const Json& item : *list) {
    const Rule* known = find_rule(fields::text_or_empty(item, "rule"));
    const auto status = parse_verdict(fields::text_or_empty(item, "verdict"));
    if (!known || !status) continue;
    result.push_back(
        {known->rule, *status, fields::text_or_empty(item, "observed"), fields::text_or_empty(item, "allowed")});
  }
  return result;
}

Inspection read(const Json& object) {
  Inspection found;
  found.type = fields::text_or_empty(object, "type");
  found.asked = fields::text_or_empty(object, "asked");
  found.name = fields::text(object, "name");
  found.generation = fields::text(object, "generation");
  found.has_destructor = boolean(object, "has_destructor").value_or(false);
  found.version = pair<std::uint64_t>(object, "version");
  found.flags = natural(object, "flags");
  found.null_deleter = boolean(object, "null_deleter");
  found.device = pair<std::int64_t>(object, "device");
  found.ndim = fields::integer(object, "ndim");
  found.dtype = fields::integers(object, "dtype");
  found.shape = fields::integers(object, "shape");
  found.strides = fields::integers(object, "strides");
  found.byte_offset = natural(object, "byte_offset");
  found.data = natural(object, "data");
  found.text = fields::text_or_empty(object, "text");
  found.findings = findings(object);
  return found;
}

}  // namespace

InspectionAnswer parse_inspection(std::string_view line) {
  std::string why;
  const Json object = fields::parse_object(line, why);
  if (!why.empty()) return {std::nullopt, "the interpreter wrote rubbish on the channel: " + why, ""};
  if (const Json* inspected = fields::find(object, "inspected")) return {read(*inspected), "", ""};
  const Json* failed = fields::find(object, "failed");
  if (!failed) return {std::nullopt, "the interpreter gave no answer", ""};
  return {std::nullopt, fields::text_or_empty(*failed, "message"), fields::text_or_empty(*failed, "detail"),
          fields::text_or_empty(*failed, "missing")};
}

std::string inspection_request(const std::string& native, const std::string& expression, const std::string& setup,
                               const std::vector<std::string>& paths) {
  return fields::dump(
      {{"inspect", {{"native", native}, {"expression", expression}, {"setup", setup}, {"paths", paths}}}});
}

}  // namespace dlspec::conformance
