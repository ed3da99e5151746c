#include <dlspec/conformance/oracle/fence.h>

#include <sys/mman.h>

#include <array>
#include <atomic>
#include <map>
#include <mutex>
#include <vector>

namespace dlspec::conformance {

// One mapping: guard, pages, guard. A signal handler reads it while others write, so that every
// member is an atomic of its own.
struct Fence::Slot {
  std::atomic<std::uintptr_t> begin{0};  // of the pages; 0: nothing is mapped
  std::atomic<std::uintptr_t> end{0};
  std::atomic<std::uintptr_t> marked_begin{0};
  std::atomic<std::uintptr_t> marked_end{0};
  std::atomic<FencePart> part{FencePart::data};
  std::atomic<FenceState> state{FenceState::open};

  [[nodiscard]] std::size_t size() const { return end - begin; }
};

// Mappings that are not in use, by their size. Never destroyed: exports are released while the process exits.
struct Fence::Pool {
  static constexpr std::size_t largest_kept = 16 * page;

  std::mutex mutex;
  std::array<Slot, most> slots;
  std::size_t used_slots = 0;
  std::vector<Slot*> empty;
  std::map<std::size_t, std::vector<Slot*>> idle;

  static Pool& instance() {
    static Pool* pool = new Pool;
    return *pool;
  }

  Slot* take(std::size_t size) {
    const std::lock_guard lock(mutex);
    if (auto& same = idle[size]; !same.empty()) {
      Slot* const slot = same.back();
      same.pop_back();
      return slot;
    }
    Slot* const slot = unmapped();
    if (slot == nullptr) return nullptr;
    if (map(*slot, size)) return slot;
    empty.push_back(slot);
    return nullptr;
  }

  Slot* unmapped() {
    if (empty.empty() && used_slots == most) unmap_an_idle_one();
    if (!empty.empty()) {
      Slot* const slot = empty.back();
      empty.pop_back();
      return slot;
    }
    return used_slots < most ? &slots[used_slots++] : nullptr;
  }

  // Whatever its size: pages of sizes that are not asked for again must not hold all slots.
  void unmap_an_idle_one() {
    for (auto& [size, same] : idle) {
      if (same.empty()) continue;
      unmap(same.back());
      same.pop_back();
      return;
    }
  }

  void unmap(Slot* slot) {
    munmap(reinterpret_cast<void*>(slot->begin - page), slot->size() + 2 * page);
    slot->begin = 0;
    slot->end = 0;
    empty.push_back(slot);
  }

  static bool map(Slot& slot, std::size_t size) {
    void* const whole = mmap(nullptr, size + 2 * page, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (whole == MAP_FAILED) return false;
    std::uint8_t* const pages = static_cast<std::uint8_t*>(whole) + page;
    if (mprotect(pages, size, PROT_READ | PROT_WRITE) != 0) {
      munmap(whole, size + 2 * page);
      return false;
    }
    slot.end = reinterpret_cast<std::uintptr_t>(pages) + size;
    slot.begin = reinterpret_cast<std::uintptr_t>(pages);
    return true;
  }

  void release(Slot* slot) {
    const std::lock_guard lock(mutex);
    const std::size_t size = slot->size();
    if (size <= largest_kept) {
      idle[size].push_back(slot);
      return;
    }
    unmap(slot);
  }
};

std::unique_ptr<Fence> Fence::make(std::size_t size, FencePart part) {
  const std::size_t whole = (size / page + (size % page != 0 || size == 0 ? 1 : 0)) * page;
  std::unique_ptr<Fence> made(new Fence);
  made->slot_ = Pool::instance().take(whole);
  if (made->slot_ == nullptr) {
    made->heap_ = std::make_unique<std::uint8_t[]>(whole + page);
    const auto raw = reinterpret_cast<std::uintptr_t>(made->heap_.get());
    made->bytes_ = {made->heap_.get() + (page - raw % page), whole};
    return made;
  }
  made->slot_->part = part;
  made->slot_->state = FenceState::open;
  made->bytes_ = {reinterpret_cast<std::uint8_t*>(made->slot_->begin.load()), whole};
  made->mark(made->bytes_.data(), whole);
  return made;
}

Fence::~Fence() {
  if (slot_ == nullptr) return;
  set(FenceState::open);
  Pool::instance().release(slot_);
}

void Fence::mark(const void* begin, std::size_t size) {
  if (slot_ == nullptr) return;
  slot_->marked_begin = reinterpret_cast<std::uintptr_t>(begin);
  slot_->marked_end = reinterpret_cast<std::uintptr_t>(begin) + size;
}

void Fence::set(FenceState state) {
  if (state == state_ || slot_ == nullptr) return;
  const int allowed = state == FenceState::open        ? PROT_READ | PROT_WRITE
                      : state == FenceState::read_only ? PROT_READ
                                                       : PROT_NONE;
  slot_->state = state;
  if (mprotect(bytes_.data(), bytes_.size(), allowed) == 0) state_ = state;
}

FenceHit FenceHit::at(const void* address) noexcept {
  Fence::Pool& pool = Fence::Pool::instance();  // exists: an address that faulted here was handed out before
  const auto place = reinterpret_cast<std::uintptr_t>(address);
  for (const Fence::Slot& slot : pool.slots) {
    const std::uintptr_t begin = slot.begin;
    if (begin == 0 || place < begin - Fence::page || place >= slot.end + Fence::page) continue;
    FenceHit hit{true, slot.part, slot.state, Where::inside, 0};
    const std::uintptr_t first = slot.marked_begin;
    const std::uintptr_t last = slot.marked_end;
    if (place < first) {
      hit.where = Where::before;
      hit.distance = first - place;
    } else if (place >= last) {
      hit.where = Where::beyond;
      hit.distance = place - last + 1;
    }
    return hit;
  }
  return {};
}

}  // namespace dlspec::conformance
