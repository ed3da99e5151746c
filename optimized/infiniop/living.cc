#include "living.h"

#include <cstdlib>
#include <mutex>

namespace dlspec::infiniop {
namespace {

// A word is an address with the kind in its low bits; 0 is a free place.
using Word = std::uintptr_t;

Word word_of(const void* object, Kind kind) { return reinterpret_cast<Word>(object) | static_cast<Word>(kind); }
std::uint64_t scatter(Word word) { return (word >> 4) * 0x9E3779B97F4A7C15u; }

// Open addressing, at most half full. One of several parts, by address, so that threads seldom meet.
// Lives as long as the process: descriptors are destroyed by whoever likes to, whenever.
class Part {
 public:
  bool enter(Word word) {
    const std::lock_guard lock(mutex_);
    if (living_ >= size_ / 2 && !grow()) return false;
    put(word);
    ++living_;
    return true;
  }

  bool contains(Word word) {
    const std::lock_guard lock(mutex_);
    return size_ != 0 && places_[find(word)] == word;
  }

  bool leave(Word word) {
    const std::lock_guard lock(mutex_);
    if (size_ == 0) return false;
    std::size_t hole = find(word);
    if (places_[hole] != word) return false;
    --living_;
    // What was put behind the hole because the hole was taken moves up.
    for (std::size_t i = next(hole); places_[i] != 0; i = next(i)) {
      const std::size_t distance = (i - home(places_[i])) & (size_ - 1), to_hole = (i - hole) & (size_ - 1);
      if (distance < to_hole) continue;
      places_[hole] = places_[i];
      hole = i;
    }
    places_[hole] = 0;
    return true;
  }

 private:
  [[nodiscard]] std::size_t home(Word word) const {
    return static_cast<std::size_t>(scatter(word) >> 16) & (size_ - 1);
  }
  [[nodiscard]] std::size_t next(std::size_t place) const { return (place + 1) & (size_ - 1); }

  // Where the word is, or the free place that ends the search.
  [[nodiscard]] std::size_t find(Word word) const {
    std::size_t place = home(word);
    while (places_[place] != word && places_[place] != 0) place = next(place);
    return place;
  }

  void put(Word word) { places_[find(word)] = word; }

  bool grow() {
    const std::size_t old_size = size_, new_size = old_size == 0 ? 64 : 2 * old_size;
    Word* const old = places_;
    auto* const places = static_cast<Word*>(std::calloc(new_size, sizeof(Word)));
    if (places == nullptr) return false;
    places_ = places;
    size_ = new_size;
    for (std::size_t i = 0; i < old_size; ++i) {
      if (old[i] != 0) put(old[i]);
    }
    std::free(old);
    return true;
  }

  std::mutex mutex_;
  Word* places_ = nullptr;
  std::size_t size_ = 0;  // a power of two
  std::size_t living_ = 0;
};

struct alignas(64) Aligned {
  Part part;
};
constinit Aligned parts[16];

Part& part_of(Word word) { return parts[scatter(word) >> 60].part; }
bool is_aligned(const void* object) { return object != nullptr && reinterpret_cast<Word>(object) % 16 == 0; }

}  // namespace

bool enter(std::uintptr_t address, Kind kind) noexcept {
  const Word word = address | static_cast<Word>(kind);
  return part_of(word).enter(word);
}

bool is_living(const void* object, Kind kind) noexcept {
  if (!is_aligned(object)) return false;
  const Word word = word_of(object, kind);
  return part_of(word).contains(word);
}

bool leave(const void* object, Kind kind) noexcept {
  if (!is_aligned(object)) return false;
  const Word word = word_of(object, kind);
  return part_of(word).leave(word);
}

}  // namespace dlspec::infiniop
