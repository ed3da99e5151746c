// Exchange tables of plug-ins: what they export of an import.
#include <fmt/format.h>

#include <cstdint>
#include <utility>
#include <vector>

#include <dlspec/conformance/oracle/unknown_values.h>
#include <dlspec/conformance/worker/native/consumer_trial.h>
#include <dlspec/conformance/worker/native/held_import.h>
#include <dlspec/conformance/worker/native/managed_structs.h>
#include <dlspec/conformance/worker/native/plugin_table.h>
#include <dlspec/conformance/worker/native/table_cases.h>
#include <dlspec/reference/rearrange/gather.h>
#include <dlspec/vocabulary/dtype.h>
#include <dlspec/vocabulary/flags.h>
#include <dlspec/vocabulary/rules.h>
#include <dlspec/vocabulary/status.h>

namespace dlspec::conformance {

namespace {

struct Flagged {
  const char* what;
  std::uint64_t flags;
  abi::Version version = abi::newest_version;
};
constexpr Flagged all_flagged[] = {{"READ_ONLY", flags::read_only},
                                   {"READ_ONLY and IS_COPIED", flags::read_only | flags::is_copied},
                                   {"IS_COPIED", flags::is_copied},
                                   {"READ_ONLY, in a struct of version 1.99", flags::read_only, newer_minor},
                                   {"READ_ONLY, in a struct of version 1.0", flags::read_only, {1, 0}},
                                   {"PADDED", flags::subbyte_padded},
                                   {"PADDED and READ_ONLY", flags::subbyte_padded | flags::read_only}};

bool is_padded(std::uint64_t flags) { return (flags & flags::subbyte_padded) != 0; }

// Whether the export shows the memory that was imported; a copy has flags of its own.
bool is_shared(const Offer& offer, const Managed& made) {
  return first_element(made.dl_tensor) ==
         reinterpret_cast<const char*>(offer.data()) + offer.request().descriptor.layout.byte_offset;
}

// True where even READ_ONLY alone is lost: that is reported of exports.
bool loses_read_only(const Flagged& given, const Offer& offer, const Managed& made) {
  return given.flags == flags::read_only && given.version == abi::newest_version &&
         (made.flags & flags::read_only) == 0 && is_shared(offer, made);
}

// What this export of the import says against the flags of its tensor.
void judge_flagged(const Flagged& given, const Offer& offer, const Managed& made, NativeAnswer& answer) {
  if (!is_shared(offer, made)) return;
  if ((given.flags & flags::read_only) != 0 && (made.flags & flags::read_only) == 0) {
    answer.violated(RuleId::flags_read_only_propagated,
                    fmt::format("memory that came with {} is exported without READ_ONLY", given.what),
                    "READ_ONLY, or a copy");
  }
  if (given.flags == flags::is_copied && (made.flags & flags::is_copied) != 0) {
    answer.violated(RuleId::exchange_flags_still_apply,
                    "memory that came with IS_COPIED is exported with it, and shared with the import",
                    "IS_COPIED of copies alone");
  }
  std::vector<std::uint8_t> shown;
  const std::vector<std::uint8_t>& right = offer.request().contents;
  const bool is_read =
      reference::gather(made.dl_tensor, is_padded(made.flags), shown, right.size()) == Status::ok && !shown.empty();
  if (is_padded(given.flags) && is_read && shown != right) {
    answer.violated(RuleId::exchange_flags_still_apply,
                    fmt::format("memory that came with {} is exported {} PADDED, and shows other elements", given.what,
                                is_padded(made.flags) ? "with" : "without"),
                    "the flags that tell how its elements lie");
  }
}

// A READ_ONLY import is exported, and the export imported by the table that made it: what that exports is READ_ONLY.
void judge_returned(const DlspecPlugin& through, const NativeCase& asked, NativeAnswer& answer) {
  OfferRequest request = ordinary_offer(asked, Generation::versioned);
  request.descriptor.flags |= flags::read_only;
  const Held held(through, std::move(request));
  Managed* const made = held.taken() ? export_object(held.array()) : nullptr;
  if (made == nullptr) return;
  if ((made->flags & flags::read_only) == 0) return release_exported(Exported(made));
  void* again = nullptr;
  const char* reason = nullptr;
  if (through.import_tensor(made, DLSPEC_VERSIONED, &again, &reason) != DLSPEC_OK) return;
  if (Managed* const last = export_object(again)) {
    if (is_shared(held.offer(), *last) && (last->flags & flags::read_only) == 0) {
      answer.violated(RuleId::flags_read_only_propagated,
                      "an export with READ_ONLY that the table imports is exported without it", "READ_ONLY, or a copy");
    }
    release_exported(Exported(last));
  }
  through.release(again);
}

// Two exports of one import: the import is not released while one of them lives. That it is released at all is asked
// elsewhere.
void judge_two_onward(const DlspecPlugin& through, const NativeCase& asked, NativeAnswer& answer) {
  Held held(through, ordinary_offer(asked, Generation::versioned));
  if (!held.taken()) return;
  Managed* const first = export_object(held.array());
  Managed* const second = first != nullptr ? export_object(held.array()) : nullptr;
  const bool are_two = second != nullptr && second != first;
  const bool shares = are_two && is_shared(held.offer(), *first) && is_shared(held.offer(), *second);
  held.release();
  if (first != nullptr) release_exported(Exported(first));
  if (!shares) {
    if (are_two) release_exported(Exported(second));
    return;
  }
  constexpr RuleId independent = RuleId::managed_exports_independent;
  if (held.offer().counts().deleter_calls > 0) {  // and the second export may be gone
    return answer.violated(independent, "of two exports of an import the release of one releases the import",
                           "memory that lives as long as the other one");
  }
  release_exported(Exported(second));
  answer.pass(independent);
}

}  // namespace

void table_onward_case(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  const DlspecPlugin through = asked_through_table(plugin, answer);
  if (through.make == nullptr) return;
  bool exported = false;
  for (const Flagged& given : all_flagged) {
    if (is_padded(given.flags) && !is_subbyte(asked.layout.dtype)) continue;
    OfferRequest request = ordinary_offer(asked, Generation::versioned);
    request.descriptor.flags |= given.flags;
    request.descriptor.version = given.version;
    const Held held(through, std::move(request));
    if (!held.taken()) continue;
    Managed* const first = export_object(held.array());
    if (first == nullptr) continue;
    exported = true;
    const bool is_lost = loses_read_only(given, held.offer(), *first);
    if (!is_lost) judge_flagged(given, held.offer(), *first, answer);
    Managed* const second = is_lost ? nullptr : export_object(held.array());
    const bool is_another = second != nullptr && second != first;  // one struct for both is reported by table-owned
    if (is_another) judge_flagged(given, held.offer(), *second, answer);
    release_exported(Exported(first));
    if (is_another) release_exported(Exported(second));
    if (is_lost) return answer.rest_blocked("by exchange.flags-still-apply");
  }
  judge_returned(through, asked, answer);
  judge_two_onward(through, asked, answer);
  exported ? answer.rest_pass() : answer.rest_unsupported("the table exports no import with flags");
}

}  // namespace dlspec::conformance
