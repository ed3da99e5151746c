#include <dlspec/conformance/oracle/offer.h>

#include <algorithm>
#include <deque>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <utility>

#include <dlspec/conformance/oracle/offer_exports.h>
#include <dlspec/vocabulary/dtype.h>
#include <dlspec/vocabulary/flags.h>

namespace dlspec::conformance {
namespace {

using Legacy = abi::v0::ManagedTensor;
using Versioned = abi::v1::ManagedTensor;

}  // namespace

// All exports that a deleter may still be called for, and the mutex of everything here.
struct Offer::Registry {
  std::mutex mutex;
  std::unordered_map<const void*, std::unique_ptr<Export>> exports;
  std::deque<const void*> quarantine;  // released, the oldest first
  std::size_t quarantined_bytes = 0;
  std::size_t most_quarantined = quarantine_exports;
  int stray_calls = 0;
  int releases = 0;
  int repeated_calls = 0;

  // Never destroyed: deleters are called while the process exits.
  static Registry& instance() {
    static Registry* registry = new Registry;
    return *registry;
  }

  // The export at this address; or the one that a copy at this address was made of. An address that is
  // known is not read: it may be closed.
  template <class Managed>
  Export* find(const Managed* self) {
    if (const auto found = exports.find(self); found != exports.end()) return found->second.get();
    const auto found = exports.find(self != nullptr ? self->manager_ctx : nullptr);
    return found != exports.end() ? found->second.get() : nullptr;
  }

  // Whose release it was; nothing when it was none.
  template <class Managed>
  std::shared_ptr<State> call(const Managed* self) {
    const std::lock_guard lock(mutex);
    Export* const found = find(self);
    if (found == nullptr) {
      ++stray_calls;
      return nullptr;
    }
    OfferCounts& counts = found->state->counts;
    ++counts.deleter_calls;
    if (found->self() != self) {
      ++counts.wrong_self;
      found->is_blamed_otherwise = true;
    }
    if (found->thread != std::this_thread::get_id()) ++counts.foreign_thread_calls;
    if (found->released) {
      ++counts.repeated_calls;
      repeated_calls += found->is_blamed_otherwise ? 0 : 1;
      return nullptr;
    }
    found->release();
    ++releases;
    std::shared_ptr<State> state = found->state;
    keep_for_a_while(*found);
    return state;
  }

  void keep_for_a_while(const Export& released) {
    quarantine.push_back(released.self());
    quarantined_bytes += released.size();
    while (quarantine.size() > most_quarantined || quarantined_bytes > quarantine_bytes) evict_oldest();
  }

  void evict_oldest() {
    const auto oldest = exports.find(quarantine.front());
    quarantine.pop_front();
    count_late_writes(*oldest->second);
    quarantined_bytes -= oldest->second->size();
    std::vector<Export*>& of_offer = oldest->second->state->exports;
    of_offer.erase(std::find(of_offer.begin(), of_offer.end(), oldest->second.get()));
    exports.erase(oldest);
  }

  static void count_late_writes(Export& released) {
    if (released.late_write_counted || !released.written_after_release()) return;
    released.late_write_counted = true;
    ++released.state->counts.late_writes;
  }

  static void count_late_writes_of(const State& state) {
    for (Export* each : state.exports) count_late_writes(*each);
  }

  template <class Managed>
  static void deleter(Managed* self) noexcept {
    try {
      const std::shared_ptr<State> released = instance().call(self);
      if (released != nullptr && released->request.on_release) released->request.on_release();
    } catch (...) {  // NOLINT(bugprone-empty-catch): out of memory; the call is counted, its bookkeeping stays behind
    }
  }

  static void* context(const OfferRequest& request, void* own) {
    return request.manager_ctx ? reinterpret_cast<void*>(*request.manager_ctx) : own;
  }

  // Fills the struct of the offer's generation; manager_ctx leads back to it, also from a copy, unless
  // another one was ordered.
  static void fill(Export& made) {
    const OfferRequest& request = made.state->request;
    if (request.descriptor.generation == Generation::versioned) {
      Versioned& versioned = made.pages.versioned();
      versioned.version = request.descriptor.version;
      versioned.manager_ctx = context(request, &versioned);
      versioned.deleter = request.null_deleter ? nullptr : &deleter<Versioned>;
      versioned.flags = request.descriptor.flags;
      if (!request.prefix_only) made.fill_tensor(versioned.dl_tensor);
    } else {
      Legacy& legacy = made.pages.legacy();
      legacy.manager_ctx = context(request, &legacy);
      legacy.deleter = request.null_deleter ? nullptr : &deleter<Legacy>;
      made.fill_tensor(legacy.dl_tensor);
    }
    made.pages.remember();
  }
};

std::unique_ptr<Offer> Offer::make(OfferRequest request, std::string& problem) {
  const Descriptor& descriptor = request.descriptor;
  const bool padded = is_subbyte(descriptor.layout.dtype) && (descriptor.flags & flags::subbyte_padded) != 0;
  if (descriptor.generation == Generation::bare) {
    problem = "a tensor without a managed struct cannot be offered";
    return nullptr;
  }
  if (request.prefix_only && descriptor.generation != Generation::versioned) {
    problem = "only a versioned struct has a prefix that is read before the rest";
    return nullptr;
  }
  if (request.strides_nowhere && !descriptor.layout.shape.empty()) {
    problem = "strides that lead nowhere are those of a scalar";
    return nullptr;
  }
  if (request.hostile != nullptr && (descriptor.layout.shape.size() != 2 || !descriptor.layout.strides)) {
    problem = "what is spoilt has two extents and two strides";
    return nullptr;
  }
  Layout placed = descriptor.layout;
  // Elements in other memory may lie at any distance from where that begins.
  if (request.data) placed.byte_offset = 0;
  placed.byte_offset += request.misaligned;
  auto state = std::make_shared<State>();
  state->memory = CanaryMemory::make(placed, padded, request.contents, problem, request.placement);
  if (state->memory == nullptr) return nullptr;
  state->request = std::move(request);
  return std::unique_ptr<Offer>(new Offer(std::move(state)));
}

Offer::~Offer() = default;

Exported Offer::share() {
  Registry& registry = Registry::instance();
  const std::lock_guard lock(registry.mutex);
  if (state_->counts.live == 0) state_->revive();
  auto made = std::make_unique<Export>(state_);
  Registry::fill(*made);
  const void* const self = made->self();
  state_->exports.push_back(made.get());
  registry.exports.emplace(self, std::move(made));
  ++state_->counts.exports;
  ++state_->counts.live;
  return {state_->request.descriptor.generation, self};
}

OfferCounts Offer::counts() const {
  const std::lock_guard lock(Registry::instance().mutex);
  Registry::count_late_writes_of(*state_);
  OfferCounts counts = state_->counts;
  if (state_->poisoned && !state_->poison_intact()) ++counts.late_writes;
  return counts;
}

bool Offer::struct_intact() const {
  const std::lock_guard lock(Registry::instance().mutex);
  if (state_->counts.altered_structs != 0) return false;
  return std::none_of(state_->exports.begin(), state_->exports.end(), [](const Export* each) {
    return each->released ? each->written_after_release() : !each->pages.intact();
  });
}

bool Offer::memory_intact() const {
  const std::lock_guard lock(Registry::instance().mutex);
  if (state_->canaries_broken) return false;
  return state_->poisoned ? state_->poison_intact() : state_->memory->canaries_intact();
}

std::vector<std::uint8_t> Offer::contents() const {
  const std::lock_guard lock(Registry::instance().mutex);
  return state_->poisoned ? state_->last_seen : state_->memory->contents();
}

void Offer::close_on_release() {
  const std::lock_guard lock(Registry::instance().mutex);
  state_->closing = state_->request.poison_on_release;
}

void Offer::let_write() {
  const std::lock_guard lock(Registry::instance().mutex);
  state_->writable = true;
  if (state_->memory->state() == FenceState::read_only) state_->memory->set(FenceState::open);
}

const std::uint8_t* Offer::data() const { return state_->data(); }
const OfferRequest& Offer::request() const { return state_->request; }

void Offer::set_quarantine(std::size_t exports) {
  Registry& registry = Registry::instance();
  const std::lock_guard lock(registry.mutex);
  registry.most_quarantined = exports;
  while (registry.quarantine.size() > exports) registry.evict_oldest();
}

void Offer::leave_to_capsule(const void* self) {
  Registry& registry = Registry::instance();
  const std::lock_guard lock(registry.mutex);
  if (const auto found = registry.exports.find(self); found != registry.exports.end())
    found->second->is_blamed_otherwise = true;
}

int Offer::all_repeated_calls() {
  const std::lock_guard lock(Registry::instance().mutex);
  return Registry::instance().repeated_calls;
}

int Offer::all_releases() {
  const std::lock_guard lock(Registry::instance().mutex);
  return Registry::instance().releases;
}

int Offer::stray_calls() {
  const std::lock_guard lock(Registry::instance().mutex);
  return Registry::instance().stray_calls;
}

}  // namespace dlspec::conformance
