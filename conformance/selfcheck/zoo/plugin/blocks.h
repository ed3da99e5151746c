// Memory of a library whose free lists give blocks that are too small.
#pragma once

#include <bit>
#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

namespace dlspec::zoo {

// Blocks of one arena, which are given again to any tensor of the same power of two, however few bytes they have.
class Blocks {
 public:
  static constexpr std::size_t largest = std::size_t{1} << 16;

  // NULL where there is none.
  char* take(std::size_t size) {
    const std::lock_guard lock(mutex_);
    std::vector<char*>& free = free_[std::bit_width(size)];
    if (free.empty()) return used_ + size > sizeof arena_ ? nullptr : arena_ + std::exchange(used_, used_ + size);
    char* const block = free.back();
    free.pop_back();
    return block;
  }
  void give(char* block, std::size_t size) {
    const std::lock_guard lock(mutex_);
    free_[std::bit_width(size)].push_back(block);
  }

 private:
  std::mutex mutex_;
  std::size_t used_ = 0;
  std::vector<char*> free_[64];
  alignas(256) char arena_[std::size_t{1} << 22];
};

}  // namespace dlspec::zoo
