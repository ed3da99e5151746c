// Pages between two that nobody may touch, so that a step beside them ends in a fault that can be named.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace dlspec::conformance {

// What stands in the pages, for the words of a report. The buffer: where the contents of an import are to be written.
enum class FencePart : std::uint8_t { data, structure, shape, strides, buffer };
enum class FenceState : std::uint8_t {
  open,       // may be read and written
  read_only,  // a write faults
  closed,     // everything faults: what stood there was released
};

// Not thread-safe; different fences are. Pages are used again after a fence has gone. When there is no
// room for more fences the bytes come from the heap: the same, but nothing faults.
class Fence {
 public:
  static constexpr std::size_t page = 4096;
  static constexpr std::size_t most = 16384;  // at a time; each takes three areas of the 65530 that a process has

  // At least `size` bytes, open; the last one stands at the upper guard. Their contents are anything.
  [[nodiscard]] static std::unique_ptr<Fence> make(std::size_t size, FencePart part);
  ~Fence();
  Fence(const Fence&) = delete;
  Fence& operator=(const Fence&) = delete;

  [[nodiscard]] std::span<std::uint8_t> bytes() const { return bytes_; }
  // False when the bytes come from the heap.
  [[nodiscard]] bool guarded() const { return slot_ != nullptr; }
  // Which of the bytes belong to somebody: what distances are counted from.
  void mark(const void* begin, std::size_t size);

  void set(FenceState state);
  [[nodiscard]] FenceState state() const { return state_; }

 private:
  struct Slot;
  struct Pool;
  friend struct FenceHit;
  Fence() = default;

  std::span<std::uint8_t> bytes_;
  Slot* slot_ = nullptr;
  std::unique_ptr<std::uint8_t[]> heap_;
  FenceState state_ = FenceState::open;
};

// Where an address lies that faulted.
struct FenceHit {
  enum class Where : std::uint8_t { before, inside, beyond };

  bool found = false;
  FencePart part = FencePart::data;
  FenceState state = FenceState::open;
  Where where = Where::inside;
  std::size_t distance = 0;  // bytes from what is marked: 1 is the byte beside it; 0 inside

  // To be called by a signal handler, too.
  [[nodiscard]] static FenceHit at(const void* address) noexcept;
};

}  // namespace dlspec::conformance
