// What an offer consists of: the memory that its exports share, and the struct of each. For offer.cc alone.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

#include <dlspec/conformance/oracle/canary_memory.h>
#include <dlspec/conformance/oracle/export_pages.h>
#include <dlspec/conformance/oracle/offer.h>
#include <dlspec/vocabulary/abi.h>

namespace dlspec::conformance {

// What all exports of an offer share. Guarded by the registry's mutex.
struct Offer::State {
  OfferRequest request;
  std::unique_ptr<CanaryMemory> memory;
  OfferCounts counts;
  std::vector<Export*> exports;         // of this offer, those that the registry still has
  bool poisoned = false;                // the data, by the last release
  bool canaries_broken = false;         // seen at a last release
  bool closing = false;                 // releases close what they release
  bool writable = false;                // also where the flags say READ_ONLY
  std::vector<std::uint8_t> last_seen;  // contents at the last release

  // What the struct says: the memory knows multiples of 256 only.
  [[nodiscard]] std::uint8_t* data() const { return memory->data() + request.misaligned; }
  [[nodiscard]] bool is_read_only() const;
  [[nodiscard]] bool poison_intact() const;
  // Before the first export of a new round.
  void revive();
  void last_release();
};

// One managed struct with everything of its own that it points to.
struct Offer::Export {
  explicit Export(std::shared_ptr<State> shared);

  std::shared_ptr<State> state;
  ExportPages pages;
  std::thread::id thread = std::this_thread::get_id();
  bool released = false;
  bool late_write_counted = false;
  bool is_blamed_otherwise = false;  // if it is released twice: on the capsule's name, or on a copy of the struct

  [[nodiscard]] const void* self() const { return pages.self(state->request.descriptor.generation); }
  // Poisoned or not, what the release left behind is remembered.
  [[nodiscard]] bool written_after_release() const { return released && !pages.intact(); }
  // What a quarantine of exports takes.
  [[nodiscard]] std::size_t size() const { return state->memory->body().size() + pages.size(); }
  void fill_tensor(abi::Tensor& tensor);
  void release();
};

}  // namespace dlspec::conformance
