#include <dlspec/conformance/worker/native/hostile_cases.h>

#include <fmt/format.h>

#include <cstdint>
#include <initializer_list>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include <dlspec/conformance/oracle/hostile_structs.h>
#include <dlspec/conformance/oracle/unknown_values.h>
#include <dlspec/conformance/worker/native/consumer_trial.h>
#include <dlspec/vocabulary/device.h>
#include <dlspec/vocabulary/dtype.h>
#include <dlspec/vocabulary/flags.h>

namespace dlspec::conformance {
namespace {

// An import of the ordinary offer, altered, with a guard right behind the elements.
struct Tried {
  // `byte_count`: how many bytes of contents are asked for; 0: as many as are offered.
  template <class Alter>
  Tried(const DlspecPlugin& plugin, const NativeCase& asked, Alter alter, std::size_t byte_count = 0) {
    OfferRequest request = ordinary_offer(asked, Generation::versioned);
    request.placement = Placement::end;
    alter(request);
    std::string problem;
    offer = Offer::make(std::move(request), problem);
    if (offer == nullptr) {
      blocked = cannot_offer(problem);
    } else {
      import = import_and_release(plugin, *offer, byte_count != 0 ? byte_count : offer->request().contents.size());
    }
  }
  [[nodiscard]] std::string problem() const { return misread(*offer, import); }

  std::unique_ptr<Offer> offer;
  std::string blocked;  // why there is no offer
  PluginImport import;
};

// A library that refuses what is not hostile is not asked, and one that misreads it is judged for that elsewhere.
// False when that answers the case.
template <class Alter>
bool takes_ordinary(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer, Alter alter) {
  const Tried tried(plugin, asked, alter);
  if (tried.offer == nullptr) {
    answer.rest_blocked(tried.blocked);
  } else if (!tried.import.taken) {
    answer.rest_unsupported(tried.import.reason);
  } else if (!tried.problem().empty()) {
    answer.rest_blocked("by the elements of an ordinary import");
  } else {
    return true;
  }
  return false;
}

// --- tensors that no producer may make: a refusal and one release; or the elements, where there are some

// How many bytes are asked of an import: as many as the offer has, or as a product that wraps around says.
std::size_t believed_bytes(std::string_view name, const NativeCase& asked) {
  if (name == "count-wraps-to-4") return 4 * sizeof(float);
  if (name == "count-wraps-upwards") return 8 * sizeof(float);
  return asked.bytes.size();
}

void judge_hostile(const HostileStruct& hostile, const ConsumerTrial& trial) {
  NativeAnswer& answer = trial.answer;
  judge_conduct(trial);
  if (!trial.import.taken) {
    answer.not_applicable(RuleId::managed_deleter_once);
    return answer.rest_pass();
  }
  const std::string what = std::string("a tensor with ") + hostile.says + " is taken";
  const char* const allowed = hostile.shows_elements ? "the elements that are there, or a refusal" : "a refusal";
  const auto mild = [&](std::string observed, const char* mitigation) {
    answer.rest({Outcome::Kind::violated, std::move(observed), allowed, {}, find_mitigation(mitigation)});
  };
  if (!trial.import.has_contents) return mild(what + ", and reading it is refused", "hostile-unread");
  if (!hostile.shows_elements) {
    return mild(what + ", and elements are shown that are not there", "unchecked-promise");
  }
  const std::string problem = misread(trial.offer, trial.import);
  if (problem.empty()) return answer.rest_pass();
  mild(what + ", and " + problem, "unchecked-promise");
}

// --- values that nobody has defined: each must be refused

// An offer of as many elements, of 32 bytes each, that says that they are of another dtype: whatever width it is read
// with, there is memory.
Tried try_dtype(const DlspecPlugin& plugin, const NativeCase& asked, abi::DataType dtype, std::uint64_t set = 0) {
  constexpr std::uint16_t room = 32;
  const std::size_t count = asked.bytes.size() / sizeof(float);
  const auto alter = [&](OfferRequest& request) {
    request.descriptor.layout.dtype = {kDLUInt, 8, room};
    request.contents.clear();
    for (std::size_t i = 0; i < count * room; ++i) request.contents.push_back(static_cast<std::uint8_t>(i % room + 1));
    request.dtype = dtype;
    request.descriptor.flags |= set;
  };
  return Tried(plugin, asked, alter, count * ((dtype.bits + 7U) / 8));
}

// What the imports of a list of values were found to do.
class Refusals {
 public:
  explicit Refusals(NativeAnswer& answer) : answer_(answer) {}

  void add(const Tried& tried, RuleId rule, const std::string& what) {
    if (tried.offer == nullptr) return answer_.blocked(rule, tried.blocked);
    const OfferCounts counts = tried.offer->counts();
    const bool once = counts.deleter_calls == 1 && counts.repeated_calls == 0;
    if (!tried.import.taken && !once) {
      answer_.violated(RuleId::managed_error_releases,
                       fmt::format("{}: the deleter was called {} times", what, counts.deleter_calls), "one call");
    } else if (tried.import.taken && tried.import.has_contents) {
      answer_.violated(rule, what + " is taken, and elements are shown", "a refusal");
    } else if (tried.import.taken) {
      add_unread(rule, what + " is taken, and reading it is refused");
    }
  }

 private:
  // Of a rule that asks for a refusal of the import itself, and of one that asks that nothing be guessed. The others
  // are about elements that are shown.
  void add_unread(RuleId rule, const std::string& observed) {
    if (answer_.outcomes().contains(rule)) return;
    if (rule == RuleId::dtype_fp6_fp4_consumer_stops) answer_.violated(rule, observed, "a refusal");
    if (rule != RuleId::version_unknown_values_rejected) return;
    answer_.set(rule, {Outcome::Kind::violated, observed, "a refusal", {}, find_mitigation("held-unread")});
  }

  NativeAnswer& answer_;
};

constexpr auto as_it_is = [](OfferRequest&) {};

// Codes of one width alone, with another: no producer may make such elements, and they have no meaning.
constexpr abi::DataType impossible_dtypes[] = {
    {kDLFloat8_e3m4, 16, 1},     {kDLFloat8_e4m3, 16, 1},     {kDLFloat8_e4m3b11fnuz, 16, 1},
    {kDLFloat8_e4m3fn, 16, 1},   {kDLFloat8_e4m3fnuz, 16, 1}, {kDLFloat8_e5m2, 16, 1},
    {kDLFloat8_e5m2fnuz, 16, 1}, {kDLFloat8_e8m0fnu, 16, 1},  {kDLFloat8_e4m3fn, 32, 1}};

}  // namespace

void hostile_case(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  constexpr std::string_view prefix = "hostile=";
  const std::string_view name = std::string_view(asked.variant).substr(prefix.size());
  const HostileStruct* const hostile = find_hostile_struct(name);
  if (hostile == nullptr || !takes_ordinary(plugin, asked, answer, as_it_is)) return;
  if (name.starts_with("offset-") && !takes_ordinary(plugin, asked, answer, [](OfferRequest& request) {
        request.descriptor.layout.byte_offset = 64;
      })) {
    return;
  }
  OfferRequest request = ordinary_offer(asked, Generation::versioned);
  request.placement = Placement::end;
  request.hostile = hostile;
  std::string problem;
  const std::unique_ptr<Offer> offer = Offer::make(std::move(request), problem);
  if (offer == nullptr) return answer.rest_blocked(cannot_offer(problem));
  const PluginImport import = import_and_release(plugin, *offer, believed_bytes(name, asked));
  judge_hostile(*hostile, {plugin, asked, *offer, import, answer});
}

void unknown_dtypes_case(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  constexpr std::uint8_t codes[] = {19, 64, 127, 128 | kDLFloat, 255};
  if (!takes_ordinary(plugin, asked, answer, as_it_is)) return;
  Refusals refusals(answer);
  for (const std::uint8_t code : codes) {
    refusals.add(try_dtype(plugin, asked, {code, 32, 1}), RuleId::version_unknown_values_rejected,
                 fmt::format("a tensor of dtype code {}", code));
  }
  for (const abi::DataType dtype : impossible_dtypes) {
    refusals.add(try_dtype(plugin, asked, dtype), RuleId::version_unknown_values_rejected,
                 fmt::format("a tensor of dtype code {} and {} bits", dtype.code, dtype.bits));
  }
  answer.rest_pass();
}

// Dtypes that only those take who agreed on them, or who take anything; of these the latter are judged elsewhere.
template <std::size_t count>
void refused_dtypes(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer, RuleId rule,
                    const abi::DataType (&dtypes)[count], std::initializer_list<std::uint64_t> all_flags = {0}) {
  if (!takes_ordinary(plugin, asked, answer, as_it_is)) return;
  if (try_dtype(plugin, asked, {unknown_dtype_code, 32, 1}).import.has_contents) {
    return answer.rest_blocked("by version.unknown-values-rejected");
  }
  Refusals refusals(answer);
  for (const std::uint64_t set : all_flags) {
    if (answer.outcomes().contains(rule)) break;  // with other flags, already
    for (const abi::DataType dtype : dtypes) {
      refusals.add(try_dtype(plugin, asked, dtype, set), rule,
                   fmt::format("a tensor of dtype code {} and {} bits{}", dtype.code, dtype.bits,
                               set != 0 ? " and with PADDED" : ""));
    }
  }
  answer.rest_pass();
}

void odd_widths_case(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  refused_dtypes(plugin, asked, answer, RuleId::dtype_odd_width_refused,
                 {{kDLInt, 12, 1}, {kDLUInt, 33, 1}, {kDLFloat, 80, 1}, {kDLFloat, 255, 1}});
}

void handles_case(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  refused_dtypes(plugin, asked, answer, RuleId::dtype_opaque_refused, {{kDLOpaqueHandle, 64, 1}});
}

// The codes that come with one width only, with another one. PADDED tells how narrow elements lie, and does not make
// them wide.
void float_width_case(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  refused_dtypes(plugin, asked, answer, RuleId::dtype_fp6_fp4_consumer_stops,
                 {{kDLFloat6_e2m3fn, 8, 1}, {kDLFloat6_e3m2fn, 8, 1}, {kDLFloat4_e2m1fn, 8, 1}},
                 {0, flags::subbyte_padded});
}

void unknown_devices_case(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  constexpr std::int32_t values[] = {
      0, 5, 6, 22, 255, -1, std::numeric_limits<std::int32_t>::max(), std::numeric_limits<std::int32_t>::min()};
  constexpr std::int32_t narrow[] = {0x100 | kDLCPU, 0x10000 | kDLCPU};  // the host for who reads a byte, or two
  if (!takes_ordinary(plugin, asked, answer, as_it_is)) return;
  Refusals refusals(answer);
  const auto offer = [&](std::int32_t value, RuleId rule) {
    const Tried tried(plugin, asked, [&](OfferRequest& request) { request.descriptor.device = {value, 0}; });
    refusals.add(tried, rule, fmt::format("a tensor on a device of type {}", value));
  };
  for (const std::int32_t value : values) offer(value, RuleId::version_unknown_values_rejected);
  // Who takes anything as the host reads all 32 bits.
  const auto taken = answer.outcomes().find(RuleId::version_unknown_values_rejected);
  if (taken != answer.outcomes().end()) {
    answer.blocked(RuleId::abi_device_type_32bit, "by version.unknown-values-rejected");
  } else {
    for (const std::int32_t value : narrow) offer(value, RuleId::abi_device_type_32bit);
  }
  answer.rest_pass();
}

}  // namespace dlspec::conformance
