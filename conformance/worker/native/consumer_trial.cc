#include <dlspec/conformance/worker/native/consumer_trial.h>

#include <fmt/format.h>

#include <algorithm>
#include <span>
#include <utility>

#include <dlspec/conformance/oracle/fence.h>
#include <dlspec/conformance/worker/native/managed_structs.h>
#include <dlspec/conformance/worker/native/patience.h>
#include <dlspec/conformance/worker/native/plugin_table.h>
#include <dlspec/vocabulary/flags.h>

namespace dlspec::conformance {
namespace {

void judge_releases(const PluginImport& import, const OfferCounts& counts, NativeAnswer& answer) {
  const std::string observed = fmt::format("the deleter was called {} times", counts.deleter_calls);
  const bool once = counts.deleter_calls == 1 && counts.repeated_calls == 0;
  if (import.taken && counts.deleter_calls == 0 && is_known_to_be_late()) {
    answer.set(RuleId::managed_deleter_once,
               {Outcome::Kind::unsupported, "releases come late, and were awaited before", {}, {}});
    answer.not_applicable(RuleId::managed_error_releases);
  } else if (import.taken) {
    answer.decide(RuleId::managed_deleter_once, once, observed + " after the array was given up", "one call");
    answer.not_applicable(RuleId::managed_error_releases);
  } else {
    answer.decide(RuleId::managed_error_releases, once, observed + " after the refusal", "one call");
    answer.not_applicable(RuleId::managed_deleter_once);
  }
  answer.decide(RuleId::managed_deleter_original_pointer, counts.wrong_self == 0,
                "the deleter got another pointer than was handed over", "the pointer that was handed over");
}

void judge_respect(const Offer& offer, NativeAnswer& answer) {
  answer.decide(RuleId::managed_no_touch_after_delete, offer.counts().late_writes == 0,
                "the export was written to after its release", "no access after the release");
  answer.decide(RuleId::flags_read_only_not_written, offer.memory_intact(), "memory was written to",
                "memory that is left alone");
  answer.not_applicable(RuleId::flags_read_only_respected);  // the plug-in table has no function that writes
  answer.decide(RuleId::tensor_metadata_not_mutated, offer.counts().altered_structs == 0,
                "the struct was written to before its release", "a struct that is left alone");
}

// Whether an axis of several elements goes backwards.
bool has_negative_steps(const Layout& layout) {
  for (std::size_t axis = 0; layout.strides && axis < layout.shape.size(); ++axis) {
    if ((*layout.strides)[axis] < 0 && layout.shape[axis] > 1) return true;
  }
  return false;
}

}  // namespace

OfferRequest ordinary_offer(const NativeCase& asked, Generation generation) {
  OfferRequest request;
  request.descriptor.layout = asked.layout;
  Layout& layout = request.descriptor.layout;
  if (has_negative_steps(layout)) layout.byte_offset = 0;
  if (!layout.strides) {
    std::vector<std::int64_t> strides(layout.shape.size());
    std::int64_t step = 1;
    for (std::size_t axis = strides.size(); axis-- > 0; step *= layout.shape[axis]) strides[axis] = step;
    layout.strides = std::move(strides);
  }
  request.descriptor.generation = generation;
  if (generation == Generation::versioned) request.descriptor.version = {1, asked.minor};
  request.descriptor.flags = asked.read_only && generation == Generation::versioned ? flags::read_only : 0;
  request.descriptor.null_data = asked.bytes.empty();
  request.contents = asked.bytes;
  return request;
}

PluginImport import_and_release(const DlspecPlugin& plugin, Offer& offer) {
  return import_and_release(plugin, offer, offer.request().contents.size());
}

PluginImport import_and_release(const DlspecPlugin& plugin, Offer& offer, std::size_t byte_count) {
  const int lent_before = offer.counts().live;
  const Exported exported = offer.share();
  void* array = nullptr;
  const char* reason = nullptr;
  PluginImport import;
  import.taken = plugin.import_tensor(const_cast<void*>(exported.object()), generation_number(exported.generation()),
                                      &array, &reason) == DLSPEC_OK;
  import.reason = reason != nullptr ? reason : "no reason given";
  if (!import.taken) {
    release_if_left(plugin, exported, offer.counts().deleter_calls);
    return import;
  }
  const std::unique_ptr<Fence> buffer = Fence::make(byte_count, FencePart::buffer);
  const std::span<std::uint8_t> bytes = buffer->bytes().last(byte_count);
  buffer->mark(bytes.data(), byte_count);
  std::fill(bytes.begin(), bytes.end(), std::uint8_t{0xA5});
  import.read(plugin, array, bytes);
  plugin.release(array);
  if (!offer.request().null_deleter) await_release([&] { return offer.counts().live <= lent_before; });
  return import;
}

void PluginImport::read(const DlspecPlugin& plugin, void* array, std::span<std::uint8_t> bytes) {
  const int status = plugin.contents(array, bytes.data(), bytes.size());
  has_contents = status == DLSPEC_OK;
  is_unseen = status == not_exported;
  contents.assign(bytes.begin(), bytes.end());
}

std::string misread(const Offer& offer, const PluginImport& import) {
  if (import.is_unseen) return "";
  return import.has_contents ? difference(import.contents, offer.request().contents)
                             : "contents() failed on an imported array";
}

ComparisonImport try_offer(const DlspecPlugin& plugin, OfferRequest request) {
  std::string problem;
  const std::unique_ptr<Offer> offer = Offer::make(std::move(request), problem);
  if (offer == nullptr) return {};
  const PluginImport import = import_and_release(plugin, *offer);
  return {import.taken, import.taken && !misread(*offer, import).empty()};
}

NativeCase without_offset(const NativeCase& asked) {
  NativeCase plain = asked;
  plain.layout.byte_offset = 0;
  plain.offset = 0;
  return plain;
}

bool shows_ordinary(const DlspecPlugin& plugin, const NativeCase& asked) {
  std::string problem;
  const std::unique_ptr<Offer> offer = Offer::make(ordinary_offer(asked, Generation::versioned), problem);
  if (offer == nullptr) return true;
  const PluginImport import = import_and_release(plugin, *offer);
  return !import.taken || !import.has_contents || import.contents == asked.bytes;
}

void judge_conduct(const ConsumerTrial& trial) {
  judge_respect(trial.offer, trial.answer);
  if (trial.offer.request().null_deleter) {
    trial.answer.pass(RuleId::managed_deleter_null_skipped);  // a call through NULL would have ended the process
  } else {
    judge_releases(trial.import, trial.offer.counts(), trial.answer);
  }
}

std::string cannot_offer(const std::string& problem) { return "dlspec cannot offer this tensor: " + problem; }

}  // namespace dlspec::conformance
