// dlspec's own tensor, offered to a consumer: every field of the struct as ordered, memory amid
// canaries and guard pages, and a deleter that counts, remembers misuse and makes late use visible.
//
// Knows nothing of Python; the extension puts these structs into capsules, the native worker hands
// them to plug-ins.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <dlspec/conformance/oracle/canary_memory.h>
#include <dlspec/conformance/oracle/hostile_structs.h>
#include <dlspec/vocabulary/abi.h>
#include <dlspec/vocabulary/exported.h>
#include <dlspec/vocabulary/layout.h>

namespace dlspec::conformance {

// What to offer. The descriptor's layout says how the elements lie, and what the struct says unless
// a field below overrides it. Strides are elements; none: the struct's strides are NULL.
struct OfferRequest {
  Descriptor descriptor;
  std::vector<std::uint8_t> contents;  // the elements in C order, sub-byte ones packed
  bool null_shape = false;
  bool strides_nowhere = false;  // rank 0 only: the struct's strides are not NULL, and lead to a page that faults
  bool null_deleter = false;
  std::optional<abi::DataType> dtype;         // in the struct, in place of the layout's
  std::optional<std::int32_t> ndim;           // in the struct, in place of the layout's
  std::size_t outer_ones = 0;                 // axes of one element in the struct, in front of the layout's
  std::uint8_t misaligned = 0;                // bytes from a multiple of 256 to data
  std::optional<std::uintptr_t> manager_ctx;  // in the struct, in place of the export's own
  std::optional<std::uintptr_t> data;         // in the struct, in place of its own: of a device, or of another offer
  const HostileStruct* hostile = nullptr;     // what is spoilt in the tensor of every export, whose rank is 2
  bool prefix_only = false;        // versioned only: what follows the flags lies in a page that nobody may touch
  std::uint64_t surroundings = 0;  // each word of the memory before and after a legacy struct
  Placement placement = Placement::aligned;
  std::function<void()> on_release;  // called by the deleter at a release, on its thread, when no lock is held
  bool poison_on_release = true;     // overwrite struct, shape and strides at release, the data at the last one
};

// What has happened to all exports of one offer so far.
struct OfferCounts {
  int exports = 0;               // made
  int live = 0;                  // not released yet
  int deleter_calls = 0;         // all calls of a deleter, faulty ones included
  int repeated_calls = 0;        // calls for an export that had been released already
  int wrong_self = 0;            // calls with the address of something else than the struct itself
  int foreign_thread_calls = 0;  // calls from another thread than the one that made the export
  int altered_structs = 0;       // structs, shapes or strides that somebody wrote to before the release
  int late_writes = 0;           // writes to a struct, its shape or strides, or to the data, after the release
};

// All functions may be called from any thread. The deleters stay callable, and the memory stays
// where it is, after the offer is gone: as long as an export lives, and then in a quarantine of
// quarantine_exports and quarantine_bytes.
class Offer {
 public:
  static constexpr std::size_t quarantine_exports = 1000;  // unless set_quarantine() says otherwise
  static constexpr std::size_t quarantine_bytes = std::size_t{1} << 26;

  // NULL when the request makes no sense; `problem` then says why, in a sentence part.
  [[nodiscard]] static std::unique_ptr<Offer> make(OfferRequest request, std::string& problem);
  ~Offer();
  Offer(const Offer&) = delete;
  Offer& operator=(const Offer&) = delete;

  // A new managed struct over the one memory, to be given to a consumer. An offer with a NULL deleter
  // keeps its exports for ever. When no export lives, the data is as ordered at first.
  [[nodiscard]] Exported share();

  // From now on a release makes what it releases untouchable, so that a later read faults as well: the
  // struct, shape and strides; the data at the last one.
  void close_on_release();
  // Data that the flags call READ_ONLY lies in pages that cannot be written, until this.
  void let_write();

  [[nodiscard]] OfferCounts counts() const;
  // No struct, shape or strides were written to, before or after their release.
  [[nodiscard]] bool struct_intact() const;
  // No byte beside the elements was written to, and after the last release none at all.
  [[nodiscard]] bool memory_intact() const;
  // The elements as they are now, or as they were at the last release.
  [[nodiscard]] std::vector<std::uint8_t> contents() const;
  // Where the memory starts, also when the struct says NULL. A multiple of 256, but for what was ordered misaligned.
  [[nodiscard]] const std::uint8_t* data() const;
  [[nodiscard]] const OfferRequest& request() const;

  // How many released exports are kept, in the whole process. For tests that count memory.
  static void set_quarantine(std::size_t exports);

  // The destructor of its capsule releases this export: one of two releases, if there are two, for which the name of
  // the capsule is to blame.
  static void leave_to_capsule(const void* self);
  // Deleter calls, in the whole process, for exports that had been released before, but for those that were left to a
  // capsule, or released with a copy of the struct.
  [[nodiscard]] static int all_repeated_calls();
  // Exports that were released, in the whole process.
  [[nodiscard]] static int all_releases();
  // Deleter calls, in the whole process, with a pointer that leads to no export at all.
  [[nodiscard]] static int stray_calls();

 private:
  struct State;
  struct Export;
  struct Registry;
  explicit Offer(std::shared_ptr<State> state) : state_(std::move(state)) {}

  std::shared_ptr<State> state_;
};

}  // namespace dlspec::conformance
