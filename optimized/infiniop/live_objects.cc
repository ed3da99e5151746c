#include "live_objects.h"

#include <cstdlib>
#include <mutex>

#include <pthread.h>

namespace dlspec::infiniop {
namespace {

// A word is an address with the kind in its low bits; 0 is a free slot.
using Word = std::uintptr_t;

Word word_of(const void* object, Kind kind) { return reinterpret_cast<Word>(object) | static_cast<Word>(kind); }
std::uint64_t hash_of(Word word) { return (word >> 4) * 0x9E3779B97F4A7C15u; }

// A hash set with open addressing, at most half full. One of several shards, by address, to reduce contention. Lives as
// long as the process, because any thread may destroy a descriptor at any time.
class Shard {
 public:
  bool insert(Word word) {
    const std::lock_guard lock(mutex_);
    if (count_ >= size_ / 2 && !grow()) return false;
    put(word);
    ++count_;
    return true;
  }

  bool contains(Word word) {
    const std::lock_guard lock(mutex_);
    return size_ != 0 && slots_[find(word)] == word;
  }

  bool erase(Word word) {
    const std::lock_guard lock(mutex_);
    if (size_ == 0) return false;
    std::size_t hole = find(word);
    if (slots_[hole] != word) return false;
    --count_;
    // Backward-shift deletion: moves up the entries that were displaced.
    for (std::size_t i = next(hole); slots_[i] != 0; i = next(i)) {
      const std::size_t distance = (i - home(slots_[i])) & (size_ - 1), to_hole = (i - hole) & (size_ - 1);
      if (distance < to_hole) continue;
      slots_[hole] = slots_[i];
      hole = i;
    }
    slots_[hole] = 0;
    return true;
  }

  void lock() { mutex_.lock(); }
  void unlock() { mutex_.unlock(); }

 private:
  [[nodiscard]] std::size_t home(Word word) const {
    return static_cast<std::size_t>(hash_of(word) >> 16) & (size_ - 1);
  }
  [[nodiscard]] std::size_t next(std::size_t slot) const { return (slot + 1) & (size_ - 1); }

  // The slot with the word, or the free slot that ends the search.
  [[nodiscard]] std::size_t find(Word word) const {
    std::size_t slot = home(word);
    while (slots_[slot] != word && slots_[slot] != 0) slot = next(slot);
    return slot;
  }

  void put(Word word) { slots_[find(word)] = word; }

  bool grow() {
    const std::size_t old_size = size_, new_size = old_size == 0 ? 64 : 2 * old_size;
    Word* const old = slots_;
    auto* const slots = static_cast<Word*>(std::calloc(new_size, sizeof(Word)));
    if (slots == nullptr) return false;
    slots_ = slots;
    size_ = new_size;
    for (std::size_t i = 0; i < old_size; ++i) {
      if (old[i] != 0) put(old[i]);
    }
    std::free(old);
    return true;
  }

  std::mutex mutex_;
  Word* slots_ = nullptr;
  std::size_t size_ = 0;  // a power of two
  std::size_t count_ = 0;
};

struct alignas(64) AlignedShard {
  Shard shard;
};
constinit AlignedShard shards[16];

// A child of fork() has the calling thread alone: a lock that another thread held would never be released in it, and
// the slots behind it might be half written. So fork() waits until all locks are free.
void lock_all() {
  for (AlignedShard& each : shards) each.shard.lock();
}
void unlock_all() {
  for (AlignedShard& each : shards) each.shard.unlock();
}
[[maybe_unused]] const int at_fork = pthread_atfork(lock_all, unlock_all, unlock_all);

Shard& shard_of(Word word) { return shards[hash_of(word) >> 60].shard; }
bool is_aligned(const void* object) { return object != nullptr && reinterpret_cast<Word>(object) % 16 == 0; }

}  // namespace

bool register_object(std::uintptr_t address, Kind kind) noexcept {
  const Word word = address | static_cast<Word>(kind);
  return shard_of(word).insert(word);
}

bool is_live(const void* object, Kind kind) noexcept {
  if (!is_aligned(object)) return false;
  const Word word = word_of(object, kind);
  return shard_of(word).contains(word);
}

bool unregister_object(const void* object, Kind kind) noexcept {
  if (!is_aligned(object)) return false;
  const Word word = word_of(object, kind);
  return shard_of(word).erase(word);
}

}  // namespace dlspec::infiniop
