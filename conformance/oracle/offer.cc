#include <dlspec/conformance/oracle/offer.h>

#include <algorithm>
#include <array>
#include <deque>
#include <limits>
#include <mutex>
#include <thread>
#include <unordered_map>
#include <utility>

#include <dlspec/conformance/oracle/canary_memory.h>
#include <dlspec/vocabulary/dtype.h>
#include <dlspec/vocabulary/flags.h>

namespace dlspec::conformance {
namespace {

using Legacy = abi::v0::ManagedTensor;
using Versioned = abi::v1::ManagedTensor;

// What shape and strides hold after the release: a loop over such extents does nothing.
constexpr std::int64_t poison_number = std::numeric_limits<std::int64_t>::min() / 3;
constexpr std::uint32_t poison_word = 0xDBDBDBDB;
constexpr std::uint64_t poison_flags = 0xDBDBDBDBDBDBDBDB;

// A scalar of the same memory, so that a late reader comes upon poisoned data and no fault. The deleter
// stays: another call is counted.
void poison(abi::Tensor& tensor) {
  tensor.ndim = 0;
  tensor.byte_offset = 0;
}

void poison(Versioned& managed) {
  managed.version = {poison_word, poison_word};
  managed.flags = poison_flags;
  poison(managed.dl_tensor);
}

void poison(Legacy& managed) { poison(managed.dl_tensor); }

// Arrays of the layout's numbers that have an address even when there are none. Where the struct's
// rank is another one, as many ones follow as a careful reader looks at.
std::vector<std::int64_t> addressable(std::vector<std::int64_t> numbers, const OfferRequest& request) {
  constexpr std::size_t longest_read = 256;
  if (request.ndim) numbers.resize(longest_read, 1);
  numbers.push_back(poison_number);
  return numbers;
}

bool equal(const abi::Tensor& a, const abi::Tensor& b) {
  return a.data == b.data && a.device == b.device && a.ndim == b.ndim && a.dtype == b.dtype && a.shape == b.shape &&
         a.strides == b.strides && a.byte_offset == b.byte_offset;
}

bool equal(const Versioned& a, const Versioned& b) {
  return a.version == b.version && a.manager_ctx == b.manager_ctx && a.deleter == b.deleter && a.flags == b.flags &&
         equal(a.dl_tensor, b.dl_tensor);
}

bool equal(const Legacy& a, const Legacy& b) {
  return equal(a.dl_tensor, b.dl_tensor) && a.manager_ctx == b.manager_ctx && a.deleter == b.deleter;
}

// A legacy struct says nothing of a version and of flags: who looks for them in its neighbourhood finds
// what was ordered to stand there.
struct Neighbourhood {
  std::array<std::uint64_t, 16> before{};
  Legacy legacy{};
  std::array<std::uint64_t, 16> after{};

  void fill(std::uint64_t word) {
    before.fill(word);
    after.fill(word);
  }
};

bool equal(const Neighbourhood& a, const Neighbourhood& b) {
  return a.before == b.before && equal(a.legacy, b.legacy) && a.after == b.after;
}

}  // namespace

// What all exports of an offer share. Guarded by the registry's mutex.
struct Offer::State {
  OfferRequest request;
  std::unique_ptr<CanaryMemory> memory;
  OfferCounts counts;
  bool poisoned = false;                // the data, by the last release
  bool canaries_broken = false;         // seen at a last release
  std::vector<std::uint8_t> last_seen;  // contents at the last release

  // What the struct says: the memory knows multiples of 256 only.
  [[nodiscard]] std::uint8_t* data() const { return memory->data() + request.misaligned; }

  void last_release() {
    last_seen = memory->contents();
    canaries_broken = canaries_broken || !memory->canaries_intact();
    if (!request.poison_on_release) return;
    memory->poison();
    poisoned = true;
  }

  // Before the first export of a new round.
  void revive() {
    if (!poisoned) return;
    if (!memory->poison_intact()) ++counts.late_writes;
    memory->restore();
    poisoned = false;
  }
};

// One managed struct with everything of its own that it points to.
struct Offer::Export {
  Versioned versioned{};
  Neighbourhood around;  // of the legacy struct
  std::vector<std::int64_t> shape;
  std::vector<std::int64_t> strides;
  std::shared_ptr<State> state;
  std::thread::id thread = std::this_thread::get_id();
  // As they were when the export was made, and again at its release.
  Versioned versioned_before{};
  Neighbourhood around_before;
  std::vector<std::int64_t> shape_before;
  std::vector<std::int64_t> strides_before;
  bool released = false;
  bool late_write_counted = false;

  explicit Export(std::shared_ptr<State> shared)
      : shape(addressable(shared->request.descriptor.layout.shape, shared->request)),
        strides(addressable(shared->request.descriptor.layout.strides.value_or(std::vector<std::int64_t>()),
                            shared->request)),
        state(std::move(shared)) {
    around.fill(state->request.surroundings);
  }

  [[nodiscard]] Generation generation() const { return state->request.descriptor.generation; }
  [[nodiscard]] const void* self() const {
    return generation() == Generation::versioned ? static_cast<const void*>(&versioned) : &around.legacy;
  }
  [[nodiscard]] bool intact() const {
    return equal(versioned, versioned_before) && equal(around, around_before) && shape == shape_before &&
           strides == strides_before;
  }
  // Poisoned or not, what the release left behind is remembered.
  [[nodiscard]] bool written_after_release() const { return released && !intact(); }

  void fill_tensor(abi::Tensor& tensor) {
    const OfferRequest& request = state->request;
    const Layout& layout = request.descriptor.layout;
    tensor.data = request.descriptor.null_data ? nullptr : state->data();
    tensor.device = request.descriptor.device;
    tensor.ndim = request.ndim.value_or(static_cast<std::int32_t>(layout.shape.size()));
    tensor.dtype = request.dtype.value_or(layout.dtype);
    tensor.shape = request.null_shape ? nullptr : shape.data();
    tensor.strides = layout.strides ? strides.data() : nullptr;
    tensor.byte_offset = layout.byte_offset;
  }

  void remember() {
    versioned_before = versioned;
    around_before = around;
    shape_before = shape;
    strides_before = strides;
  }

  void release() {
    released = true;
    if (!intact()) ++state->counts.altered_structs;
    if (state->request.poison_on_release) {
      std::fill(shape.begin(), shape.end(), poison_number);
      std::fill(strides.begin(), strides.end(), poison_number);
      poison(versioned);
      poison(around.legacy);
    }
    remember();
    if (--state->counts.live == 0) state->last_release();
  }
};

// All exports that a deleter may still be called for, and the mutex of everything here.
struct Offer::Registry {
  std::mutex mutex;
  std::unordered_map<const void*, std::unique_ptr<Export>> exports;
  std::deque<const void*> quarantine;  // released, the oldest first
  std::size_t quarantined_bytes = 0;
  int stray_calls = 0;

  // Never destroyed: deleters are called while the process exits.
  static Registry& instance() {
    static Registry* registry = new Registry;
    return *registry;
  }

  Export* find(const void* self, const void* context) {
    if (const auto found = exports.find(self); found != exports.end()) return found->second.get();
    const auto found = exports.find(context);
    return found != exports.end() ? found->second.get() : nullptr;
  }

  void call(const void* self, const void* context) {
    const std::lock_guard lock(mutex);
    Export* const found = find(self, context);
    if (found == nullptr) {
      ++stray_calls;
      return;
    }
    OfferCounts& counts = found->state->counts;
    ++counts.deleter_calls;
    if (found->self() != self) ++counts.wrong_self;
    if (found->thread != std::this_thread::get_id()) ++counts.foreign_thread_calls;
    if (found->released) {
      ++counts.repeated_calls;
      return;
    }
    found->release();
    keep_for_a_while(*found);
  }

  void keep_for_a_while(const Export& released) {
    quarantine.push_back(released.self());
    quarantined_bytes += released.state->memory->body().size();
    while (quarantine.size() > quarantine_exports || quarantined_bytes > quarantine_bytes) evict_oldest();
  }

  void evict_oldest() {
    const auto oldest = exports.find(quarantine.front());
    quarantine.pop_front();
    count_late_writes(*oldest->second);
    quarantined_bytes -= oldest->second->state->memory->body().size();
    exports.erase(oldest);
  }

  static void count_late_writes(Export& released) {
    if (released.late_write_counted || !released.written_after_release()) return;
    released.late_write_counted = true;
    ++released.state->counts.late_writes;
  }

  void count_late_writes_of(const State& state) {
    for (const auto& [self, each] : exports) {
      if (each->state.get() == &state) count_late_writes(*each);
    }
  }

  template <class Managed>
  static void deleter(Managed* self) noexcept {
    try {
      instance().call(self, self != nullptr ? self->manager_ctx : nullptr);
    } catch (...) {  // out of memory: the call is counted all the same, its bookkeeping stays behind
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
      made.versioned = {request.descriptor.version,
                        context(request, &made.versioned),
                        request.null_deleter ? nullptr : &deleter<Versioned>,
                        request.descriptor.flags,
                        {}};
      made.fill_tensor(made.versioned.dl_tensor);
    } else {
      Legacy& legacy = made.around.legacy;
      legacy.manager_ctx = context(request, &legacy);
      legacy.deleter = request.null_deleter ? nullptr : &deleter<Legacy>;
      made.fill_tensor(legacy.dl_tensor);
    }
    made.remember();
  }
};

std::unique_ptr<Offer> Offer::make(OfferRequest request, std::string& problem) {
  const Descriptor& descriptor = request.descriptor;
  const bool padded = is_subbyte(descriptor.layout.dtype) && (descriptor.flags & flags::subbyte_padded) != 0;
  if (descriptor.generation == Generation::bare) {
    problem = "a tensor without a managed struct cannot be offered";
    return nullptr;
  }
  Layout placed = descriptor.layout;
  placed.byte_offset += request.misaligned;
  auto state = std::make_shared<State>();
  state->memory = CanaryMemory::make(placed, padded, request.contents, problem);
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
  registry.exports.emplace(self, std::move(made));
  ++state_->counts.exports;
  ++state_->counts.live;
  return {state_->request.descriptor.generation, self};
}

OfferCounts Offer::counts() const {
  Registry& registry = Registry::instance();
  const std::lock_guard lock(registry.mutex);
  registry.count_late_writes_of(*state_);
  OfferCounts counts = state_->counts;
  if (state_->poisoned && !state_->memory->poison_intact()) ++counts.late_writes;
  return counts;
}

bool Offer::struct_intact() const {
  Registry& registry = Registry::instance();
  const std::lock_guard lock(registry.mutex);
  if (state_->counts.altered_structs != 0) return false;
  return std::none_of(registry.exports.begin(), registry.exports.end(), [this](const auto& entry) {
    const Export& each = *entry.second;
    return each.state == state_ && (each.released ? each.written_after_release() : !each.intact());
  });
}

bool Offer::memory_intact() const {
  const std::lock_guard lock(Registry::instance().mutex);
  if (state_->canaries_broken) return false;
  return state_->poisoned ? state_->memory->poison_intact() : state_->memory->canaries_intact();
}

std::vector<std::uint8_t> Offer::contents() const {
  const std::lock_guard lock(Registry::instance().mutex);
  return state_->poisoned ? state_->last_seen : state_->memory->contents();
}

const std::uint8_t* Offer::data() const { return state_->data(); }
const OfferRequest& Offer::request() const { return state_->request; }

int Offer::stray_calls() {
  const std::lock_guard lock(Registry::instance().mutex);
  return Registry::instance().stray_calls;
}

}  // namespace dlspec::conformance
