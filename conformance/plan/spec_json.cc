#include <dlspec/conformance/plan/spec_json.h>

#include <set>
#include <utility>

#include <nlohmann/json.hpp>

#include <dlspec/conformance/plan/plan.h>
#include <dlspec/conformance/plan/sequence.h>

namespace dlspec::conformance {
namespace {

using Json = nlohmann::ordered_json;

std::string hexadecimal(const std::string& bytes) {
  static constexpr char digits[] = "0123456789abcdef";
  std::string text;
  text.reserve(bytes.size() * 2);
  for (const char character : bytes) {
    const auto byte = static_cast<unsigned char>(character);
    text += digits[byte >> 4];
    text += digits[byte & 15];
  }
  return text;
}

Json spec(const Order& order) {
  return {{"dtype", order.dtype},
          {"shape", order.shape},
          {"strides", order.strides ? Json(*order.strides) : Json(nullptr)},
          {"offset", order.offset},
          {"readonly", order.read_only},
          {"device", {order.device.device_type, order.device.device_id}},
          {"bytes", hexadecimal(order.bytes)}};
}

Json rule_ids(const std::vector<RuleId>& rules) {
  Json ids = Json::array();
  for (const RuleId id : rules) ids.push_back(rule(id).id);
  return ids;
}

// The arrays that sequences make, by "LAYOUT DTYPE"; those that a library falls back to included.
Json orders_of(const std::vector<std::string>& sequences) {
  std::set<std::pair<std::string, std::string>> wanted{{"c", "float32"}, {"c", "uint8"}};
  for (const std::string& text : sequences) {
    for (const Step& step : parse_sequence(text).value_or(Sequence{})) {
      if (step.kind != StepKind::make) continue;
      wanted.emplace(step.option(0), step.option(1));
      wanted.emplace("c", step.option(1));
      wanted.emplace(step.option(0), "float32");
    }
  }
  Json orders = Json::object();
  for (const auto& [layout, dtype] : wanted) orders[layout + " " + dtype] = spec(sequence_order(layout, dtype));
  return orders;
}

}  // namespace

std::string case_request(const Case& work, std::uint64_t number) {
  Json request = {{"case",
                   {{"n", number},
                    {"id", work.id},
                    {"role", role_name(work.role)},
                    {"dtype", work.dtype},
                    {"layout", work.layout},
                    {"variant", work.variant},
                    {"spec", spec(work.order)},
                    {"rules", rule_ids(work.rules)}}}};
  if (!work.control.empty()) request["case"]["known"] = work.control;
  if (!work.sequences.empty()) {
    request["case"]["sequences"] = work.sequences;
    request["case"]["orders"] = orders_of(work.sequences);
  }
  if (!work.journal.empty()) request["case"]["journal"] = work.journal;
  return request.dump();
}

}  // namespace dlspec::conformance
