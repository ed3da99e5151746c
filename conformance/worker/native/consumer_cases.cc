// Consumers behind the plug-in table: what they make of tensors that dlspec offers.
#include <fmt/format.h>

#include <dlspec/conformance/oracle/offer.h>
#include <dlspec/conformance/worker/native/native_case.h>
#include <dlspec/vocabulary/flags.h>

namespace dlspec::conformance {
namespace {

// The ordinary offer of this case, before the variant alters it. Element (0, ..., 0) lies at `data`
// itself but for the layouts that order an offset without needing one: those try byte_offset.
OfferRequest ordinary_offer(const NativeCase& asked, Generation generation) {
  OfferRequest request;
  request.descriptor.layout = asked.layout;
  Layout& layout = request.descriptor.layout;
  const bool negative = layout.strides && !layout.strides->empty() && layout.strides->front() < 0;
  if (negative) layout.byte_offset = 0;
  if (!layout.strides) {
    std::vector<std::int64_t> strides(layout.shape.size());
    std::int64_t step = 1;
    for (std::size_t axis = strides.size(); axis-- > 0; step *= layout.shape[axis]) strides[axis] = step;
    layout.strides = std::move(strides);
  }
  request.descriptor.generation = generation;
  request.descriptor.flags = asked.read_only && generation == Generation::versioned ? flags::read_only : 0;
  request.descriptor.null_data = asked.bytes.empty();
  request.contents = asked.bytes;
  return request;
}

// One alteration per variant that is not ordinary.
struct Stimulus {
  const char* variant;
  Generation generation;
  void (*alter)(OfferRequest&);
};

constexpr Stimulus stimuli[] = {
    {"versioned", Generation::versioned, [](OfferRequest&) {}},
    {"legacy", Generation::legacy, [](OfferRequest&) {}},
    {"release", Generation::versioned, [](OfferRequest&) {}},
    {"strides-null=1.0", Generation::versioned,
     [](OfferRequest& offer) {
       offer.descriptor.layout.strides.reset();
       offer.descriptor.version = {1, 0};
     }},
    {"strides-null=legacy", Generation::legacy, [](OfferRequest& offer) { offer.descriptor.layout.strides.reset(); }},
    {"data-null", Generation::versioned, [](OfferRequest& offer) { offer.descriptor.null_data = true; }},
    {"data-nonnull", Generation::versioned, [](OfferRequest& offer) { offer.descriptor.null_data = false; }},
    {"shape-null", Generation::versioned,
     [](OfferRequest& offer) {
       offer.null_shape = true;
       offer.descriptor.layout.strides.reset();
     }},
    {"major=2", Generation::versioned, [](OfferRequest& offer) { offer.descriptor.version = {2, 0}; }},
    {"major=0", Generation::versioned, [](OfferRequest& offer) { offer.descriptor.version = {0, 8}; }},
    {"minor=99", Generation::versioned, [](OfferRequest& offer) { offer.descriptor.version = {1, 99}; }},
    {"unknown-dtype", Generation::versioned, [](OfferRequest& offer) { offer.dtype = abi::DataType{200, 32, 1}; }},
    {"unknown-device", Generation::versioned, [](OfferRequest& offer) { offer.descriptor.device = {99, 0}; }},
    {"null-deleter", Generation::versioned, [](OfferRequest& offer) { offer.null_deleter = true; }},
    {"read-only", Generation::versioned, [](OfferRequest& offer) { offer.descriptor.flags = flags::read_only; }},
};

// An import: what the plug-in answered, and what it made of the tensor.
struct Import {
  bool taken = false;
  std::string reason;
  std::vector<std::uint8_t> contents;
  bool has_contents = false;
};

Import import_and_release(const DlspecPlugin& plugin, Offer& offer, std::size_t byte_count) {
  const Exported exported = offer.share();
  void* array = nullptr;
  const char* reason = nullptr;
  Import import;
  const int generation = exported.generation() == Generation::versioned ? DLSPEC_VERSIONED : DLSPEC_LEGACY;
  import.taken = plugin.import_tensor(const_cast<void*>(exported.object()), generation, &array, &reason) == DLSPEC_OK;
  import.reason = reason != nullptr ? reason : "no reason given";
  if (!import.taken) return import;
  import.contents.assign(byte_count, 0xA5);
  import.has_contents = plugin.contents(array, import.contents.data(), byte_count) == DLSPEC_OK;
  plugin.release(array);
  return import;
}

void judge_releases(const Import& import, const OfferCounts& counts, NativeAnswer& answer) {
  const std::string observed = fmt::format("the deleter was called {} times", counts.deleter_calls);
  const bool once = counts.deleter_calls == 1 && counts.repeated_calls == 0;
  if (import.taken) {
    answer.decide(RuleId::managed_deleter_once, once, observed + " after the array was given up", "one call");
    answer.set(RuleId::managed_error_releases, {Outcome::Kind::not_applicable, {}, {}, {}});
  } else {
    answer.decide(RuleId::managed_error_releases, once, observed + " after the refusal", "one call");
    answer.set(RuleId::managed_deleter_once, {Outcome::Kind::blocked, "the tensor was refused", {}, {}});
  }
  answer.decide(RuleId::managed_deleter_original_pointer, counts.wrong_self == 0, "the deleter got another pointer than was handed over",
                "the pointer that was handed over");
}

// Rules that hold for whatever was offered, taken or refused.
void judge_respect(const Offer& offer, NativeAnswer& answer) {
  answer.decide(RuleId::managed_no_touch_after_delete, offer.counts().late_writes == 0, "the export was written to after its release",
                "no access after the release");
  answer.decide(RuleId::flags_read_only_not_written, offer.memory_intact(), "memory was written to", "memory that is left alone");
  answer.set(RuleId::flags_read_only_respected, {Outcome::Kind::not_applicable, {}, {}, {}});  // the table has no way to write
  answer.decide(RuleId::tensor_metadata_not_mutated, offer.struct_intact(), "the struct was written to", "a struct that is left alone");
}

// What the layout or the variant tries beyond the elements: right contents keep the rule.
void judge_contents(const NativeCase& asked, const Import& import, NativeAnswer& answer) {
  const std::string problem = import.has_contents ? difference(import.contents, asked.bytes) : "contents() failed on an imported array";
  for (const RuleId rule : asked.rules) {
    if (answer.outcomes().contains(rule)) continue;
    answer.decide(rule, problem.empty(), problem, "the contents of the tensor that was offered");
  }
}

// Rules that ask for a refusal: taking the tensor breaks them, and so does keeping a foreign one.
void judge_refusal(const NativeCase& asked, const Import& import, const OfferCounts& counts, NativeAnswer& answer) {
  Outcome taken{Outcome::Kind::broken, "the tensor was taken", "a refusal and one call of the deleter", {}};
  if (asked.variant == "major=0") taken.verdict = Verdict::warn;  // consumers that test for a greater major take 0
  for (const RuleId rule : {RuleId::version_major_checked_first, RuleId::version_unknown_values_rejected}) {
    answer.set(rule, import.taken ? taken : Outcome{});
  }
  if (import.taken) {
    answer.set(RuleId::version_major_mismatch_release, taken);
  } else {
    answer.decide(RuleId::version_major_mismatch_release, counts.deleter_calls == 1,
                  fmt::format("refused, and the deleter was called {} times", counts.deleter_calls), "a refusal and one call of the deleter");
  }
}

// True when the same tensor is taken with strides.
bool takes_strides(const DlspecPlugin& plugin, const NativeCase& asked, const Offer& refused) {
  OfferRequest request = refused.request();
  request.descriptor.layout.strides = ordinary_offer(asked, request.descriptor.generation).descriptor.layout.strides;
  std::string problem;
  const std::unique_ptr<Offer> offer = Offer::make(std::move(request), problem);
  return offer != nullptr && import_and_release(plugin, *offer, asked.bytes.size()).taken;
}

bool asks_refusal(const std::string& variant) {
  return variant == "major=2" || variant == "major=0" || variant == "unknown-dtype" || variant == "unknown-device";
}

}  // namespace

void answer_consumer_case(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  if (plugin.import_tensor == nullptr) return answer.rest_unsupported("the plug-in has no consumer");
  for (const Stimulus& stimulus : stimuli) {
    if (asked.variant != stimulus.variant) continue;
    OfferRequest request = ordinary_offer(asked, stimulus.generation);
    stimulus.alter(request);
    std::string problem;
    const std::unique_ptr<Offer> offer = Offer::make(std::move(request), problem);
    if (offer == nullptr) return answer.rest({Outcome::Kind::blocked, "dlspec cannot offer this tensor: " + problem, {}, {}});
    const Import import = import_and_release(plugin, *offer, asked.bytes.size());
    judge_respect(*offer, answer);
    if (offer->request().null_deleter) {
      answer.decide(RuleId::managed_deleter_null_skipped, true, {}, {});  // a call through NULL would have ended the process
    } else {
      judge_releases(import, offer->counts(), answer);
    }
    if (asks_refusal(asked.variant)) judge_refusal(asked, import, offer->counts(), answer);
    if (!import.taken && asked.variant.starts_with("strides-null=") && takes_strides(plugin, asked, *offer)) {
      answer.broken(RuleId::tensor_strides_null_tolerance, "refused, though taken with strides: " + import.reason,
                    "NULL strides, read as row-major");
    }
    if (!import.taken) return answer.rest_unsupported(import.reason);
    if (asks_refusal(asked.variant)) return answer.rest({Outcome::Kind::blocked, "the tensor should have been refused", {}, {}});
    return judge_contents(asked, import, answer);
  }
}

}  // namespace dlspec::conformance
