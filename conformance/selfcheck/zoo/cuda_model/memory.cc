#include "memory.h"

#include <cstdlib>
#include <iterator>

namespace dlspec::conformance::cuda_model {

std::uintptr_t Memory::allocate(Kind kind, int device, std::size_t size) {
  constexpr std::size_t alignment = 256;
  const std::size_t whole = (size + alignment - 1) / alignment * alignment;
  void* const place = std::aligned_alloc(alignment, whole == 0 ? alignment : whole);
  if (place == nullptr) return 0;
  const std::lock_guard<std::mutex> lock(mutex_);
  blocks_[reinterpret_cast<std::uintptr_t>(place)] = {kind, device, size, false};
  return reinterpret_cast<std::uintptr_t>(place);
}

bool Memory::release(std::uintptr_t address) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto block = blocks_.find(address);
  if (block == blocks_.end() || block->second.is_freed) return false;
  block->second.is_freed = true;
  return true;
}

std::optional<Block> Memory::find(std::uintptr_t address, std::size_t size) {
  const std::lock_guard<std::mutex> lock(mutex_);
  const auto behind = blocks_.upper_bound(address);
  if (behind == blocks_.begin()) return std::nullopt;
  const auto& [start, block] = *std::prev(behind);
  const std::size_t offset = address - start;
  if (block.is_freed || offset > block.size || size > block.size - offset) return std::nullopt;
  return block;
}

}  // namespace dlspec::conformance::cuda_model
