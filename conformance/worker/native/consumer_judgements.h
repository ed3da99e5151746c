// What an import says of the rule that its variant tries: one function per way to judge.
#pragma once

#include <array>
#include <cstdint>

#include <dlspec/conformance/oracle/offer.h>
#include <dlspec/conformance/worker/native/consumer_trial.h>
#include <dlspec/vocabulary/rules.h>
#include <dlspec/vocabulary/verdict.h>

namespace dlspec::conformance {

using OfferAlteration = void(OfferRequest& request);

// The memory that manager_ctx points to in one case, each byte of it context_byte: nobody but the producer may write
// there. Filled before each case.
inline constexpr std::uint8_t context_byte = 0x3C;
extern std::array<std::uint8_t, 256> context_memory;

using ConsumerJudgement = void(const ConsumerTrial& trial);

// Right contents keep the case's rules, wrong ones break one of them, a refusal leaves them open.
ConsumerJudgement judge_contents;
// The same, and where nothing was violated a second import: with the elements right behind a page that faults, or with
// an export that faults on any access after its release. A wrong step ends the process.
ConsumerJudgement judge_twice_between_fences, judge_twice_after_release;
// NULL strides: a refusal breaks a rule of its own where the same tensor is taken with strides.
ConsumerJudgement judge_null_strides, judge_legacy_null_strides;
// NULL strides where they are legal no more: refused, or read as row-major.
ConsumerJudgement judge_newer_null_strides;
// A byte_offset beside NULL strides: who misreads NULL strides without one is judged for that elsewhere.
ConsumerJudgement judge_offset_without_strides;
// A refusal keeps the rules as right contents do; wrong contents fail whatever the rule's level.
ConsumerJudgement judge_guarded, judge_odd_byte_offset;
// A refusal keeps the rule, contents that are shown break it.
ConsumerJudgement judge_hidden;
// The import comes out as the same offer without the alteration does.
ConsumerJudgement judge_alike;
// A versioned struct is taken where a legacy one is.
ConsumerJudgement judge_generations;
// The tensor must be refused and released once. A consumer that tests for a greater major version alone takes major 0,
// which is a warning.
ConsumerJudgement judge_must_refuse, judge_major_0;

// Imports this offer, releases the import, and judges both.
void judge_offered(const DlspecPlugin& plugin, const NativeCase& asked, OfferRequest request, ConsumerJudgement& judge,
                   NativeAnswer& answer);

// A legal form that is refused although the tensor is taken in its other form breaks `rule`; where two alterations come
// at once, `alone` is the one of them that `rule` is about.
struct LegalForm {
  RuleId rule;
  OfferAlteration* other;
  OfferAlteration* alone = nullptr;
};
void judge_legal_forms(const ConsumerTrial& trial, std::initializer_list<LegalForm> forms);

}  // namespace dlspec::conformance
