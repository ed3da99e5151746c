// Consumers behind the plug-in table: what they make of tensors that dlspec offers.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/oracle/offer.h>
#include <dlspec/conformance/worker/native/native_case.h>
#include <dlspec/vocabulary/device.h>
#include <dlspec/vocabulary/dtype.h>
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

// What the answer to a stimulus says of the rule that it tries.
enum class Meaning : std::uint8_t {
  contents,  // right contents keep the rule, a refusal leaves it open
  guarded,   // a refusal keeps the rule as right contents do
  hidden,    // a refusal keeps the rule, contents that are shown break it
  alike,     // as the same offer without the alteration: taken, and with the same contents
};

// One alteration per variant that is not ordinary.
struct Stimulus {
  const char* variant;
  Generation generation;
  void (*alter)(OfferRequest&);
  Meaning meaning = Meaning::contents;
};

void nothing(OfferRequest&) {}
void without_shape(OfferRequest& offer) { offer.null_shape = true; }
void without_strides(OfferRequest& offer) { offer.descriptor.layout.strides.reset(); }
void without_data(OfferRequest& offer) { offer.descriptor.null_data = true; }
void with_data(OfferRequest& offer) { offer.descriptor.null_data = false; }

// Booleans of two bytes each, of the value that was ordered.
void widen_booleans(OfferRequest& offer) {
  std::vector<std::uint8_t> wide;
  for (const std::uint8_t value : offer.contents) wide.insert(wide.end(), {value, std::uint8_t{0}});
  offer.contents = std::move(wide);
  offer.descriptor.layout.dtype = {kDLUInt, 16, 1};
  offer.dtype = abi::DataType{kDLBool, 16, 1};
}

constexpr abi::Version newer_minor{1, 99};              // under it a flag may have a meaning that nobody here knows
constexpr std::uintptr_t nowhere = 0x5A5A5A5A5A5A5000;  // no process has memory there

// What manager_ctx leads to in one case: nobody but the producer may write there.
constexpr std::uint8_t context_byte = 0x3C;
std::array<std::uint8_t, 256> context_memory;

constexpr Stimulus stimuli[] = {
    {"versioned", Generation::versioned, nothing},
    {"legacy", Generation::legacy, nothing},
    {"release", Generation::versioned, nothing},
    {"guards", Generation::versioned, [](OfferRequest& offer) { offer.placement = Placement::end; }},
    {"strides-null=1.0", Generation::versioned,
     [](OfferRequest& offer) {
       offer.descriptor.layout.strides.reset();
       offer.descriptor.version = {1, 0};
     }},
    {"strides-null=legacy", Generation::legacy, without_strides},
    {"data-null", Generation::versioned, without_data},
    {"data-nonnull", Generation::versioned, with_data},
    {"shape-null", Generation::versioned,
     [](OfferRequest& offer) {
       offer.null_shape = true;
       offer.descriptor.layout.strides.reset();
     }},
    {"major=2", Generation::versioned, [](OfferRequest& offer) { offer.descriptor.version = {2, 0}; }},
    {"major=0", Generation::versioned, [](OfferRequest& offer) { offer.descriptor.version = {0, 8}; }},
    {"rank=65", Generation::versioned, [](OfferRequest& offer) { offer.ndim = 65; }},
    {"rank=129", Generation::versioned, [](OfferRequest& offer) { offer.ndim = 129; }},
    {"minor=99", Generation::versioned, [](OfferRequest& offer) { offer.descriptor.version = {1, 99}; }},
    {"unknown-dtype", Generation::versioned, [](OfferRequest& offer) { offer.dtype = abi::DataType{200, 32, 1}; }},
    {"unknown-device", Generation::versioned, [](OfferRequest& offer) { offer.descriptor.device = {99, 0}; }},
    {"null-deleter", Generation::versioned, [](OfferRequest& offer) { offer.null_deleter = true; }},
    {"read-only", Generation::versioned, [](OfferRequest& offer) { offer.descriptor.flags = flags::read_only; }},
    {"metadata", Generation::versioned, nothing},
    {"lanes", Generation::versioned, nothing, Meaning::guarded},
    {"bool-width", Generation::versioned, widen_booleans, Meaning::guarded},
    {"padded", Generation::versioned, [](OfferRequest& offer) { offer.descriptor.flags = flags::subbyte_padded; },
     Meaning::guarded},
    {"unknown-flags", Generation::versioned,
     [](OfferRequest& offer) {
       offer.descriptor.version = newer_minor;
       offer.descriptor.flags |= std::uint64_t{1} << 63 | std::uint64_t{1} << 31 | std::uint64_t{1} << 3;
       if (is_subbyte(offer.descriptor.layout.dtype)) offer.descriptor.flags |= flags::subbyte_padded;
     }},
    {"device=extension", Generation::versioned, [](OfferRequest& offer) { offer.descriptor.device = {kDLExtDev, 0}; },
     Meaning::hidden},
    {"device=handle", Generation::versioned, [](OfferRequest& offer) { offer.descriptor.device = {kDLOpenCL, 0}; },
     Meaning::hidden},
    {"misaligned", Generation::versioned, [](OfferRequest& offer) { offer.misaligned = 1; }, Meaning::guarded},
    {"byte_offset=odd", Generation::versioned, [](OfferRequest& offer) { offer.descriptor.layout.byte_offset = 1; },
     Meaning::guarded},
    {"manager_ctx=null", Generation::versioned, [](OfferRequest& offer) { offer.manager_ctx = 0; }, Meaning::alike},
    {"manager_ctx=odd", Generation::versioned, [](OfferRequest& offer) { offer.manager_ctx = 1; }, Meaning::alike},
    {"manager_ctx=tagged", Generation::versioned, [](OfferRequest& offer) { offer.manager_ctx = nowhere | 1; },
     Meaning::alike},
    {"manager_ctx=memory", Generation::versioned,
     [](OfferRequest& offer) { offer.manager_ctx = reinterpret_cast<std::uintptr_t>(context_memory.data()); },
     Meaning::alike},
    {"legacy-neighbours", Generation::legacy, [](OfferRequest& offer) { offer.surroundings = 7; }, Meaning::alike},
    {"generations", Generation::versioned, nothing},
};

// An import: what the plug-in answered, and what it made of the tensor.
struct Import {
  bool taken = false;
  std::string reason;
  std::vector<std::uint8_t> contents;
  bool has_contents = false;
};

Import import_and_release(const DlspecPlugin& plugin, Offer& offer) {
  const std::size_t byte_count = offer.request().contents.size();
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
  answer.decide(RuleId::managed_deleter_original_pointer, counts.wrong_self == 0,
                "the deleter got another pointer than was handed over", "the pointer that was handed over");
}

// Rules that hold for whatever was offered, taken or refused.
void judge_respect(const Offer& offer, NativeAnswer& answer) {
  answer.decide(RuleId::managed_no_touch_after_delete, offer.counts().late_writes == 0,
                "the export was written to after its release", "no access after the release");
  answer.decide(RuleId::flags_read_only_not_written, offer.memory_intact(), "memory was written to",
                "memory that is left alone");
  answer.set(RuleId::flags_read_only_respected,
             {Outcome::Kind::not_applicable, {}, {}, {}});  // the table has no way to write
  answer.decide(RuleId::tensor_metadata_not_mutated, offer.counts().altered_structs == 0,
                "the struct was written to before its release", "a struct that is left alone");
}

// Why the contents are not those that were offered, or "".
std::string misread(const Offer& offer, const Import& import) {
  return import.has_contents ? difference(import.contents, offer.request().contents)
                             : "contents() failed on an imported array";
}

// Another offer, made to compare with. One that dlspec cannot make was neither taken nor misread.
struct Tried {
  bool taken = false;
  bool misread = false;
};

Tried try_offer(const DlspecPlugin& plugin, OfferRequest request) {
  std::string problem;
  const std::unique_ptr<Offer> offer = Offer::make(std::move(request), problem);
  if (offer == nullptr) return {};
  const Import import = import_and_release(plugin, *offer);
  return {import.taken, import.taken && !misread(*offer, import).empty()};
}

constexpr const char* offered_contents = "the contents of the tensor that was offered";

// The rule that wrong elements break: what the layout tries, where that is one thing; else elements in general; else
// what the variant tries.
RuleId speaks_for_contents(const NativeCase& asked) {
  constexpr RuleId tried[] = {RuleId::tensor_byte_offset_honoured, RuleId::tensor_strides_negative_ok,
                              RuleId::tensor_strides_zero_ok, RuleId::tensor_strides_extent1_ignored,
                              RuleId::tensor_strides_empty_ignored};
  std::vector<RuleId> found;
  for (const RuleId rule : asked.rules) {
    if (std::find(std::begin(tried), std::end(tried), rule) != std::end(tried)) found.push_back(rule);
  }
  if (found.size() == 1) return found.front();
  const bool general =
      std::find(asked.rules.begin(), asked.rules.end(), RuleId::tensor_element_address) != asked.rules.end();
  return general ? RuleId::tensor_element_address : asked.rules.front();
}

// False when the same elements, compact and without an offset, are misread as well: then the layout is not to blame.
bool shows_compact(const DlspecPlugin& plugin, const NativeCase& asked) {
  NativeCase compact = asked;
  compact.layout.strides.reset();
  compact.layout.byte_offset = 0;
  return !try_offer(plugin, ordinary_offer(compact, Generation::versioned)).misread;
}

// Right contents keep what is left of the case's rules; wrong ones break one of them.
void judge_contents(const DlspecPlugin& plugin, const NativeCase& asked, const Offer& offer, const Import& import,
                    NativeAnswer& answer) {
  const std::string problem = misread(offer, import);
  if (problem.empty()) return answer.rest({});
  RuleId speaker = speaks_for_contents(asked);
  if (speaker != RuleId::tensor_element_address && !shows_compact(plugin, asked)) {
    if (!answer.asks(RuleId::tensor_element_address)) {
      return answer.rest({Outcome::Kind::blocked, "by the elements of every import", {}, {}});
    }
    speaker = RuleId::tensor_element_address;
  }
  if (!answer.outcomes().contains(speaker))
    answer.set(speaker, {Outcome::Kind::broken, problem, offered_contents, Verdict::fail});
  answer.rest({Outcome::Kind::blocked, fmt::format("by {}", rule(speaker).id), {}, {}});
}

// True when an offset of whole elements is misread, too.
bool ignores_byte_offset(const DlspecPlugin& plugin, const NativeCase& asked) {
  OfferRequest request = ordinary_offer(asked, Generation::versioned);
  request.descriptor.layout.byte_offset = 64;
  return try_offer(plugin, std::move(request)).misread;
}

// Wrong elements are a failure whatever the rule's level.
void judge_guarded(const DlspecPlugin& plugin, const NativeCase& asked, const Offer& offer, const Import& import,
                   NativeAnswer& answer) {
  const std::string problem = import.taken ? misread(offer, import) : "";
  if (problem.empty()) return answer.rest({});
  if (asked.variant == "byte_offset=odd" && ignores_byte_offset(plugin, asked)) {
    return answer.rest({Outcome::Kind::blocked, "by tensor.byte-offset-honoured", {}, {}});
  }
  const bool mild = asked.variant == "bool-width";  // what a consumer shows of such booleans is nowhere defined
  answer.rest({Outcome::Kind::broken, problem, std::string(offered_contents) + ", or a refusal",
               mild ? std::nullopt : std::optional(Verdict::fail)});
}

void judge_hidden(const DlspecPlugin& plugin, const NativeCase& asked, const Import& import, NativeAnswer& answer) {
  if (!import.taken || !import.has_contents) return answer.rest({});
  OfferRequest unknown = ordinary_offer(asked, Generation::versioned);
  unknown.descriptor.device = {99, 0};
  std::string problem;
  const std::unique_ptr<Offer> offer = Offer::make(std::move(unknown), problem);
  if (offer != nullptr && import_and_release(plugin, *offer).has_contents) {
    return answer.rest({Outcome::Kind::blocked, "by version.unknown-values-rejected", {}, {}});
  }
  answer.rest({Outcome::Kind::broken, "the tensor was taken, and its contents are shown", "a refusal", {}});
}

// Only the alteration can be to blame: the same offer without it was taken, and shown rightly.
void judge_alike(const DlspecPlugin& plugin, const NativeCase& asked, const Offer& offer, const Import& import,
                 NativeAnswer& answer) {
  std::string problem;
  const std::unique_ptr<Offer> plain =
      Offer::make(ordinary_offer(asked, offer.request().descriptor.generation), problem);
  if (plain == nullptr)
    return answer.rest({Outcome::Kind::blocked, "dlspec cannot offer this tensor: " + problem, {}, {}});
  const Import ordinary = import_and_release(plugin, *plain);
  if (!ordinary.taken) return answer.rest_unsupported(ordinary.reason);
  if (!misread(*plain, ordinary).empty())
    return answer.rest({Outcome::Kind::blocked, "by the elements of every import", {}, {}});
  if (plain->counts().wrong_self != 0)
    return answer.rest({Outcome::Kind::blocked, "by managed.deleter-original-pointer", {}, {}});
  const auto broken = [&](std::string observed) {
    answer.rest({Outcome::Kind::broken, std::move(observed), "what the same tensor without it gets", {}});
  };
  if (!import.taken) return broken("refused: " + import.reason);
  if (const std::string wrong = misread(offer, import); !wrong.empty()) return broken(wrong);
  if (std::any_of(context_memory.begin(), context_memory.end(),
                  [](std::uint8_t byte) { return byte != context_byte; })) {
    return broken("the memory that manager_ctx leads to was written to");
  }
  const OfferCounts counts = offer.counts();
  const bool once = counts.deleter_calls == 1 && counts.repeated_calls == 0;
  if (plain->counts().deleter_calls == 1 && !once) {
    return broken(fmt::format("the deleter was called {} times", counts.deleter_calls));
  }
  answer.rest({});
}

// Both generations, while the older one is in use: who knows the older one alone should move on.
void judge_generations(const DlspecPlugin& plugin, const NativeCase& asked, const Import& import,
                       NativeAnswer& answer) {
  if (import.taken) return answer.rest({});
  if (!try_offer(plugin, ordinary_offer(asked, Generation::legacy)).taken)
    return answer.rest_unsupported(import.reason);
  answer.rest({Outcome::Kind::broken,
               "a legacy struct is taken, a versioned one is refused: " + import.reason,
               "the versioned struct taken as well",
               {}});
}

// NULL that is misread for want of a version alone: in a struct of version 1.0 it is read rightly.
void judge_older_rules(const DlspecPlugin& plugin, const NativeCase& asked, const Offer& offer, const Import& import,
                       NativeAnswer& answer) {
  constexpr RuleId older = RuleId::version_legacy_has_none;
  const std::string wrong = misread(offer, import);
  if (wrong.empty()) return answer.pass(older);
  OfferRequest request = ordinary_offer(asked, Generation::versioned);
  request.descriptor.layout.strides.reset();
  request.descriptor.version = {1, 0};
  std::string problem;
  const std::unique_ptr<Offer> dated = Offer::make(std::move(request), problem);
  if (dated == nullptr || !misread(*dated, import_and_release(plugin, *dated)).empty()) {
    return answer.blocked(older, "by tensor.strides-null-means-rowmajor");
  }
  answer.broken(older, "misread, though not in a struct of version 1.0: " + wrong, offered_contents);
  answer.rest({Outcome::Kind::blocked, "by version.legacy-has-none", {}, {}});
}

// Rules that ask for a refusal: taking the tensor breaks them, and so does keeping a foreign one.
void judge_refusal(const NativeCase& asked, const Import& import, const OfferCounts& counts, NativeAnswer& answer) {
  Outcome taken{Outcome::Kind::broken, "the tensor was taken", "a refusal and one call of the deleter", {}};
  if (asked.variant == "major=0") taken.verdict = Verdict::warn;  // consumers that test for a greater major take 0
  answer.set(RuleId::version_unknown_values_rejected, import.taken ? taken : Outcome{});
  const Outcome unanswered{Outcome::Kind::blocked, "by version.major-mismatch-release", {}, {}};
  answer.set(RuleId::version_major_checked_first, import.taken ? unanswered : Outcome{});
  if (import.taken) {
    answer.set(RuleId::version_major_mismatch_release, taken);
  } else {
    answer.decide(RuleId::version_major_mismatch_release, counts.deleter_calls == 1,
                  fmt::format("refused, and the deleter was called {} times", counts.deleter_calls),
                  "a refusal and one call of the deleter");
  }
}

// True when the ordinary tensor of this case is taken with this alteration.
bool takes(const DlspecPlugin& plugin, const NativeCase& asked, void (*alter)(OfferRequest&)) {
  OfferRequest request = ordinary_offer(asked, Generation::versioned);
  alter(request);
  return try_offer(plugin, std::move(request)).taken;
}

// What is legal, though rare, is no reason to refuse: the same tensor in its other form is taken.
void judge_refused_form(const DlspecPlugin& plugin, const NativeCase& asked, const Import& import,
                        NativeAnswer& answer) {
  struct Form {
    const char* variant;
    RuleId rule;
    void (*other)(OfferRequest&);  // the form that must be taken for the rule to speak
    void (*alone)(OfferRequest&);  // where two forms come at once: this one of them
  };
  constexpr Form forms[] = {
      {"minor=99", RuleId::version_minor_mismatch_usable, nothing, nullptr},
      {"data-null", RuleId::tensor_data_null_empty_accepted, with_data, nullptr},
      {"data-nonnull", RuleId::tensor_data_nonnull_empty_accepted, without_data, nullptr},
      {"shape-null", RuleId::tensor_shape_null_scalar, nothing, without_shape},
      {"shape-null", RuleId::tensor_strides_null_scalar, nothing, without_strides},
  };
  for (const Form& form : forms) {
    if (asked.variant != form.variant || !takes(plugin, asked, form.other)) continue;
    if (form.alone != nullptr && takes(plugin, asked, form.alone)) {
      answer.pass(form.rule);
    } else {
      answer.broken(form.rule, "refused, though taken in the other form: " + import.reason, "both forms");
    }
  }
}

// True when the same tensor is taken with strides.
bool takes_strides(const DlspecPlugin& plugin, const NativeCase& asked, const Offer& refused) {
  OfferRequest request = refused.request();
  request.descriptor.layout.strides = ordinary_offer(asked, request.descriptor.generation).descriptor.layout.strides;
  return try_offer(plugin, std::move(request)).taken;
}

// Once more where a step beside the elements, or after the release, ends the process.
void try_again(const DlspecPlugin& plugin, const NativeCase& asked) {
  OfferRequest request = ordinary_offer(asked, Generation::versioned);
  if (asked.variant == "guards") request.placement = Placement::start;
  std::string problem;
  const std::unique_ptr<Offer> offer = Offer::make(std::move(request), problem);
  if (offer == nullptr) return;
  if (asked.variant == "release") offer->close_on_release();
  (void)import_and_release(plugin, *offer);
}

// False when an ordinary import of the same elements, which no guard is near, shows others: another case tells why.
bool shows_ordinary(const DlspecPlugin& plugin, const NativeCase& asked) {
  std::string problem;
  const std::unique_ptr<Offer> offer = Offer::make(ordinary_offer(asked, Generation::versioned), problem);
  if (offer == nullptr) return true;
  const Import import = import_and_release(plugin, *offer);
  return !import.taken || !import.has_contents || import.contents == asked.bytes;
}

bool is_right(const NativeAnswer& answer) {
  return std::none_of(answer.outcomes().begin(), answer.outcomes().end(),
                      [](const auto& entry) { return entry.second.kind == Outcome::Kind::broken; });
}

bool asks_refusal(const std::string& variant) {
  return variant == "major=2" || variant == "major=0" || variant == "unknown-dtype" || variant == "unknown-device";
}

}  // namespace

void answer_consumer_case(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  if (plugin.import_tensor == nullptr) return answer.rest_unsupported("the plug-in has no consumer");
  context_memory.fill(context_byte);
  for (const Stimulus& stimulus : stimuli) {
    if (asked.variant != stimulus.variant) continue;
    const bool ordinary = asked.variant == "versioned" || asked.variant == "legacy";
    if (!ordinary && !asks_refusal(asked.variant) && !shows_ordinary(plugin, asked)) {
      return answer.rest({Outcome::Kind::blocked, "by the elements of an ordinary import", {}, {}});
    }
    OfferRequest request = ordinary_offer(asked, stimulus.generation);
    stimulus.alter(request);
    std::string problem;
    const std::unique_ptr<Offer> offer = Offer::make(std::move(request), problem);
    if (offer == nullptr)
      return answer.rest({Outcome::Kind::blocked, "dlspec cannot offer this tensor: " + problem, {}, {}});
    const Import import = import_and_release(plugin, *offer);
    judge_respect(*offer, answer);
    if (offer->request().null_deleter) {
      answer.decide(RuleId::managed_deleter_null_skipped, true, {},
                    {});  // a call through NULL would have ended the process
    } else {
      judge_releases(import, offer->counts(), answer);
    }
    if (asks_refusal(asked.variant)) judge_refusal(asked, import, offer->counts(), answer);
    if (!import.taken && asked.variant.starts_with("strides-null=") && takes_strides(plugin, asked, *offer)) {
      answer.broken(RuleId::tensor_strides_null_tolerance, "refused, though taken with strides: " + import.reason,
                    "NULL strides, read as row-major");
    }
    if (asked.variant == "generations") return judge_generations(plugin, asked, import, answer);
    if (stimulus.meaning == Meaning::guarded) return judge_guarded(plugin, asked, *offer, import, answer);
    if (stimulus.meaning == Meaning::hidden) return judge_hidden(plugin, asked, import, answer);
    if (stimulus.meaning == Meaning::alike) return judge_alike(plugin, asked, *offer, import, answer);
    if (!import.taken) {
      // Whoever has a limit on the rank refuses, and the release has been judged.
      const bool released = offer->counts().deleter_calls == 1;
      judge_refused_form(plugin, asked, import, answer);
      answer.decide(RuleId::tensor_ndim_cap_refused, released, "the refused tensor was not released once",
                    "a refusal and one release");
      return answer.rest_unsupported(import.reason);
    }
    if (asks_refusal(asked.variant))
      return answer.rest({Outcome::Kind::blocked, "the tensor should have been refused", {}, {}});
    if (asked.variant == "strides-null=legacy") judge_older_rules(plugin, asked, *offer, import, answer);
    judge_contents(plugin, asked, *offer, import, answer);
    if ((asked.variant == "guards" || asked.variant == "release") && is_right(answer)) try_again(plugin, asked);
    return;
  }
}

}  // namespace dlspec::conformance
