// Memory between two guard pages: an access beyond it faults instead of giving a wrong number. The slack that alignment
// leaves between buffer and guard page is filled with canaries.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace dlspec::testing {

class GuardedBuffer {
 public:
  // Which edge adjoins its guard page: with `front` the first byte before the buffer faults, with `back` the first byte
  // after it, as far as the alignment allows.
  enum class Edge : unsigned char { front, back };

  // Zeroed memory of `size` bytes (0 is allowed) that begins at a multiple of `alignment`. With
  // Edge::back and a size that is a multiple of the alignment, there is no slack after it.
  // No value when the alignment is not a power of two or above a page, or the system has no memory.
  [[nodiscard]] static std::optional<GuardedBuffer> make(std::size_t size, Edge edge, std::size_t alignment = 1);

  ~GuardedBuffer();
  GuardedBuffer(GuardedBuffer&& other) noexcept;
  GuardedBuffer& operator=(GuardedBuffer&& other) noexcept;

  [[nodiscard]] std::span<std::uint8_t> bytes() const { return {data_, size_}; }

  // The offset of the first changed byte of the slack from the start of the buffer: negative before it, at least its
  // size after it. No value when all are intact.
  [[nodiscard]] std::optional<std::ptrdiff_t> damage() const;

  // Change the page protection of the buffer and its slack; false when the system refuses. After forbid() every access
  // faults, which shows a use after release.
  [[nodiscard]] bool allow_reading_and_writing();
  [[nodiscard]] bool allow_reading_only();
  [[nodiscard]] bool forbid();

  // True for an address in the buffer, its slack or its guard pages: a fault there is an access to this buffer.
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
