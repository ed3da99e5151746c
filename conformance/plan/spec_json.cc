#include <dlspec/conformance/plan/spec_json.h>

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <dlspec/conformance/plan/paths.h>
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
  for (const auto& [layout, dtype] : wanted) {
    orders[fmt::format("{} {}", layout, dtype)] = spec(sequence_order(layout, dtype));
  }
  return orders;
}

bool has(const std::vector<const char*>& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_tried(const Variant& variant, Role role, std::string_view stimulus) {
  return variant.role == role && stimulus == variant.name && variant.kinds != Kinds::native;  // those have no stimuli
}

// Of a case that tries a stimulus in other circumstances: the array that it is ordinarily tried with, and which of the
// following are cases of their own: the same with the dtype of this case, with its layout, with both.
void add_ordinary(const Case& work, Json& request) {
  const std::string_view stimulus = stimulus_of(work.variant);
  if (stimulus.empty()) return;
  const auto planned = [&](std::string_view dtype, std::string_view layout) {
    return std::any_of(variants().begin(), variants().end(), [&](const Variant& each) {
      return is_tried(each, work.role, stimulus) && has(each.dtypes, dtype) && has(each.layouts, layout);
    });
  };
  for (const Variant& each : variants()) {
    if (!is_tried(each, work.role, stimulus) || request.contains("plain")) continue;
    const char* const dtype = has(each.dtypes, "float32") ? "float32" : each.dtypes.front();
    const char* const layout = has(each.layouts, "c") ? "c" : each.layouts.front();
    request["plain"] = spec(sequence_order(layout, dtype));
    request["ordinary"] = Json::array();
    if (planned(work.dtype, layout)) request["ordinary"].push_back("dtype");
    if (planned(dtype, work.layout)) request["ordinary"].push_back("layout");
    if (planned(work.dtype, work.layout)) request["ordinary"].push_back("both");
  }
}

}  // namespace

std::string case_request(const Case& work, std::uint64_t number) {
  Json asked = {{"n", number},         {"id", work.id},         {"role", role_name(work.role)},
                {"dtype", work.dtype}, {"layout", work.layout}, {"variant", work.variant}};
  asked["spec"] = spec(work.order);
  asked["rules"] = rule_ids(work.rules);
  add_ordinary(work, asked);
  if (!work.control.empty()) asked["known"] = work.control;
  if (work.drawn) asked["drawn"] = true;
  if (work.alone) asked["alone"] = true;
  if (work.only_witness) asked["only_witness"] = true;
  if (!work.sequences.empty()) {
    asked["sequences"] = work.sequences;
    asked["orders"] = orders_of(work.sequences);
  }
  if (!work.journal.empty()) asked["journal"] = work.journal;
  Json request = Json::object();
  request["case"] = std::move(asked);  // an initializer list would copy it
  return request.dump();
}

}  // namespace dlspec::conformance
