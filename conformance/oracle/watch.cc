#include <dlspec/conformance/oracle/watch.h>

#include <dlfcn.h>

#include <array>
#include <bit>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

#include <dlspec/conformance/oracle/checked_call.h>
#include <dlspec/conformance/platform/memory.h>
#include <dlspec/vocabulary/abi.h>

namespace dlspec::conformance {
namespace {

using Legacy = abi::v0::ManagedTensor;
using Versioned = abi::v1::ManagedTensor;

// The struct's deleter as it was found. One of the two is in use.
struct Original {
  void (*legacy)(Legacy*) = nullptr;
  void (*versioned)(Versioned*) = nullptr;

  [[nodiscard]] bool null() const { return legacy == nullptr && versioned == nullptr; }
};

}  // namespace

struct Watch::Record {
  Generation generation;
  void* self;
  void* context;
  Original original;
  std::thread::id thread;
  WatchCounts counts = {};
  bool abandoned = false;  // nobody looks at the counts any more

  [[nodiscard]] CallReport forward() const {
    // One pointer is passed like another.
    const auto deleter = original.legacy != nullptr ? reinterpret_cast<void (*)(void*)>(original.legacy)
                                                    : reinterpret_cast<void (*)(void*)>(original.versioned);
    return checked_call(deleter, self);
  }
};

// Which watch belongs to a struct's address: the latest that was attached there, released or not.
struct Watch::Registry {
  std::mutex mutex;
  std::map<const void*, std::shared_ptr<Record>> records;
  int stray_calls = 0;

  // Never destroyed: deleters are called while the process exits.
  static Registry& instance() {
    static Registry* registry = new Registry;
    return *registry;
  }

  // The record of a struct, or else of an unreleased one that `self` is a copy of.
  std::shared_ptr<Record> find(const void* self, const void* context) {
    if (const auto found = records.find(self); found != records.end()) return found->second;
    for (const auto& [address, record] : records) {
      if (context != nullptr && record->context == context && record->counts.calls == 0) return record;
    }
    return nullptr;
  }

  void forget(const std::shared_ptr<Record>& record) {
    const auto found = records.find(record->self);
    if (found != records.end() && found->second == record) records.erase(found);
  }

  // Counts a call; the record when it is to be passed on.
  std::shared_ptr<Record> count(const void* self, const void* context) {
    const std::lock_guard lock(mutex);
    std::shared_ptr<Record> record = find(self, context);
    if (record == nullptr) {
      ++stray_calls;
      return nullptr;
    }
    WatchCounts& counts = record->counts;
    ++counts.calls;
    if (record->self != self) ++counts.wrong_self;
    if (record->thread != std::this_thread::get_id()) ++counts.foreign_thread_calls;
    if (counts.calls == 1) return record;
    ++counts.repeated_calls;
    return nullptr;
  }

  template <class Managed>
  static void counting_deleter(Managed* self) noexcept {
    Registry& registry = instance();
    const std::shared_ptr<Record> record = registry.count(self, self != nullptr ? self->manager_ctx : nullptr);
    if (record == nullptr) return;
    CallReport report = record->forward();
    const std::lock_guard lock(registry.mutex);
    ++record->counts.finished;
    if (report.threw) record->counts.threw = report.exception.empty() ? "a foreign exception" : report.exception;
    record->counts.damaged = std::move(report.damaged);
    if (record->abandoned) registry.forget(record);
  }

  // What the struct's deleter was before anybody watched; nothing while a watched export lives. A
  // producer that reuses its structs may leave our deleter in one that was released.
  template <class Managed>
  std::optional<Original> original_of(Managed* managed, void (*Original::*slot)(Managed*)) {
    if (managed->deleter == &counting_deleter<Managed>) {
      const auto found = records.find(managed);
      if (found == records.end() || found->second->counts.calls == 0) return std::nullopt;
      return found->second->original;
    }
    Original original;
    original.*slot = managed->deleter;
    return original;
  }

  template <class Managed>
  static std::shared_ptr<Record> hook(Managed* managed, Generation generation, void (*Original::*slot)(Managed*)) {
    Registry& registry = instance();
    const std::lock_guard lock(registry.mutex);
    const std::optional<Original> original = registry.original_of(managed, slot);
    if (!original) return nullptr;
    auto record = std::make_shared<Record>(
        Record{generation, managed, managed->manager_ctx, *original, std::this_thread::get_id()});
    if (original->null()) return record;
    registry.records[managed] = record;
    set_deleter(managed, &counting_deleter<Managed>);
    return record;
  }

  // A producer may keep its structs in pages that nobody writes to.
  template <class Managed>
  static void set_deleter(Managed* managed, void (*deleter)(Managed*)) {
    const auto bytes = std::bit_cast<std::array<std::uint8_t, sizeof deleter>>(deleter);
    if (!overwrite_protected(static_cast<void*>(&managed->deleter), bytes)) managed->deleter = deleter;
  }
};

std::shared_ptr<Watch> Watch::attach(Exported exported) {
  // The struct belongs to whoever holds the export, and that one asked for the change.
  void* object = const_cast<void*>(exported.object());
  std::shared_ptr<Record> record;
  if (exported.generation() == Generation::legacy) {
    record = Registry::hook(static_cast<Legacy*>(object), Generation::legacy, &Original::legacy);
  } else if (exported.generation() == Generation::versioned) {
    record = Registry::hook(static_cast<Versioned*>(object), Generation::versioned, &Original::versioned);
  }
  return record != nullptr ? std::shared_ptr<Watch>(new Watch(std::move(record))) : nullptr;
}

bool Watch::release_beside_watched(Exported exported) {
  Registry& registry = Registry::instance();
  std::shared_ptr<Record> record;
  {
    const std::lock_guard lock(registry.mutex);
    const auto found = registry.records.find(exported.object());
    if (found == registry.records.end() || found->second->counts.calls != 0) return false;
    record = found->second;
  }
  static_cast<void>(record->forward());
  return true;
}

// A released export's record goes with its watch; a live one's stays, because its deleter needs it.
Watch::~Watch() {
  Registry& registry = Registry::instance();
  const std::lock_guard lock(registry.mutex);
  record_->abandoned = true;
  if (record_->counts.finished > 0) registry.forget(record_);
}

WatchCounts Watch::counts() const {
  const std::lock_guard lock(Registry::instance().mutex);
  return record_->counts;
}

int Watch::calls() const {
  const std::lock_guard lock(Registry::instance().mutex);
  return record_->counts.calls;
}

bool Watch::null_deleter() const { return record_->original.null(); }

bool Watch::compiled() const {
  Dl_info info{};
  const Original& original = record_->original;
  void* const place = original.legacy != nullptr ? reinterpret_cast<void*>(original.legacy)
                                                 : reinterpret_cast<void*>(original.versioned);
  return place != nullptr && dladdr(place, &info) != 0;
}

bool Watch::release() {
  if (null_deleter() || calls() > 0) return false;
  if (record_->generation == Generation::legacy) {
    Registry::counting_deleter(static_cast<Legacy*>(record_->self));
  } else {
    Registry::counting_deleter(static_cast<Versioned*>(record_->self));
  }
  return true;
}

int Watch::stray_calls() {
  const std::lock_guard lock(Registry::instance().mutex);
  return Registry::instance().stray_calls;
}

}  // namespace dlspec::conformance
