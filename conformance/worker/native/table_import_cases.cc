// Exchange tables of plug-ins: tensors that they import, and what becomes of those that they refuse.
#include <fmt/format.h>

#include <memory>
#include <string>
#include <string_view>

#include <dlspec/conformance/oracle/offer.h>
#include <dlspec/conformance/oracle/unknown_values.h>
#include <dlspec/conformance/worker/native/consumer_trial.h>
#include <dlspec/conformance/worker/native/patience.h>
#include <dlspec/conformance/worker/native/plugin_table.h>
#include <dlspec/conformance/worker/native/table_cases.h>
#include <dlspec/conformance/worker/native/table_conduct.h>
#include <dlspec/vocabulary/rules.h>

namespace dlspec::conformance {
namespace {

constexpr const char* owns = "one release by the function's library, when its object goes";
constexpr const char* callers = "a tensor that is still the caller's, and that nobody releases twice";

// An object that nobody has looked at is given up: its tensor is released, once.
void judge_steals(const DlspecPlugin& through, Offer& offer, NativeAnswer& answer) {
  const RuleId rule = RuleId::exchange_to_steals;
  void* object = nullptr;
  const char* reason = nullptr;
  const Exported exported = offer.share();
  if (through.import_tensor(const_cast<void*>(exported.object()), DLSPEC_VERSIONED, &object, &reason) != DLSPEC_OK)
    return answer.violated(rule, "the same tensor was taken once, and is refused now", owns);
  if (object == nullptr) return answer.violated(rule, "the function succeeded and gave no object", owns);
  through.release(object);
  happens_soon([&] { return offer.counts().live == 0; });
  const OfferCounts counts = offer.counts();
  const bool once = counts.deleter_calls == 1 && counts.repeated_calls == 0;
  answer.decide(rule, once, fmt::format("the deleter was called {} times", counts.deleter_calls), owns);
}

}  // namespace

void table_import_case(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  const DlspecPlugin through = asked_through_table(plugin, answer);
  if (through.make == nullptr) return;
  std::string problem;
  const std::unique_ptr<Offer> offer = Offer::make(ordinary_offer(asked, Generation::versioned), problem);
  if (offer == nullptr) return answer.rest_blocked(cannot_offer(problem));
  const PluginImport import = import_and_release(through, *offer);
  judge_table_calls(answer);
  if (!import.taken) return answer.rest_unsupported(import.reason);
  if (!import.has_contents) {
    answer.set(RuleId::tensor_element_address, {Outcome::Kind::unsupported, "the import shows no elements", {}, {}});
  } else {
    const std::string difference = misread(*offer, import);
    answer.decide(RuleId::tensor_element_address, difference.empty(), difference, offered_contents);
  }
  const std::unique_ptr<Offer> second = Offer::make(ordinary_offer(asked, Generation::versioned), problem);
  if (second != nullptr) judge_steals(through, *second, answer);
}

namespace {

// What no table needs to take.
OfferRequest strange_offer(const NativeCase& asked, std::string_view name) {
  OfferRequest request = ordinary_offer(asked, Generation::versioned);
  if (name == "unknown-dtype") {
    request.dtype = abi::DataType{unknown_dtype_code, request.descriptor.layout.dtype.bits, 1};
  } else if (name == "unknown-device") {
    request.descriptor.device = {unknown_device_type, 0};
  } else {
    request.descriptor.version = {abi::newest_version.major + 1, 0};
  }
  return request;
}

}  // namespace

void table_refused_case(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  const DlspecPlugin through = asked_through_table(plugin, answer);
  if (through.make == nullptr) return;
  const std::string_view name = std::string_view(asked.variant).substr(std::string_view("table-import=").size());
  std::string problem;
  const std::unique_ptr<Offer> offer = Offer::make(strange_offer(asked, name), problem);
  if (offer == nullptr) return answer.rest_blocked(cannot_offer(problem));
  const Exported exported = offer->share();
  void* object = nullptr;
  const char* reason = nullptr;
  const int status = through.import_tensor(const_cast<void*>(exported.object()), DLSPEC_VERSIONED, &object, &reason);
  const int calls_before = offer->counts().deleter_calls;
  judge_table_calls(answer);
  if (status == DLSPEC_OK) {
    if (object != nullptr) through.release(object);
    return answer.rest_not_applicable();
  }
  release_if_left(through, exported, calls_before);
  const OfferCounts counts = offer->counts();
  if (counts.repeated_calls != 0) {
    answer.set(RuleId::exchange_to_failure_ownership,
               wrong(fmt::format("after a failure the deleter was called {} times", counts.deleter_calls), callers));
  } else {
    answer.decide(RuleId::exchange_to_failure_ownership, calls_before == 0,
                  "the function that failed released the tensor", callers);
  }
}

// --- tensors that consumers rarely meet, or that no producer may make

// "table-NAME": the variant NAME of consumers, whose imports go through the table.
void table_unusual_case(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  const DlspecPlugin through = asked_through_table(plugin, answer);
  if (through.make == nullptr) return;
  NativeCase unusual = asked;
  unusual.variant = asked.variant.substr(std::string_view("table-").size());
  answer_native_case(through, Role::consumer, unusual.variant, unusual, answer);
}

void table_major_case(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  const DlspecPlugin through = asked_through_table(plugin, answer);
  if (through.make == nullptr) return;
  std::string problem;
  const std::unique_ptr<Offer> offer = Offer::make(strange_offer(asked, "major"), problem);
  if (offer == nullptr) return answer.rest_blocked(cannot_offer(problem));
  const PluginImport import = import_and_release(through, *offer);
  answer.decide(RuleId::version_major_mismatch_release, !import.taken,
                "a tensor of version 2.0 was imported through the exchange table", "a refusal");
}

}  // namespace dlspec::conformance
