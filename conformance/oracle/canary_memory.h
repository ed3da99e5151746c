// Memory that holds a tensor's elements amid canary bytes, so that a write beside an element shows.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <dlspec/conformance/oracle/fence.h>
#include <dlspec/vocabulary/layout.h>

namespace dlspec::conformance {

// Where the elements stand in their memory. But for `heap`, pages that fault when touched lie before and after it.
enum class Placement : std::uint8_t {
  heap,     // canary zones before and after
  aligned,  // data is a multiple of 256; the last element is followed by the guard, or by canaries to the next such
            // multiple and then the guard
  end,      // the last element is followed by the guard: data has any address
  start,    // the first element is preceded by the guard
};

// Not thread-safe. Everything that the layout does not reach is canary: a zone before, a zone after,
// the gaps between elements, and the unused bits of a byte.
class CanaryMemory {
 public:
  static constexpr std::size_t alignment = 256;               // of data(), in bytes, where it is aligned
  static constexpr std::size_t guard = 256;                   // least length of a zone of canaries, in bytes
  static constexpr std::size_t limit = std::size_t{1} << 28;  // of the whole memory, in bytes
  static constexpr std::uint8_t poison_byte = 0xDB;

  // Memory for the layout, filled with `contents`: the elements in C order, sub-byte ones packed.
  // With `padded`, each sub-byte lane takes a byte of the memory. Where several indices share a byte
  // the last one wins. NULL when that cannot be done; `problem` then says why.
  static std::unique_ptr<CanaryMemory> make(const Layout& layout, bool padded, std::span<const std::uint8_t> contents,
                                            std::string& problem, Placement placement = Placement::heap);

  // What DLTensor.data points to; element (0, ..., 0) lies layout.byte_offset bytes further.
  [[nodiscard]] std::uint8_t* data() const { return data_; }
  // From the first byte to one past the last, guards excluded: what the elements may lie in.
  [[nodiscard]] std::span<const std::uint8_t> body() const;

  // The elements as they are now, in C order, sub-byte ones packed.
  [[nodiscard]] std::vector<std::uint8_t> contents() const;
  [[nodiscard]] bool canaries_intact() const;

  void restore();                            // canaries and contents as they were at first
  void invert_canaries();                    // for good; no longer those of another memory of this layout
  void poison();                             // every byte becomes poison_byte
  [[nodiscard]] bool poison_intact() const;  // meaningful after poison()

  // What faults; nothing does on the heap. While the memory is closed nothing above but data() and body()
  // may be called; while it is read-only, neither restore() nor poison().
  void set(FenceState state);
  [[nodiscard]] FenceState state() const { return fence_ != nullptr ? fence_->state() : FenceState::open; }

 private:
  struct Release {
    void operator()(std::uint8_t* memory) const;
  };

  CanaryMemory(const Layout& layout, bool padded) : layout_(layout), padded_(padded) {}
  bool allocate(Placement placement);
  void allocate_on_heap();
  void allocate_in_fence(Placement placement);
  void fill(std::span<const std::uint8_t> contents);

  Layout layout_;
  bool padded_;
  std::unique_ptr<std::uint8_t[], Release> heap_;
  std::unique_ptr<Fence> fence_;
  std::uint8_t* memory_ = nullptr;  // in one of the two
  std::size_t size_ = 0;
  std::uint8_t* data_ = nullptr;
  std::size_t before_ = 0;              // bytes of the body in front of data
  std::size_t after_ = 0;               // and from data on
  std::vector<std::uint8_t> image_;     // the whole memory as restore() makes it
  std::vector<std::uint8_t> elements_;  // of each byte of the memory, the bits that belong to an element
};

}  // namespace dlspec::conformance
