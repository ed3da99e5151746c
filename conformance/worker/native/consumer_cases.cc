// The variants of consumers: how each alters the ordinary offer, and how its import is judged.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <dlspec/conformance/oracle/unknown_values.h>
#include <dlspec/conformance/worker/native/consumer_judgements.h>
#include <dlspec/conformance/worker/native/device_cases.h>
#include <dlspec/conformance/worker/native/held_import.h>
#include <dlspec/conformance/worker/native/hostile_cases.h>
#include <dlspec/conformance/worker/native/native_variants.h>
#include <dlspec/conformance/worker/native/offer_alterations.h>
#include <dlspec/conformance/worker/native/patience.h>
#include <dlspec/conformance/worker/native/table_cases.h>
#include <dlspec/vocabulary/device.h>
#include <dlspec/vocabulary/dtype.h>
#include <dlspec/vocabulary/flags.h>

namespace dlspec::conformance {
namespace {

using enum Generation;
using namespace alterations;

// --- judgements of legal forms, each of which has another one

void judge_minor(const ConsumerTrial& trial) {
  judge_legal_forms(trial, {{RuleId::version_minor_mismatch_usable, nothing}});
}
void judge_null_data(const ConsumerTrial& trial) {
  judge_legal_forms(trial, {{RuleId::tensor_data_null_empty_accepted, with_data}});
}
void judge_idle_data(const ConsumerTrial& trial) {
  judge_legal_forms(trial, {{RuleId::tensor_data_nonnull_empty_accepted, without_data}});
}
void judge_idle_strides(const ConsumerTrial& trial) {
  judge_legal_forms(trial, {{RuleId::tensor_strides_null_scalar, nothing}});
}
// A call through NULL would have ended the process, whether the tensor was refused or taken.
void judge_survived(const ConsumerTrial& trial) { trial.answer.rest_pass(); }
void judge_null_shape(const ConsumerTrial& trial) {
  judge_legal_forms(trial, {{RuleId::tensor_shape_null_scalar, nothing, without_shape},
                            {RuleId::tensor_strides_null_scalar, nothing, without_strides}});
}

// --- cases

// One import of the altered offer.
template <Generation generation, OfferAlteration& alter, ConsumerJudgement& judge>
void offered(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  context_memory.fill(context_byte);
  OfferRequest request = ordinary_offer(asked, generation);
  alter(request);
  judge_offered(plugin, asked, std::move(request), judge, answer);
}

// In the older struct where the path of the case asks for it.
template <OfferAlteration& alter, ConsumerJudgement& judge>
void offered_either(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  asked.legacy ? offered<legacy, alter, judge>(plugin, asked, answer)
               : offered<versioned, alter, judge>(plugin, asked, answer);
}

// The same as offered() where the alteration is worth trying only if an ordinary import shows the right elements.
template <Generation generation, OfferAlteration& alter, ConsumerJudgement& judge>
void altered(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  if (!shows_ordinary(plugin, asked)) return answer.rest_blocked("by the elements of an ordinary import");
  offered<generation, alter, judge>(plugin, asked, answer);
}
template <OfferAlteration& alter, ConsumerJudgement& judge>
void altered_either(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  asked.legacy ? altered<legacy, alter, judge>(plugin, asked, answer)
               : altered<versioned, alter, judge>(plugin, asked, answer);
}

void refused_without_deleter_case(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  altered_either<of_unknown_dtype_without_deleter, judge_survived>(plugin, asked, answer);
  if (!asked.legacy) altered<versioned, of_major_two_without_deleter, judge_survived>(plugin, asked, answer);
}

// The case of a vector without elements.
template <NativeCaseFunction& judge>
void of_empty_vector(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  NativeCase vector = asked;
  vector.layout.shape = {0};
  vector.layout.strides.reset();
  judge(plugin, vector, answer);
}

// The case of a tensor of more than 1 MiB.
template <NativeCaseFunction& judge>
void of_large_array(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  judge(plugin, large_of(asked), answer);
}

// Imports that nobody reads, all alive before the first is released: more than a table of fixed size is likely to hold.
void judge_many(const DlspecPlugin& plugin, const NativeCase& asked, Generation generation, NativeAnswer& answer) {
  constexpr std::size_t count = 70;
  std::vector<std::unique_ptr<Held>> imports;
  while (imports.size() < count && (imports.empty() || imports.back()->taken()))
    imports.push_back(std::make_unique<Held>(plugin, ordinary_offer(asked, generation)));
  if (!imports.back()->made()) return answer.rest_blocked(cannot_offer(imports.back()->reason()));
  if (!imports.back()->taken()) return answer.rest_unsupported(imports.back()->reason());
  for (const auto& each : imports) each->release();
  const auto is_right = [](const auto& each) { return each->offer().counts().deleter_calls == 1; };
  happens_soon([&] { return std::all_of(imports.begin(), imports.end(), is_right); });
  const auto right = std::count_if(imports.begin(), imports.end(), is_right);
  answer.decide(RuleId::managed_deleter_once, static_cast<std::size_t>(right) == count,
                fmt::format("of {} imports of {} structs that were alive together, and were not read, {} were released "
                            "once each",
                            count, generation == legacy ? "legacy" : "versioned", right),
                "one call for each import");
}

void many_imports_case(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  judge_many(plugin, asked, versioned, answer);
  if (answer.is_violated(RuleId::managed_deleter_once)) return;
  if (try_offer(plugin, ordinary_offer(asked, legacy)).taken) judge_many(plugin, asked, legacy, answer);
}

// An unknown dtype, and then one of memory that was taken with a known dtype before.
void unknown_dtype_case(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  offered_either<of_unknown_dtype, judge_must_refuse>(plugin, asked, answer);
  if (answer.is_violated(RuleId::version_unknown_values_rejected)) return;
  std::string problem;
  const auto known = Offer::make(ordinary_offer(asked, asked.legacy ? legacy : versioned), problem);
  if (known == nullptr || !import_and_release(plugin, *known).taken) return;
  OfferRequest request = known->request();
  of_unknown_dtype(request);
  request.data = reinterpret_cast<std::uintptr_t>(known->data());
  const auto unknown = Offer::make(std::move(request), problem);
  if (unknown == nullptr) return;
  const PluginImport import = import_and_release(plugin, *unknown);
  if (import.taken) judge_must_refuse({plugin, asked, *unknown, import, answer});
}

// A struct of another major version, of which nothing can be read behind flags. Where the whole of it is taken, that is
// said of the case that offers it, and reading it is no surprise.
template <std::uint32_t major, std::uint64_t set = 0>
void prefix_case(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  OfferRequest whole = ordinary_offer(asked, versioned);
  of_version<major, 0>(whole);
  whole.descriptor.flags |= set;
  OfferRequest prefix = whole;
  prefix.prefix_only = true;
  if (try_offer(plugin, std::move(whole)).taken) return answer.rest_blocked("by version.major-mismatch-release");
  std::string problem;
  const std::unique_ptr<Offer> offer = Offer::make(std::move(prefix), problem);
  if (offer == nullptr) return answer.rest_blocked(cannot_offer(problem));
  const PluginImport import = import_and_release(plugin, *offer);
  judge_must_refuse({plugin, asked, *offer, import, answer});
}

template <std::uint64_t set>
void of_major_2_with_flags(OfferRequest& offer) {
  of_version<2, 0>(offer);
  offer.descriptor.flags |= set;
}

// The same beside these flags: the whole struct, then its prefix. Their meaning in another major version is unknown, so
// that none of them is a reason to take the tensor, or to look further.
template <std::uint64_t... set>
void flagged_prefix_case(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  const auto keeps = [&] {
    return answer.outcomes().at(RuleId::version_major_mismatch_release).kind == Outcome::Kind::pass;
  };
  ((offered<versioned, of_major_2_with_flags<set>, judge_must_refuse>(plugin, asked, answer),
    keeps() && (prefix_case<2, set>(plugin, asked, answer), keeps())) &&
   ...);
}

constexpr NativeVariant table[] = {
    {"versioned", offered<versioned, nothing, judge_contents>},
    {"legacy", offered<legacy, nothing, judge_contents>},
    {"extreme-values", offered<versioned, nothing, judge_contents>},
    {"extreme-values=legacy", offered<legacy, nothing, judge_contents>},
    {"large", of_large_array<offered<versioned, nothing, judge_contents>>},
    {"many-imports", many_imports_case},
    {"same-memory", same_memory_case},
    {"release", altered<versioned, nothing, judge_twice_after_release>},
    {"guards", altered<versioned, before_a_fence, judge_twice_between_fences>},
    {"strides-null=1.0", altered<versioned, without_strides_in_1_0, judge_null_strides>},
    {"strides-null=legacy", altered<legacy, without_strides, judge_legacy_null_strides>},
    {"strides-null=1.3", altered<versioned, without_strides, judge_newer_null_strides>},
    {"data-null", altered<versioned, without_data, judge_null_data>},
    {"data-null=legacy", altered<legacy, without_data, judge_null_data>},
    {"data-null=rank1", of_empty_vector<altered<versioned, without_data, judge_null_data>>},
    {"data-null=rank1-legacy", of_empty_vector<altered<legacy, without_data, judge_null_data>>},
    {"data-nonnull", altered<versioned, with_data, judge_idle_data>},
    {"shape-null", altered<versioned, without_shape_and_strides, judge_null_shape>},
    {"strides=far", far_strides_case},
    {"strides=nowhere", altered<versioned, with_strides_nowhere, judge_idle_strides>},
    {"strides=nowhere-legacy", altered<legacy, with_strides_nowhere, judge_idle_strides>},
    {"major=2", offered<versioned, of_version<2, 0>, judge_must_refuse>},
    {"major=0", offered<versioned, of_version<0, 8>, judge_major_0>},
    {"major=257", offered<versioned, of_version<257, 0>, judge_must_refuse>},
    {"major=65537", offered<versioned, of_version<65537, 0>, judge_must_refuse>},
    {"major=4294967295", offered<versioned, of_version<highest, 0>, judge_must_refuse>},
    {"prefix-only=0", prefix_case<0>},
    {"prefix-only=2", prefix_case<2>},
    {"prefix-only=4294967295", prefix_case<highest>},
    {"prefix-only=flags",
     flagged_prefix_case<flags::read_only, flags::is_copied, flags::subbyte_padded, flags::defined | unknown_flags>},
    {"rank=65", altered<versioned, of_rank<65>, judge_contents>},
    {"rank=129", altered<versioned, of_rank<129>, judge_contents>},
    {"minor=99", altered<versioned, of_version<newer_minor.major, newer_minor.minor>, judge_minor>},
    {"minor=0", altered<versioned, of_version<1, 0>, judge_minor>},
    {"minor=4294967295", altered<versioned, of_version<1, highest>, judge_minor>},
    {"unknown-dtype", unknown_dtype_case},
    {"unknown-device", offered_either<on_device<unknown_device_type>, judge_must_refuse>},
    {"null-deleter", altered_either<without_deleter, judge_contents>},
    {"null-deleter=refused", refused_without_deleter_case},
    {"null-deleter=refused-legacy", altered<legacy, of_unknown_dtype_without_deleter, judge_survived>},
    {"read-only", altered<versioned, with_flags<flags::read_only>, judge_contents>},
    {"metadata", altered_either<nothing, judge_contents>},
    {"lanes", altered_either<nothing, judge_guarded>},
    {"bool-width", altered_either<of_wide_booleans, judge_guarded>},
    {"padded", altered<versioned, with_flags<flags::subbyte_padded>, judge_guarded>},
    {"unknown-flags", altered<versioned, with_unknown_flags, judge_contents>},
    {"device=extension", altered_either<on_device<kDLExtDev>, judge_hidden>},
    {"device=handle", altered_either<on_device<kDLOpenCL>, judge_hidden>},
    {"flags=together", altered<versioned, with_flags<flags::read_only | flags::is_copied>, judge_contents>},
    {"misaligned", altered_either<one_byte_misaligned, judge_guarded>},
    {"byte_offset=4294967360", far_offset_case},
    {"byte_offset=scalar", altered_either<with_byte_offset, judge_contents>},
    {"byte_offset=null-strides", altered<versioned, without_strides_beyond_an_offset, judge_offset_without_strides>},
    {"byte_offset=odd", altered_either<with_odd_byte_offset, judge_odd_byte_offset>},
    {"manager_ctx=null", null_context_case},
    {"manager_ctx=odd", altered_either<with_context<1>, judge_alike>},
    {"manager_ctx=tagged", altered_either<with_context<nowhere | 1>, judge_alike>},
    {"manager_ctx=memory", altered_either<with_context_memory, judge_alike>},
    {"legacy-neighbours", altered<legacy, among_other_versions, judge_alike>},
    {"generations", altered<versioned, nothing, judge_generations>},
    {"cuda-import", device_import_case<versioned>},
    {"cuda-import=legacy", device_import_case<legacy>},
    {"sequence=1", sequence_case},
    {"sequence=2", sequence_case},
    {"sequence=3", sequence_case},
    {"lanes=2", altered_either<of_lanes<2>, judge_guarded>},
    {"lanes=257", altered_either<of_lanes<257>, judge_guarded>},
    {"lanes=65535", altered_either<of_lanes<65535>, judge_guarded>},
    {"rank=33", altered<versioned, of_outer_rank<33>, judge_contents>},
    {"rank=1048576", altered<versioned, of_outer_rank<1048576>, judge_contents>},
    {"float-width", float_width_case},
    {"odd-widths", odd_widths_case},
    {"handles", handles_case},
    {"unknown-dtypes", unknown_dtypes_case},
    {"unknown-devices", unknown_devices_case},
    {"table-major=2", table_major_case},
    {"table-null-deleter", table_unusual_case},
    {"table-null-deleter=refused", table_unusual_case},
    {"table-manager_ctx=null", table_unusual_case},
    {"table-strides-null=1.0", table_unusual_case},
    {"table-misaligned", table_unusual_case},
    {"table-byte_offset=odd", table_unusual_case},
    {"table-data-null", table_unusual_case},
    {"table-shape-null", table_unusual_case},
    {"table-minor=99", table_unusual_case},
    {"table-unknown-flags", table_unusual_case},
    {"table-metadata", table_unusual_case},
    {"table-lanes", table_unusual_case},
    {"table-padded", table_unusual_case},
    {"table-many-imports", table_unusual_case},
    {"table-rank=65", table_unusual_case},
#define DLSPEC_HOSTILE(name, shows, says, spoil) \
  {"hostile=" name, hostile_case}, {"table-hostile=" name, table_unusual_case},
#include <dlspec/conformance/oracle/hostile_structs.def>
#undef DLSPEC_HOSTILE
};

}  // namespace

std::span<const NativeVariant> consumer_variants() { return table; }

}  // namespace dlspec::conformance
