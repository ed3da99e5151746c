// The variants of producers: what a plug-in exports, and whether it can be released.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/oracle/claimed_elements.h>
#include <dlspec/conformance/oracle/kept_registers.h>
#include <dlspec/conformance/oracle/struct_outcomes.h>
#include <dlspec/conformance/oracle/watch.h>
#include <dlspec/conformance/worker/native/device_cases.h>
#include <dlspec/conformance/worker/native/growth_cases.h>
#include <dlspec/conformance/worker/native/managed_structs.h>
#include <dlspec/conformance/worker/native/native_variants.h>
#include <dlspec/conformance/worker/native/producer_trial.h>
#include <dlspec/conformance/worker/native/table_cases.h>
#include <dlspec/reference/descriptor/extent.h>
#include <dlspec/reference/rearrange/gather.h>
#include <dlspec/reference/validate/validate.h>
#include <dlspec/vocabulary/dtype.h>
#include <dlspec/vocabulary/finding.h>
#include <dlspec/vocabulary/flags.h>

namespace dlspec::conformance {
namespace {

bool is_complex_of_32_bits(abi::DataType dtype) {
  return (dtype.code == kDLComplex || dtype.code == kDLBcomplex) && dtype.bits == 32;
}

// An ordinary export: every rule that the bytes of the struct show, and the contents.
template <Generation generation>
void export_case(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  const PluginExport made(plugin, asked, generation);
  if (!made.made()) return answer.rest_unsupported(made.reason());
  judge_export(made.exported(), asked, answer);
}

// The same of vectors of three lanes, which some hardware gives the room of four.
void vectors_of_three_case(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  NativeCase vectors = asked;
  vectors.layout.dtype.lanes = 3;
  vectors.layout.byte_offset *= 3;
  vectors.bytes.insert(vectors.bytes.end(), asked.bytes.begin(), asked.bytes.end());
  vectors.bytes.insert(vectors.bytes.end(), asked.bytes.begin(), asked.bytes.end());
  export_case<Generation::versioned>(plugin, vectors, answer);
}

// The same of an array of 40 axes, all but the last of which have one element.
void many_axes_case(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  NativeCase longer = asked;
  longer.layout.shape.insert(longer.layout.shape.begin(), 40 - asked.layout.shape.size(), 1);
  export_case<Generation::versioned>(plugin, longer, answer);
}

// An extent of 33 bits, of an array without elements.
void long_extent_case(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  constexpr std::int64_t extent = (std::int64_t{1} << 32) + 3;
  NativeCase longer = asked;
  longer.layout.shape = {extent, 0};
  const PluginExport made(plugin, longer, Generation::versioned);
  if (!made.made()) return answer.rest_unsupported(made.reason());
  const abi::Tensor& tensor = made.exported().tensor();
  if (tensor.ndim != 2 || tensor.shape == nullptr) return answer.rest_blocked(unreadable);
  answer.decide(RuleId::abi_shape_int64, tensor.shape[0] == extent,
                fmt::format("an extent of {} goes out as {}", extent, tensor.shape[0]), "the extent");
}

// The same of an array that may not be written, whatever its layout. A writable one of the same description comes
// first: what it says may be remembered.
void read_only_case(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  const PluginExport writable(plugin, asked, Generation::versioned);
  NativeCase guarded = asked;
  guarded.read_only = true;
  export_case<Generation::versioned>(plugin, guarded, answer);
}

// Elements narrower than a byte, behind so many others that they begin on a byte.
void sliced_case(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  NativeCase behind = asked;
  behind.offset = 8;
  const Layout layout = ordered_layout(asked);
  behind.layout.strides = layout.strides;
  for (const Generation generation : {Generation::versioned, Generation::legacy}) {
    const PluginExport made(plugin, behind, generation);
    if (!made.made()) continue;
    if (!contents_readable(reference::validate(made.exported()))) return answer.rest_blocked(unreadable);
    const std::string problem = elements_problem(made.exported(), behind);
    if (!problem.empty())
      return answer.rest_violated("behind eight other elements " + problem, "the contents that were asked for");
    answer.rest_pass();
  }
  answer.rest_unsupported("no array that begins behind other elements");
}

// An export of more than 1 MiB.
void large_case(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  export_case<Generation::versioned>(plugin, large_of(asked), answer);
}

// 32 arrays alive together: a single one may be aligned by chance.
void alignment_case(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  std::vector<std::unique_ptr<PluginExport>> all;
  bool aligned = true;
  for (int i = 0; i < 32; ++i) {
    all.push_back(std::make_unique<PluginExport>(plugin, asked, Generation::versioned));
    if (!all.back()->made()) return answer.rest_unsupported(all.back()->reason());
    aligned = aligned && !reference::validate(all.back()->exported()).contains(RuleId::tensor_data_256_aligned);
  }
  if (aligned) return answer.pass(RuleId::tensor_data_256_aligned);
  answer.set(RuleId::tensor_data_256_aligned,
             {Outcome::Kind::info, "data is not always a multiple of 256", "256, as written; nobody keeps it", {}});
}

// What an export's deleter does when it is called; nothing where there is none.
std::optional<WatchCounts> counts_of_release(PluginExport& made) {
  if (!made.made() || made.watch() == nullptr || made.watch()->null_deleter()) return std::nullopt;
  made.release();
  return made.watch()->counts();
}

// Exceptions that leave the deleter, and registers that it does not restore: of a struct of either generation.
void callback_case(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  PluginExport made(plugin, asked, Generation::versioned);
  if (!made.made()) return answer.rest_unsupported(made.reason());
  const std::optional<WatchCounts> newest = counts_of_release(made);
  PluginExport older(plugin, asked, Generation::legacy);
  const std::optional<WatchCounts> legacy = counts_of_release(older);
  if (!newest && !legacy) return answer.rest_not_applicable();
  const bool is_newest = !legacy || (newest && (!newest->threw.empty() || !newest->damaged.empty()));
  const WatchCounts& counts = is_newest ? *newest : *legacy;
  answer.decide(RuleId::managed_deleter_nothrow, counts.threw.empty(), "the deleter threw " + counts.threw,
                "a deleter that throws nothing");
  if (kept_registers().empty())
    return answer.rest_unsupported("dlspec does not know which registers a function keeps on this processor");
  answer.decide(RuleId::abi_c_linkage_callbacks, counts.damaged.empty(), "the deleter changed " + counts.damaged,
                "what the platform's C calling convention keeps");
}

// Two exports live at once; releasing one must not disturb the other.
void two_exports_case(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  PluginExport first(plugin, asked, Generation::versioned);
  PluginExport second(plugin, asked, Generation::versioned);
  if (!first.made() || !second.made()) return answer.rest_unsupported(first.made() ? second.reason() : first.reason());
  if (first.exported().object() == second.exported().object()) {
    return answer.rest_not_applicable();  // one reference-counted struct for both, which is legal
  }
  const Layout layout = ordered_layout(asked);
  const Origin origin = origin_of(asked, layout);
  if (!contents_readable(validate_by_elements(second.exported(), &origin, asked.bytes))) {
    return answer.blocked(RuleId::managed_exports_independent, unreadable);
  }
  // Elements that are wrong before any release say nothing about the release.
  if (!elements_problem(second.exported(), asked).empty()) {
    return answer.blocked(RuleId::managed_exports_independent, "by tensor.element-address");
  }
  first.release();
  const std::string problem = elements_problem(second.exported(), asked);
  answer.decide(RuleId::managed_exports_independent, problem.empty(), "after the release of another export: " + problem,
                "contents that the release of another export leaves alone");
}

// Formats of one size that are easily taken for each other: the export has the ordered one, and its elements.
template <RuleId distinct, bool is_alike(abi::DataType)>
void judge_alike(const PluginExport& made, const NativeCase& asked, NativeAnswer& answer) {
  const abi::DataType dtype = made.exported().tensor().dtype;
  const std::string ordered = dtype_name(asked.layout.dtype);
  const auto violated = [&](RuleId rule, std::string observed, std::string allowed) {
    answer.violated(rule, std::move(observed), std::move(allowed));
    answer.rest_blocked(std::string("by ") + dlspec::rule(rule).id);
  };
  if (dtype != asked.layout.dtype) {
    const RuleId rule = is_alike(dtype) ? distinct : RuleId::dtype_truthful;
    return violated(rule, ordered + " goes out as " + dtype_name(dtype), ordered);
  }
  if (!contents_readable(reference::validate(made.exported()))) return answer.rest_blocked(unreadable);
  const std::string problem = elements_problem(made.exported(), asked);
  if (!problem.empty()) return violated(RuleId::tensor_element_address, problem, "the contents that were asked for");
}

// In structs of both generations.
template <RuleId distinct, bool is_alike(abi::DataType)>
void alike_case(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  const PluginExport made(plugin, asked, Generation::versioned);
  if (!made.made()) return answer.rest_unsupported(made.reason());
  judge_alike<distinct, is_alike>(made, asked, answer);
  const PluginExport older(plugin, asked, Generation::legacy);
  if (older.made()) judge_alike<distinct, is_alike>(older, asked, answer);
  answer.rest_pass();
}

// A producer of legacy structs alone should make versioned ones as well, as long as legacy ones are in use.
void generations_case(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  const PluginExport versioned(plugin, asked, Generation::versioned);
  if (versioned.made()) return answer.rest_pass();
  if (!PluginExport(plugin, asked, Generation::legacy).made()) return answer.rest_unsupported(versioned.reason());
  answer.rest_violated("a legacy struct is made, a versioned one is not: " + versioned.reason(),
                       "the versioned struct as well");
}

constexpr NativeVariant table[] = {
    {"versioned", export_case<Generation::versioned>},
    {"legacy", export_case<Generation::legacy>},
    {"read-only", read_only_case},
    {"extreme-values", export_case<Generation::versioned>},
    {"extreme-values=legacy", export_case<Generation::legacy>},
    {"rank=40", many_axes_case},
    {"lanes=3", vectors_of_three_case},
    {"extent=4294967299", long_extent_case},
    {"large", large_case},
    {"alignment", alignment_case},
    {"consumed", released_case},
    {"sliced", sliced_case},
    {"many-consumed", released_often_case},
    {"many-consumed=thread", released_elsewhere_case},
    {"refusals-kept", refusals_kept_case},
    {"callback", callback_case},
    {"two-exports", two_exports_case},
    {"fp8", alike_case<RuleId::dtype_fp8_variants_distinct, is_float8>},
    {"complex32", alike_case<RuleId::dtype_complex32_is_fp16_pair, is_complex_of_32_bits>},
    {"generations", generations_case},
    {"cuda-struct", device_struct_case<Generation::versioned>},
    {"cuda-struct=legacy", device_struct_case<Generation::legacy>},
    {"cuda-pinned", device_host_memory_case},
    {"cuda-managed", device_host_memory_case},
    {"sequence=1", sequence_case},
    {"sequence=2", sequence_case},
    {"sequence=3", sequence_case},
    {"table", table_header_case},
    {"table-lifetime", table_lifetime_case},
    {"table-export", table_export_case},
    {"table-onward", table_onward_case},
    {"table-owned", table_owned_case},
    {"table-borrow", table_borrow_case},
    {"table-borrow-many", table_borrow_many_case},
    {"table-import", table_import_case},
    {"table-import=unknown-dtype", table_refused_case},
    {"table-import=unknown-device", table_refused_case},
    {"table-import=major-2", table_refused_case},
    {"table-allocator", table_allocator_case},
    {"table-allocator=poisoned", table_poisoned_case},
    {"table-allocator=rank", table_impossible_case},
    {"table-allocator=huge", table_impossible_case},
    {"table-allocator=memory", table_impossible_case},
    {"table-allocator=negative", table_impossible_case},
    {"table-allocator=overflow", table_impossible_case},
    {"table-allocator=unknown-device", table_impossible_case},
    {"table-allocator=unknown-dtype", table_impossible_case},
    {"table-stream", table_stream_case},
    {"table-stream=unknown-device", table_unknown_stream_case},
};

}  // namespace

std::span<const NativeVariant> producer_variants() { return table; }

}  // namespace dlspec::conformance
