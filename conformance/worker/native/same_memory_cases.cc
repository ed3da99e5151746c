// Imports beside what lives: the same memory as another tensor.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <dlspec/conformance/worker/native/consumer_trial.h>
#include <dlspec/conformance/worker/native/held_import.h>
#include <dlspec/conformance/worker/native/managed_structs.h>
#include <dlspec/conformance/worker/native/plugin_table.h>
#include <dlspec/conformance/worker/native/producer_trial.h>
#include <dlspec/vocabulary/dtype.h>
#include <dlspec/vocabulary/flags.h>
#include <dlspec/vocabulary/rules.h>

namespace dlspec::conformance {
namespace {

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

}  // namespace dlspec::conformance
