// Memory between two pages that may not be touched: a read or write beyond it is a fault, not a
// wrong number. The slack that alignment leaves inside the pages carries canaries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace dlspec::testing {

class GuardedBuffer {
 public:
  // Which edge lies against its guard: `front` faults at the first byte before the buffer, `back` at
  // the first byte behind it, as far as the alignment allows.
  enum class Edge : unsigned char { front, back };

  // Zeroed memory of `size` bytes (0 is allowed) that begins at a multiple of `alignment`. With
  // Edge::back and a size that is a multiple of the alignment, not one byte of slack is left behind.
  // Nothing when the alignment is no power of two or above a page, or the system has no memory left.
  [[nodiscard]] static std::optional<GuardedBuffer> make(std::size_t size, Edge edge, std::size_t alignment = 1);

  ~GuardedBuffer();
  GuardedBuffer(GuardedBuffer&& other) noexcept;
  GuardedBuffer& operator=(GuardedBuffer&& other) noexcept;

  [[nodiscard]] std::span<std::uint8_t> bytes() const { return {data_, size_}; }

  // The first byte of the slack that is no longer as it was made, counted from the start of the
  // buffer: negative before it, at least its size behind it. Nothing when all are intact.
  [[nodiscard]] std::optional<std::ptrdiff_t> damage() const;

  // What may be done with the buffer and its slack from now on; false when the system refuses.
  // Everything faults after forbid(), so that use after release shows.
  [[nodiscard]] bool allow_reading_and_writing();
  [[nodiscard]] bool allow_reading_only();
  [[nodiscard]] bool forbid();

  // True for an address in the buffer, its slack or its guards: a fault there is about this buffer.
  [[nodiscard]] bool covers(std::uintptr_t address) const;

 private:
  GuardedBuffer() = default;
  [[nodiscard]] std::span<std::uint8_t> body() const;
  [[nodiscard]] bool protect(int protection);
  void fill_slack();

  std::uint8_t* mapping_ = nullptr;  // guard, body, guard
  std::size_t mapping_size_ = 0;
  std::uint8_t* data_ = nullptr;
  std::size_t size_ = 0;
};

}  // namespace dlspec::testing
