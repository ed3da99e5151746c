// Consumers: an import on a path of plan/paths.def, judged by everything that holds for any import.
#include <memory>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/oracle/unknown_values.h>
#include <dlspec/conformance/worker/native/consumer_trial.h>
#include <dlspec/conformance/worker/native/managed_structs.h>
#include <dlspec/conformance/worker/native/native_path.h>
#include <dlspec/conformance/worker/native/patience.h>
#include <dlspec/conformance/worker/native/plugin_table.h>
#include <dlspec/vocabulary/dtype.h>
#include <dlspec/vocabulary/flags.h>
#include <dlspec/vocabulary/rules.h>

namespace dlspec::conformance {
namespace {

constexpr std::uint64_t far_offset = 4160;  // bytes: beyond a page, and no multiple of 256
constexpr int later_imports = 20;           // more than a ring of fixed size is likely to hold

// An imported array that lives until the end of its scope, and its offer.
class LiveImport {
 public:
  LiveImport(const DlspecPlugin& plugin, OfferRequest request)
      : plugin_(plugin), offer_(Offer::make(std::move(request), problem_)) {}

  void take() {
    if (offer_ == nullptr) return;
    const Exported exported = offer_->share();
    const char* reason = nullptr;
    taken_ = plugin_.import_tensor(const_cast<void*>(exported.object()), generation_number(exported.generation()),
                                   &array_, &reason) == DLSPEC_OK;
    reason_ = reason != nullptr ? reason : "no reason given";
    if (!taken_) release_if_left(plugin_, exported, offer_->counts().deleter_calls);
  }
  ~LiveImport() { release(); }
  LiveImport(const LiveImport&) = delete;
  LiveImport& operator=(const LiveImport&) = delete;

  void release() {
    if (!taken_ || released_) return;
    released_ = true;
    plugin_.release(array_);
    await_release([this] { return offer_->counts().live == 0; });
  }
  [[nodiscard]] PluginImport read() const {
    PluginImport import;
    import.taken = taken_;
    import.reason = reason_;
    if (!taken_) return import;
    std::vector<std::uint8_t> bytes(offer_->request().contents.size(), 0xA5);
    import.read(plugin_, array_, bytes);
    return import;
  }
  [[nodiscard]] const Offer* offer() const { return offer_.get(); }
  [[nodiscard]] const std::string& problem() const { return problem_; }
  [[nodiscard]] bool taken() const { return taken_; }

 private:
  const DlspecPlugin& plugin_;
  std::string problem_, reason_;
  std::unique_ptr<Offer> offer_;
  void* array_ = nullptr;
  bool taken_ = false, released_ = false;
};

using Imports = std::vector<std::unique_ptr<LiveImport>>;

std::unique_ptr<LiveImport> taken_import(const DlspecPlugin& plugin, OfferRequest request) {
  auto made = std::make_unique<LiveImport>(plugin, std::move(request));
  made->take();
  return made;
}

// The struct that the path asks for.
OfferRequest in_struct_of(const NativeCase& asked, const PathLevels& levels) {
  const bool legacy = levels.is("struct", "legacy");
  OfferRequest request = ordinary_offer(asked, legacy ? Generation::legacy : Generation::versioned);
  Descriptor& descriptor = request.descriptor;
  if (levels.is("struct", "1.0")) descriptor.version = {1, 0};
  if (levels.is("struct", "1.99")) descriptor.version = {1, 99};
  if (levels.is("strides", "null")) descriptor.layout.strides.reset();
  return request;
}

OfferRequest offer_of(const NativeCase& asked, const PathLevels& levels) {
  OfferRequest request = in_struct_of(asked, levels);
  Descriptor& descriptor = request.descriptor;
  if (levels.is("flags", "read-only")) descriptor.flags |= flags::read_only;
  if (levels.is("flags", "copied")) descriptor.flags |= flags::is_copied;
  if (levels.is("place", "byte_offset")) descriptor.layout.byte_offset = far_offset;
  if (levels.is("place", "guard-behind")) request.placement = Placement::end;
  if (levels.is("place", "guard-in-front")) request.placement = Placement::start;
  return request;
}

// An import of another tensor, as different as the plug-in takes them, in a struct like that of the path.
std::unique_ptr<LiveImport> neighbour(const DlspecPlugin& plugin, const NativeCase& asked, const PathLevels& levels) {
  std::unique_ptr<LiveImport> made;
  for (const NativeCase& other : neighbours_of(asked)) {
    made = taken_import(plugin, in_struct_of(other, levels));
    if (made->taken()) break;
  }
  return made;
}

// Imports of other tensors: those of the crowd, and at last the most different one.
Imports other_imports(const DlspecPlugin& plugin, const NativeCase& asked, const PathLevels& levels) {
  Imports made;
  for (const NativeCase& other : crowd_of(asked)) made.push_back(taken_import(plugin, in_struct_of(other, levels)));
  made.push_back(neighbour(plugin, asked, levels));
  return made;
}

// The bytes of the first element of what is offered: another dtype and shape at the same address.
OfferRequest in_same_memory(const Offer& offer) {
  const Layout& layout = offer.request().descriptor.layout;
  OfferRequest request;
  request.descriptor.generation = Generation::versioned;
  request.descriptor.layout.dtype = {kDLUInt, 8, 1};
  const std::int64_t size = std::max(1, layout.dtype.bits * layout.dtype.lanes / 8);
  request.descriptor.layout.shape = {size};
  request.descriptor.layout.strides = {1};
  request.descriptor.layout.byte_offset = layout.byte_offset;
  request.contents.assign(static_cast<std::size_t>(size), 0x5A);
  return request;
}

// Of a later major version, and of an unknown device, twice.
void refuse_thrice(const DlspecPlugin& plugin, const NativeCase& asked) {
  for (int i = 0; i < 3; ++i) {
    OfferRequest request = ordinary_offer(asked, Generation::versioned);
    if (i == 0) request.descriptor.version = {2, 0};
    if (i > 0) request.descriptor.device = {unknown_device_type, 0};
    taken_import(plugin, std::move(request));
  }
}

// `offered` is what the path imports afterwards.
Imports before(const DlspecPlugin& plugin, const NativeCase& asked, const PathLevels& levels, const Offer* offered) {
  OfferRequest request = ordinary_offer(asked, Generation::versioned);
  if (levels.is("before", "refusal")) request.dtype = abi::DataType{unknown_dtype_code, 32, 1};
  if (levels.is("before", "refusals")) refuse_thrice(plugin, asked);
  Imports kept;
  for (const char* level : {"import-alive", "import-released", "refusal"}) {
    if (levels.is("before", level)) kept.push_back(taken_import(plugin, request));
  }
  if (offered != nullptr && levels.is("before", "same-memory")) {
    OfferRequest same = in_same_memory(*offered);
    same.data = reinterpret_cast<std::uintptr_t>(offered->data());
    kept.push_back(taken_import(plugin, std::move(same)));
    return kept;
  }
  if (levels.is("before", "other-alive") || levels.is("before", "other-released")) {
    kept = other_imports(plugin, asked, levels);
  }
  if (!levels.is("before", "import-alive") && !levels.is("before", "other-alive")) kept.clear();
  return kept;
}

bool is_right(const DlspecPlugin& plugin, const NativeCase& asked, const PathLevels& levels) {
  const auto made = taken_import(plugin, offer_of(asked, levels));
  return !made->taken() || misread(*made->offer(), made->read()).empty();
}

// That of the level without which the elements are right, of two that are both needed the first; else that of the
// layout, where the same elements in a row are right; else elements in general.
RuleId rule_of_wrong_elements(const DlspecPlugin& plugin, const NativeCase& asked, const PathLevels& levels) {
  const bool is_moved = levels.is("place", "byte_offset");
  const bool offset = ordinary_offer(asked, Generation::versioned).descriptor.layout.byte_offset != 0;
  if ((is_moved || offset) && is_right(plugin, without_offset(asked), levels.without("place"))) {
    return RuleId::tensor_byte_offset_honoured;
  }
  if (levels.is("strides", "null") && is_right(plugin, asked, levels.without("strides"))) {
    return RuleId::tensor_strides_null_means_rowmajor;
  }
  NativeCase compact = without_offset(asked);
  compact.layout.strides.reset();
  if (!is_right(plugin, compact, levels.without("place"))) return RuleId::tensor_element_address;
  for (const RuleId rule : {RuleId::tensor_strides_empty_ignored, RuleId::tensor_strides_negative_ok,
                            RuleId::tensor_strides_zero_ok, RuleId::tensor_strides_extent1_ignored}) {
    if (std::find(asked.rules.begin(), asked.rules.end(), rule) != asked.rules.end()) return rule;
  }
  return RuleId::tensor_element_address;
}

// Other imports, while this one lives.
void disturb(const DlspecPlugin& plugin, const NativeCase& asked, const PathLevels& levels, Imports& kept) {
  if (levels.is("after", "other")) {
    for (std::unique_ptr<LiveImport>& other : other_imports(plugin, asked, levels)) kept.push_back(std::move(other));
  }
  if (!levels.is("after", "import") && !levels.is("after", "import-released")) return;
  const bool is_many = levels.is("after", "import") && !levels.is("size", "large");
  for (int i = 0; i < (is_many ? later_imports : 3); ++i) {
    kept.push_back(taken_import(plugin, ordinary_offer(asked, Generation::versioned)));
  }
  if (levels.is("after", "import-released")) kept.clear();
}

// Imports that are released while the one under judgement lives.
Imports earlier(const DlspecPlugin& plugin, const NativeCase& asked, const PathLevels& levels) {
  Imports made;
  if (!levels.is("after", "earlier-released")) return made;
  made.push_back(taken_import(plugin, ordinary_offer(asked, Generation::versioned)));
  made.push_back(neighbour(plugin, asked, levels));
  return made;
}

bool is_taken(const DlspecPlugin& plugin, const NativeCase& asked, const PathLevels& levels) {
  return taken_import(plugin, offer_of(asked, levels))->taken();
}

// Once more: the same history, then the same import.
bool is_refused_after(const DlspecPlugin& plugin, const NativeCase& asked, const PathLevels& levels) {
  const Imports kept = before(plugin, asked, levels, nullptr);
  return !is_taken(plugin, asked, levels);
}

void exchange(const DlspecPlugin& plugin, const NativeCase& asked, const PathLevels& levels, NativeAnswer& answer) {
  const bool is_refusal_before = levels.is("before", "refusal") || levels.is("before", "refusals");
  const bool taken_before = is_refusal_before && is_taken(plugin, asked, levels);
  OfferRequest request = offer_of(asked, levels);
  // The memory is that of the earlier import, if that holds it, which a copy does not: the later tensor may be released
  // at once.
  std::unique_ptr<LiveImport> same;
  if (levels.is("before", "same-alive")) same = taken_import(plugin, request);
  if (same != nullptr && same->offer() != nullptr && same->offer()->counts().live != 0)
    request.data = reinterpret_cast<std::uintptr_t>(same->offer()->data());
  const auto made = std::make_unique<LiveImport>(plugin, std::move(request));
  Imports kept = before(plugin, asked, levels, made->offer());
  Imports released_later = earlier(plugin, asked, levels);
  const auto take = [&] { made->take(); };
  if (levels.is("thread", "other")) {
    std::thread(take).join();
  } else {
    take();
  }
  if (made->offer() == nullptr) return answer.rest_blocked(cannot_offer(made->problem()));
  const PluginImport first = made->read();
  const std::string problem = first.taken ? misread(*made->offer(), first) : "";
  released_later.clear();
  disturb(plugin, asked, levels, kept);
  const PluginImport later = made->read();
  if (levels.is("release", "thread")) {
    std::thread([&] { made->release(); }).join();
  } else {
    made->release();
  }
  judge_conduct({plugin, asked, *made->offer(), first, answer});
  if (!first.taken && taken_before && is_refused_after(plugin, asked, levels)) {
    answer.violated(RuleId::managed_error_releases,
                    "what was imported before is refused after a refusal: " + first.reason,
                    "a refusal that leaves nothing behind");
  }
  if (!first.taken) return answer.rest_unsupported(first.reason);
  if (first.is_unseen) return answer.rest_unsupported(unseen);
  if (!problem.empty()) {
    answer.set(rule_of_wrong_elements(plugin, asked, levels), wrong(problem, offered_contents));
    return answer.rest_blocked("by the elements of the import");
  }
  if (answer.is_violated(RuleId::tensor_metadata_not_mutated)) {
    answer.blocked(RuleId::managed_not_early, "by tensor.metadata-not-mutated");
  } else {
    answer.decide(RuleId::managed_not_early, later.contents == first.contents,
                  "after other imports the array shows other elements", "the elements, until the last use");
  }
  for (const RuleId rule : asked.rules) {
    const bool is_asked = rule != RuleId::tensor_strides_null_means_rowmajor || levels.is("strides", "null");
    if (is_asked && rule_group(dlspec::rule(rule)) == "tensor" && !answer.outcomes().contains(rule)) answer.pass(rule);
  }
  answer.rest_not_applicable();
}

}  // namespace

std::shared_ptr<void> consumer_history(const DlspecPlugin& plugin, const NativeCase& asked, const PathLevels& levels) {
  return std::make_shared<Imports>(before(plugin, asked, levels, nullptr));
}

void consumer_path(const DlspecPlugin& plugin, const NativeCase& asked, const PathLevels& levels,
                   NativeAnswer& answer) {
  exchange(plugin, levels.is("size", "large") ? large_of(asked) : asked, levels, answer);
}

}  // namespace dlspec::conformance
