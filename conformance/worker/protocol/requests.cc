#include <dlspec/conformance/core/json_fields.h>
#include <dlspec/conformance/worker/protocol/messages.h>

namespace dlspec::conformance {

namespace {

using fields::Json;

Request parse_start(const Json& object) {
  const auto kind = parse_kind(fields::text_or_empty(object, "kind"));
  if (!kind) return Rubbish{"the start names no kind of subject that is known"};
  return StartRequest{*kind, fields::text_or_empty(object, "path"), fields::text_or_empty(object, "native"),
                      fields::whole_number(object, "seed").value_or(0)};
}

std::optional<unsigned> hex_digit(char c) {
  if (c >= '0' && c <= '9') return static_cast<unsigned>(c - '0');
  if (c >= 'a' && c <= 'f') return static_cast<unsigned>(c - 'a' + 10);
  return std::nullopt;
}

std::optional<std::string> from_hex(const std::string& text) {
  if (text.size() % 2 != 0) return std::nullopt;
  std::string bytes;
  bytes.reserve(text.size() / 2);
  for (std::size_t i = 0; i < text.size(); i += 2) {
    const auto high = hex_digit(text[i]);
    const auto low = hex_digit(text[i + 1]);
    if (!high || !low) return std::nullopt;
    bytes += static_cast<char>(*high * 16 + *low);
  }
  return bytes;
}

std::optional<Order> parse_order(const Json& spec) {
  const auto dtype = fields::text(spec, "dtype");
  auto shape = fields::integers(spec, "shape");
  auto bytes = from_hex(fields::text_or_empty(spec, "bytes"));
  if (!dtype || !shape || !bytes) return std::nullopt;
  Order order;
  order.dtype = *dtype;
  order.shape = std::move(*shape);
  order.strides = fields::integers(spec, "strides");
  if (order.strides && order.strides->size() != order.shape.size()) return std::nullopt;
  order.offset = fields::integer(spec, "offset").value_or(0);
  const Json* read_only = fields::find(spec, "readonly");
  order.read_only = read_only && read_only->is_boolean() && read_only->get<bool>();
  if (const auto device = fields::integers(spec, "device"); device && device->size() == 2) {
    order.device = {static_cast<std::int32_t>((*device)[0]), static_cast<std::int32_t>((*device)[1])};
  }
  order.bytes = std::move(*bytes);
  return order;
}

Request parse_case(const Json& object) {
  const auto number = fields::integer(object, "n");
  const auto role = fields::text(object, "role");
  const Json* spec = fields::find(object, "spec");
  auto order = spec ? parse_order(*spec) : std::nullopt;
  if (!number || *number < 0 || !role || !order) return Rubbish{"the case has no number, role or readable order"};
  const std::optional<Role> played = parse_role(*role);
  if (!played || *played == Role::exchange) return Rubbish{"the case is for an unknown role"};
  CaseRequest request;
  request.number = static_cast<std::uint64_t>(*number);
  request.work.id = fields::text_or_empty(object, "id");
  request.work.role = *played;
  request.work.dtype = fields::text_or_empty(object, "dtype");
  request.work.layout = fields::text_or_empty(object, "layout");
  request.work.variant = fields::text_or_empty(object, "variant");
  request.work.control = fields::text_or_empty(object, "known");
  request.work.drawn = object.value("drawn", Json(false)) == Json(true);
  request.work.alone = object.value("alone", Json(false)) == Json(true);
  request.work.order = std::move(*order);
  request.work.sequences = fields::texts(object, "sequences");
  request.work.journal = fields::text_or_empty(object, "journal");
  for (const std::string& id : fields::texts(object, "rules")) {
    if (const Rule* known = find_rule(id)) request.work.rules.push_back(known->rule);
  }
  return request;
}

}  // namespace

std::string encode(const StartRequest& start) {
  Json fields = {{"kind", kind_name(start.kind)}, {"path", start.path}, {"native", start.native}, {"seed", start.seed}};
  if (start.exchange) fields["consumer"] = start.consumer;
  return fields::dump({{"start", std::move(fields)}});
}

std::string encode(const QuitRequest& /*quit*/) { return R"({"quit":true})"; }

Request parse_request(std::string_view line) {
  std::string why;
  const Json object = fields::parse_object(line, why);
  if (!why.empty()) return Rubbish{why};
  if (const Json* start = fields::find(object, "start")) return parse_start(*start);
  if (const Json* work = fields::find(object, "case")) return parse_case(*work);
  if (fields::find(object, "quit")) return QuitRequest{};
  return Rubbish{"neither a start, nor a case, nor a quit"};
}

}  // namespace dlspec::conformance
