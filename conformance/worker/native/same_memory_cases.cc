// Imports beside what lives: the same memory as another tensor, and what an exchange table says of an import.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <dlspec/conformance/oracle/unknown_values.h>
#include <dlspec/conformance/worker/native/consumer_trial.h>
#include <dlspec/conformance/worker/native/held_import.h>
#include <dlspec/conformance/worker/native/managed_structs.h>
#include <dlspec/conformance/worker/native/plugin_table.h>
#include <dlspec/conformance/worker/native/producer_trial.h>
#include <dlspec/conformance/worker/native/table_cases.h>
#include <dlspec/conformance/worker/native/table_conduct.h>
#include <dlspec/reference/rearrange/gather.h>
#include <dlspec/vocabulary/dtype.h>
#include <dlspec/vocabulary/flags.h>
#include <dlspec/vocabulary/rules.h>
#include <dlspec/vocabulary/status.h>

namespace dlspec::conformance {
namespace {

// --- the same memory as another tensor

// Nine elements of four bytes, of which no two bytes are alike, in rows or in columns.
OfferRequest square_offer(const NativeCase& asked, Generation generation, bool in_columns, abi::DataType dtype) {
  constexpr std::int64_t side = 3;
  OfferRequest request = ordinary_offer(asked, generation);
  Layout& layout = request.descriptor.layout;
  layout.dtype = dtype;
  layout.shape = {side, side};
  layout.strides = in_columns ? std::vector<std::int64_t>{1, side} : std::vector<std::int64_t>{side, 1};
  request.contents.clear();
  for (std::int64_t row = 0; row < side; ++row) {
    for (std::int64_t column = 0; column < side; ++column) {
      const std::int64_t place = in_columns ? column * side + row : row * side + column;
      for (std::int64_t byte = 0; byte < 4; ++byte) {
        request.contents.push_back(static_cast<std::uint8_t>(1 + place * 4 + byte));
      }
    }
  }
  return request;
}

struct Pair {
  const char* what;
  bool first_in_columns, second_in_columns;
  abi::DataType second;
};
constexpr abi::DataType of_floats{kDLFloat, 32, 1};
constexpr Pair pairs[] = {{"columns in place of rows", false, true, of_floats},
                          {"rows in place of columns", true, false, of_floats},
                          {"integers in place of floats", false, false, {kDLUInt, 32, 1}}};

// Two rows of the square that `memory` holds, from this one on.
OfferRequest rows_of(const NativeCase& asked, Generation generation, const Offer& memory, std::size_t first_row) {
  constexpr std::size_t row_bytes = 12;
  OfferRequest request = square_offer(asked, generation, false, of_floats);
  request.descriptor.layout.shape = {2, 3};
  request.descriptor.layout.byte_offset = first_row * row_bytes;
  const auto first = request.contents.begin() + static_cast<std::ptrdiff_t>(first_row * row_bytes);
  request.contents = std::vector<std::uint8_t>(first, first + 2 * row_bytes);
  request.data = reinterpret_cast<std::uintptr_t>(memory.data());
  return request;
}

// An import beside one that differs from it in byte_offset alone.
void judge_other_offset(const DlspecPlugin& plugin, const NativeCase& asked, Generation generation,
                        NativeAnswer& answer) {
  const Held square(plugin, square_offer(asked, generation, false, of_floats));
  if (!square.taken() || square.offer().counts().live == 0) return;
  std::string problem;
  const auto is_right_alone = [&] {
    const ComparisonImport alone = try_offer(plugin, rows_of(asked, generation, square.offer(), 1));
    return alone.taken && !alone.misread;
  };
  if (!is_right_alone()) return;
  std::string difference;
  if (try_offer(plugin, rows_of(asked, generation, square.offer(), 0)).misread) {
    difference = "those of the import before";
  } else {
    const Held at_the_start(plugin, rows_of(asked, generation, square.offer(), 0));
    const std::unique_ptr<Offer> beside = Offer::make(rows_of(asked, generation, square.offer(), 1), problem);
    if (beside == nullptr) return;
    const PluginImport import = import_and_release(plugin, *beside);
    if (!import.taken || !import.has_contents) return;
    difference = misread(*beside, import);
  }
  if (difference.empty()) return answer.pass(RuleId::tensor_element_address);
  if (!is_right_alone()) return;  // the memory was written to
  answer.set(RuleId::tensor_element_address,
             wrong("another byte_offset of memory that an import still holds: " + difference, offered_contents));
}

// Whether an import is released once, and left alone: what is not watched would suffer by anything else.
bool releases_once(const DlspecPlugin& plugin, const NativeCase& asked) {
  std::string problem;
  const std::unique_ptr<Offer> offer = Offer::make(ordinary_offer(asked, Generation::versioned), problem);
  if (offer == nullptr || !import_and_release(plugin, *offer).taken) return false;
  const OfferCounts counts = offer->counts();
  return counts.deleter_calls == 1 && counts.repeated_calls == 0 && counts.wrong_self == 0 &&
         counts.altered_structs == 0 && counts.late_writes == 0;
}

// The plug-in's own export, which nothing of dlspec touches, imported by the plug-in: its memory is not given to the
// arrays that are made beside it.
void judge_own_export(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  if (plugin.make == nullptr || plugin.contents == nullptr || !releases_once(plugin, asked)) return;
  const DlspecSpec spec = spec_of(asked, asked.device);
  NativeCase other = asked;
  for (std::uint8_t& byte : other.bytes) byte = static_cast<std::uint8_t>(~byte);
  const DlspecSpec beside = spec_of(other, asked.device);
  const char* reason = nullptr;
  void *exported = nullptr, *imported = nullptr;
  if (plugin.make(&spec, DLSPEC_VERSIONED, &exported, &reason) != DLSPEC_OK) return;
  const bool is_right = elements_problem(exported_struct(exported, DLSPEC_VERSIONED), asked).empty();
  if (plugin.import_tensor(exported, DLSPEC_VERSIONED, &imported, &reason) != DLSPEC_OK) return;
  std::vector<void*> crowd(8);
  for (void*& each : crowd) {
    if (plugin.make(&beside, DLSPEC_VERSIONED, &each, &reason) != DLSPEC_OK) each = nullptr;
  }
  std::vector<std::uint8_t> shown(asked.bytes.size());
  const bool is_shown = plugin.contents(imported, shown.data(), shown.size()) == DLSPEC_OK;
  plugin.release(imported);
  for (void* each : crowd) {
    if (each != nullptr) release_exported(exported_struct(each, DLSPEC_VERSIONED));
  }
  if (is_shown && shown != asked.bytes && is_right && shows_ordinary(plugin, asked))
    answer.set(RuleId::tensor_element_address,
               wrong("an import of the library's own export, beside arrays that were made later: " +
                         difference(shown, asked.bytes),
                     "the elements of the export"));
}

}  // namespace

void same_memory_case(const DlspecPlugin& plugin, const NativeCase& asked, NativeAnswer& answer) {
  for (const Generation generation : {Generation::versioned, Generation::legacy}) {
    for (const Pair& pair : pairs) {
      const Held alive(plugin, square_offer(asked, generation, pair.first_in_columns, of_floats));
      if (!alive.taken() || alive.offer().counts().live == 0) continue;  // a copy holds no memory of the offer
      const OfferRequest alone = square_offer(asked, generation, pair.second_in_columns, pair.second);
      OfferRequest request = alone;
      request.data = reinterpret_cast<std::uintptr_t>(alive.offer().data());
      std::string problem;
      const std::unique_ptr<Offer> offer = Offer::make(std::move(request), problem);
      if (offer == nullptr) return answer.rest_blocked(cannot_offer(problem));
      const PluginImport import = import_and_release(plugin, *offer);
      if (!import.taken || !import.has_contents) continue;
      const std::string difference = misread(*offer, import);
      if (difference.empty()) {
        answer.pass(RuleId::tensor_element_address);
      } else if (!try_offer(plugin, alone).misread) {
        answer.set(
            RuleId::tensor_element_address,
            wrong(fmt::format("{} of memory that an import still holds: {}", pair.what, difference), offered_contents));
        return;
      }
    }
    judge_other_offset(plugin, asked, generation, answer);
    if (answer.is_violated(RuleId::tensor_element_address)) return;
  }
  judge_own_export(plugin, asked, answer);
  answer.rest_unsupported("no two imports of one memory");
}

// --- what a table exports of an import

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
  judge_two_onward(through, asked, answer);
  exported ? answer.rest_pass() : answer.rest_unsupported("the table exports no import with flags");
}

}  // namespace dlspec::conformance
