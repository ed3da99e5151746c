#include <dlspec/conformance/worker/native/consumer_judgements.h>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

#include <dlspec/conformance/oracle/unknown_values.h>
#include <dlspec/conformance/plan/plan.h>

namespace dlspec::conformance {

std::array<std::uint8_t, 256> context_memory;

namespace {

bool contains(const std::vector<RuleId>& rules, RuleId rule) {
  return std::find(rules.begin(), rules.end(), rule) != rules.end();
}

// The rule that wrong elements break: what the layout tries; else elements in general; else what the variant tries.
RuleId rule_of_contents(const ConsumerTrial& trial) {
  const NativeCase& asked = trial.asked;
  constexpr RuleId tried[] = {RuleId::tensor_byte_offset_honoured, RuleId::tensor_strides_negative_ok,
                              RuleId::tensor_strides_zero_ok, RuleId::tensor_strides_extent1_ignored,
                              RuleId::tensor_strides_empty_ignored};
  std::vector<RuleId> found;
  std::copy_if(asked.rules.begin(), asked.rules.end(), std::back_inserter(found),
               [&](RuleId rule) { return std::find(std::begin(tried), std::end(tried), rule) != std::end(tried); });
  if (found.size() == 1) return found.front();
  constexpr RuleId offset = RuleId::tensor_byte_offset_honoured;
  if (found.size() == 2 && contains(found, offset)) {
    const NativeCase plain = without_offset(asked);
    if (!try_offer(trial.plugin, ordinary_offer(plain, Generation::versioned)).misread) return offset;
    return found.front() == offset ? found.back() : found.front();
  }
  if (contains(asked.rules, RuleId::tensor_element_address)) return RuleId::tensor_element_address;
  const auto own = std::find_if(asked.rules.begin(), asked.rules.end(), [](RuleId rule) {
    return std::find(std::begin(rules_of_conduct), std::end(rules_of_conduct), rule) == std::end(rules_of_conduct);
  });
  return own != asked.rules.end() ? *own : asked.rules.front();
}

// False when the same elements, compact and without an offset, are misread as well: then the layout is not to blame.
bool shows_compact(const ConsumerTrial& trial) {
  NativeCase compact = trial.asked;
  compact.layout.strides.reset();
  compact.layout.byte_offset = 0;
  return !try_offer(trial.plugin, ordinary_offer(compact, Generation::versioned)).misread;
}

bool takes(const ConsumerTrial& trial, OfferAlteration* alter) {
  OfferRequest request = ordinary_offer(trial.asked, trial.offer.request().descriptor.generation);
  alter(request);
  return try_offer(trial.plugin, std::move(request)).taken;
}

// A consumer may have a limit on the rank: it refuses, and releases once.
void judge_refused(const ConsumerTrial& trial) {
  const bool released = trial.offer.counts().deleter_calls == 1;
  trial.answer.decide(RuleId::tensor_ndim_cap_refused, released, "the refused tensor was not released once",
                      "a refusal and one release");
  trial.answer.rest_unsupported(trial.import.reason);
}

void judge_taken(const ConsumerTrial& trial) {
  NativeAnswer& answer = trial.answer;
  const std::string problem = misread(trial.offer, trial.import);
  if (trial.import.is_unseen) return answer.rest_unsupported(unseen);
  if (problem.empty()) return answer.rest_pass();
  RuleId violated = rule_of_contents(trial);
  if (violated != RuleId::tensor_element_address && !shows_compact(trial)) {
    if (!answer.asks(RuleId::tensor_element_address)) return answer.rest_blocked("by the elements of every import");
    violated = RuleId::tensor_element_address;
  }
  if (!answer.outcomes().contains(violated)) answer.set(violated, wrong(problem, offered_contents));
  answer.rest_blocked(fmt::format("by {}", rule(violated).id));
}

bool is_right(const NativeAnswer& answer) {
  return std::none_of(answer.outcomes().begin(), answer.outcomes().end(),
                      [](const auto& entry) { return entry.second.kind == Outcome::Kind::violated; });
}

// One more import, of this array, for what ends the process. What it answers has been judged before.
void import_again(const ConsumerTrial& trial, const NativeCase& asked, Placement placement, bool closed) {
  if (!trial.import.taken || !is_right(trial.answer)) return;
  OfferRequest request = ordinary_offer(asked, Generation::versioned);
  request.placement = placement;
  std::string problem;
  const std::unique_ptr<Offer> offer = Offer::make(std::move(request), problem);
  if (offer == nullptr) return;
  if (closed) offer->close_on_release();
  (void)import_and_release(trial.plugin, *offer);
}

// NULL strides where they are legal, in a struct of version 1.0, are misread as well, or refused.
bool misreads_legal_null_strides(const ConsumerTrial& trial) {
  OfferRequest request = ordinary_offer(trial.asked, Generation::versioned);
  request.descriptor.layout.strides.reset();
  request.descriptor.version = {1, 0};
  const ComparisonImport legal = try_offer(trial.plugin, std::move(request));
  return !legal.taken || legal.misread;
}

// NULL that is misread for want of a version alone: in a struct of version 1.0 it is read rightly. Where the case does
// not ask what a legacy struct has, NULL strides are what was misread.
void judge_older_rules(const ConsumerTrial& trial) {
  constexpr RuleId older = RuleId::version_legacy_has_none;
  const std::string problem = misread(trial.offer, trial.import);
  if (problem.empty()) return trial.answer.pass(older);
  if (misreads_legal_null_strides(trial)) {
    return trial.answer.blocked(older, "by tensor.strides-null-means-rowmajor");
  }
  const RuleId violated = trial.answer.asks(older) ? older : RuleId::tensor_strides_null_means_rowmajor;
  trial.answer.violated(violated, "misread, though not in a struct of version 1.0: " + problem, offered_contents);
  trial.answer.rest_blocked(fmt::format("by {}", rule(violated).id));
}

// The rules that ask for a refusal: taking the tensor breaks them, and so does a refusal that does not release it once.
void judge_refusal(const ConsumerTrial& trial, const Mitigation* mitigation) {
  NativeAnswer& answer = trial.answer;
  constexpr const char* allowed = "a refusal and one call of the deleter";
  if (trial.import.taken) {
    const Outcome taken{Outcome::Kind::violated, "the tensor was taken", allowed, {}, mitigation};
    answer.set(RuleId::version_unknown_values_rejected, taken);
    answer.set(RuleId::version_major_mismatch_release, taken);
    answer.blocked(RuleId::version_major_checked_first, "by version.major-mismatch-release");
    return answer.rest_blocked("the tensor should have been refused");
  }
  const int calls = trial.offer.counts().deleter_calls;
  answer.pass(RuleId::version_unknown_values_rejected);
  answer.pass(RuleId::version_major_checked_first);
  answer.decide(RuleId::version_major_mismatch_release, calls == 1,
                fmt::format("refused, and the deleter was called {} times", calls), allowed);
  judge_refused(trial);
}

}  // namespace

void judge_contents(const ConsumerTrial& trial) { trial.import.taken ? judge_taken(trial) : judge_refused(trial); }

// Compact vectors of lengths that are no multiple of a word or a vector register, too.
void judge_twice_between_fences(const ConsumerTrial& trial) {
  judge_contents(trial);
  import_again(trial, trial.asked, Placement::start, false);
  if (trial.asked.layout.strides || trial.asked.layout.byte_offset != 0 || trial.asked.layout.shape.size() != 2) return;
  for (const std::int64_t length : {1, 2, 3, 5, 6, 7, 9, 11}) {
    for (const Placement placement : {Placement::end, Placement::start})
      import_again(trial, vector_of_rank(trial.asked, 1, length), placement, false);
  }
}

void judge_twice_after_release(const ConsumerTrial& trial) {
  judge_contents(trial);
  import_again(trial, trial.asked, Placement::aligned, true);
}

void judge_null_strides(const ConsumerTrial& trial) {
  OfferRequest request = trial.offer.request();
  request.descriptor.layout.strides =
      ordinary_offer(trial.asked, request.descriptor.generation).descriptor.layout.strides;
  if (!trial.import.taken && try_offer(trial.plugin, std::move(request)).taken) {
    trial.answer.violated(RuleId::tensor_strides_null_tolerance,
                          "refused, though taken with strides: " + trial.import.reason,
                          "NULL strides, read as row-major");
  }
  judge_contents(trial);
}

void judge_legacy_null_strides(const ConsumerTrial& trial) {
  if (trial.import.taken) judge_older_rules(trial);
  judge_null_strides(trial);
}

void judge_newer_null_strides(const ConsumerTrial& trial) {
  const std::string problem = trial.import.taken ? misread(trial.offer, trial.import) : "";
  if (problem.empty()) return trial.answer.rest_pass();
  if (misreads_legal_null_strides(trial)) return trial.answer.rest_blocked("by tensor.strides-null-means-rowmajor");
  trial.answer.rest(wrong(problem, std::string(offered_contents) + ", or a refusal"));
}

void judge_offset_without_strides(const ConsumerTrial& trial) {
  if (trial.import.taken && misreads_legal_null_strides(trial)) {
    return trial.answer.rest_blocked("by tensor.strides-null-means-rowmajor");
  }
  judge_contents(trial);
}

void judge_guarded(const ConsumerTrial& trial) {
  const std::string problem = trial.import.taken ? misread(trial.offer, trial.import) : "";
  if (problem.empty()) return trial.answer.rest_pass();
  trial.answer.rest(wrong(problem, std::string(offered_contents) + ", or a refusal"));
}

void judge_odd_byte_offset(const ConsumerTrial& trial) {
  if (trial.import.taken && !misread(trial.offer, trial.import).empty()) {
    OfferRequest whole_elements = ordinary_offer(trial.asked, Generation::versioned);
    whole_elements.descriptor.layout.byte_offset = 64;
    if (try_offer(trial.plugin, std::move(whole_elements)).misread)
      return trial.answer.rest_blocked("by tensor.byte-offset-honoured");
  }
  judge_guarded(trial);
}

void judge_hidden(const ConsumerTrial& trial) {
  if (!trial.import.taken || !trial.import.has_contents) return trial.answer.rest_pass();
  OfferRequest unknown = ordinary_offer(trial.asked, Generation::versioned);
  unknown.descriptor.device = {unknown_device_type, 0};
  std::string problem;
  const std::unique_ptr<Offer> offer = Offer::make(std::move(unknown), problem);
  if (offer != nullptr && import_and_release(trial.plugin, *offer).has_contents) {
    return trial.answer.rest_blocked("by version.unknown-values-rejected");
  }
  trial.answer.rest_violated("the tensor was taken, and its contents are shown", "a refusal");
}

void judge_alike(const ConsumerTrial& trial) {
  NativeAnswer& answer = trial.answer;
  std::string problem;
  const std::unique_ptr<Offer> plain =
      Offer::make(ordinary_offer(trial.asked, trial.offer.request().descriptor.generation), problem);
  if (plain == nullptr) return answer.rest_blocked(cannot_offer(problem));
  const PluginImport ordinary = import_and_release(trial.plugin, *plain);
  if (!ordinary.taken) return answer.rest_unsupported(ordinary.reason);
  if (!misread(*plain, ordinary).empty()) return answer.rest_blocked("by the elements of every import");
  if (plain->counts().wrong_self != 0) return answer.rest_blocked("by managed.deleter-original-pointer");
  const auto violated = [&](std::string observed) {
    answer.rest_violated(std::move(observed), "what the same tensor without it gets");
  };
  if (!trial.import.taken) return violated("refused: " + trial.import.reason);
  if (const std::string wrong = misread(trial.offer, trial.import); !wrong.empty()) return violated(wrong);
  if (std::any_of(context_memory.begin(), context_memory.end(),
                  [](std::uint8_t byte) { return byte != context_byte; })) {
    return violated("the memory that manager_ctx leads to was written to");
  }
  const OfferCounts counts = trial.offer.counts();
  const bool once = counts.deleter_calls == 1 && counts.repeated_calls == 0;
  if (plain->counts().deleter_calls == 1 && !once) {
    return violated(fmt::format("the deleter was called {} times", counts.deleter_calls));
  }
  answer.rest_pass();
}

void judge_generations(const ConsumerTrial& trial) {
  if (trial.import.taken) return trial.answer.rest_pass();
  if (!try_offer(trial.plugin, ordinary_offer(trial.asked, Generation::legacy)).taken)
    return trial.answer.rest_unsupported(trial.import.reason);
  trial.answer.rest_violated("a legacy struct is taken, a versioned one is refused: " + trial.import.reason,
                             "the versioned struct taken as well");
}

void judge_must_refuse(const ConsumerTrial& trial) { judge_refusal(trial, nullptr); }

void judge_major_0(const ConsumerTrial& trial) { judge_refusal(trial, find_mitigation("major-zero")); }

void judge_offered(const DlspecPlugin& plugin, const NativeCase& asked, OfferRequest request, ConsumerJudgement& judge,
                   NativeAnswer& answer) {
  std::string problem;
  const std::unique_ptr<Offer> offer = Offer::make(std::move(request), problem);
  if (offer == nullptr) return answer.rest_blocked(cannot_offer(problem));
  const PluginImport import = import_and_release(plugin, *offer);
  const ConsumerTrial trial{plugin, asked, *offer, import, answer};
  judge_conduct(trial);
  judge(trial);
}

void judge_legal_forms(const ConsumerTrial& trial, std::initializer_list<LegalForm> forms) {
  if (trial.import.taken) return judge_contents(trial);
  for (const LegalForm& form : forms) {
    if (!takes(trial, form.other)) continue;
    if (form.alone != nullptr && takes(trial, form.alone)) {
      trial.answer.pass(form.rule);
    } else {
      trial.answer.violated(form.rule, "refused, though taken in the other form: " + trial.import.reason, "both forms");
    }
  }
  judge_contents(trial);
}

}  // namespace dlspec::conformance
