// One import by a plug-in of a tensor that dlspec offers, and what every consumer case does with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <dlspec/conformance/oracle/offer.h>
#include <dlspec/conformance/worker/native/native_case.h>
#include <dlspec/plugin.h>
#include <dlspec/vocabulary/exported.h>

namespace dlspec::conformance {

// The ordinary offer of a case, before its variant alters it. Element (0, ..., 0) lies at `data` itself but for the
// layouts that order an offset without needing one: those try byte_offset.
[[nodiscard]] OfferRequest ordinary_offer(const NativeCase& asked, Generation generation);

// What the plug-in answered to an import, and which contents it showed.
struct PluginImport {
  bool taken = false;
  std::string reason;  // of a refusal
  std::vector<std::uint8_t> contents;
  bool has_contents = false;
  bool is_unseen = false;  // its elements cannot be seen, which is no fault: a table need not export what it imports

  // Reads the contents of this array. `bytes`: as many as the offer has.
  void read(const DlspecPlugin& plugin, void* array, std::span<std::uint8_t> bytes);
};

inline constexpr const char* unseen = "the table does not export what it imported, so that no elements are seen";

// Imports a new export of the offer, reads the contents and releases the array. As many bytes are read as the offer
// has, or as `byte_count` says; a write behind them faults.
[[nodiscard]] PluginImport import_and_release(const DlspecPlugin& plugin, Offer& offer);
[[nodiscard]] PluginImport import_and_release(const DlspecPlugin& plugin, Offer& offer, std::size_t byte_count);

// Where the imported contents differ from those that were offered; "" when they do not.
[[nodiscard]] std::string misread(const Offer& offer, const PluginImport& import);

// A second offer, made to compare with. One that dlspec cannot make was neither taken nor misread.
struct ComparisonImport {
  bool taken = false;
  bool misread = false;
};
[[nodiscard]] ComparisonImport try_offer(const DlspecPlugin& plugin, OfferRequest request);

// The same array without an offset: it tells which of two things that a layout tries is misread.
[[nodiscard]] NativeCase without_offset(const NativeCase& asked);

// False when an ordinary import of the same elements shows others: then the variant is not to blame.
[[nodiscard]] bool shows_ordinary(const DlspecPlugin& plugin, const NativeCase& asked);

// An import under judgement. Refers to objects of its caller.
struct ConsumerTrial {
  const DlspecPlugin& plugin;
  const NativeCase& asked;
  const Offer& offer;
  const PluginImport& import;
  NativeAnswer& answer;
};

// Rules that hold for whatever was offered, taken or refused: no write to the struct or to memory that the consumer
// must leave alone, no access after the release, one call of the deleter with the pointer that was handed over.
void judge_conduct(const ConsumerTrial& trial);

inline constexpr const char* offered_contents = "the contents of the tensor that was offered";

// A case that dlspec cannot try.
[[nodiscard]] std::string cannot_offer(const std::string& problem);

}  // namespace dlspec::conformance
