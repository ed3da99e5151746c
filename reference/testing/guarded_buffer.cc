#include <dlspec/reference/testing/guarded_buffer.h>

#include <bit>
#include <limits>
#include <utility>

#include <sys/mman.h>
#include <unistd.h>

namespace dlspec::testing {
namespace {

std::size_t page_size() { return static_cast<std::size_t>(sysconf(_SC_PAGESIZE)); }

// A period of 251, a prime, so that bytes moved by a power of two differ.
std::uint8_t canary(std::size_t position) { return static_cast<std::uint8_t>(position % 251 + 3); }

}  // namespace

std::optional<GuardedBuffer> GuardedBuffer::make(std::size_t size, Edge edge, std::size_t alignment) {
  const std::size_t page = page_size();
  if (!std::has_single_bit(alignment) || alignment > page) return std::nullopt;
  if (size > std::numeric_limits<std::size_t>::max() / 2) return std::nullopt;
  const std::size_t pages = size == 0 ? 1 : (size + page - 1) / page;
  const std::size_t body_size = pages * page;
  void* mapping = mmap(nullptr, body_size + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapping == MAP_FAILED) return std::nullopt;

  GuardedBuffer buffer;
  buffer.mapping_ = static_cast<std::uint8_t*>(mapping);
  buffer.mapping_size_ = body_size + 2 * page;
  const std::size_t before = edge == Edge::front ? 0 : (body_size - size) / alignment * alignment;
  buffer.data_ = buffer.mapping_ + page + before;
  buffer.size_ = size;
  if (!buffer.allow_reading_and_writing()) return std::nullopt;
  buffer.fill_slack();
  return buffer;
}

GuardedBuffer::~GuardedBuffer() {
  if (mapping_ != nullptr) munmap(mapping_, mapping_size_);
}

GuardedBuffer::GuardedBuffer(GuardedBuffer&& other) noexcept { *this = std::move(other); }

GuardedBuffer& GuardedBuffer::operator=(GuardedBuffer&& other) noexcept {
  std::swap(mapping_, other.mapping_);
  std::swap(mapping_size_, other.mapping_size_);
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

std::span<std::uint8_t> GuardedBuffer::body() const {
  const std::size_t page = page_size();
  return {mapping_ + page, mapping_size_ - 2 * page};
}

void GuardedBuffer::fill_slack() {
  const auto all = body();
  const auto begin = static_cast<std::size_t>(data_ - all.data());
  for (std::size_t i = 0; i < begin; ++i) all[i] = canary(i);
  for (std::size_t i = begin + size_; i < all.size(); ++i) all[i] = canary(i);
}

std::optional<std::ptrdiff_t> GuardedBuffer::damage() const {
  const auto all = body();
  const auto begin = static_cast<std::size_t>(data_ - all.data());
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool slack = i < begin || i >= begin + size_;
    if (slack && all[i] != canary(i)) return static_cast<std::ptrdiff_t>(i) - static_cast<std::ptrdiff_t>(begin);
  }
  return std::nullopt;
}

bool GuardedBuffer::protect(int protection) { return mprotect(body().data(), body().size(), protection) == 0; }
bool GuardedBuffer::allow_reading_and_writing() { return protect(PROT_READ | PROT_WRITE); }
bool GuardedBuffer::allow_reading_only() { return protect(PROT_READ); }
bool GuardedBuffer::forbid() { return protect(PROT_NONE); }

bool GuardedBuffer::covers(std::uintptr_t address) const {
  const auto begin = reinterpret_cast<std::uintptr_t>(mapping_);
  return address >= begin && address - begin < mapping_size_;
}

}  // namespace dlspec::testing
