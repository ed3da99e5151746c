#include "streams.h"

#include <algorithm>
#include <utility>

namespace dlspec::conformance::cuda_model {
namespace {

using Lock = std::lock_guard<std::recursive_mutex>;

template <class Owned>
Owned* among(const std::vector<std::unique_ptr<Owned>>& all, Handle handle) {
  const auto found = std::find_if(all.begin(), all.end(),
                                  [&](const auto& each) { return reinterpret_cast<Handle>(each.get()) == handle; });
  return found == all.end() ? nullptr : found->get();
}

void perform(Operation& operation) {
  if (operation.is_done) return;
  for (const std::shared_ptr<Operation>& earlier : operation.before) perform(*earlier);
  operation.before.clear();
  operation.is_done = true;
  if (operation.work) operation.work();
}

bool is_idle(const Stream& stream) { return stream.last == nullptr || stream.last->is_done; }

}  // namespace

Handle Streams::create(bool is_blocking) {
  const Lock lock(mutex_);
  streams_.push_back(std::make_unique<Stream>(Stream{is_blocking, false, nullptr}));
  return reinterpret_cast<Handle>(streams_.back().get());
}

// What is queued is done nevertheless, as with the driver.
bool Streams::destroy(Handle handle) {
  const Lock lock(mutex_);
  Stream* const stream = handle > per_thread_stream ? find(handle) : nullptr;
  if (stream == nullptr) return false;
  stream->is_destroyed = true;
  return true;
}

Handle Streams::create_event() {
  const Lock lock(mutex_);
  events_.push_back(std::make_unique<Event>());
  return reinterpret_cast<Handle>(events_.back().get());
}

bool Streams::destroy_event(Handle event) {
  const Lock lock(mutex_);
  return find_event(event) != nullptr && destroyed_events_.insert(event).second;
}

Stream* Streams::find(Handle handle) {
  if (handle == null_stream || handle == legacy_stream) return &legacy_;
  if (handle == per_thread_stream) {
    for (const auto& [thread, stream] : per_thread_) {
      if (thread == std::this_thread::get_id()) return stream.get();
    }
    per_thread_.emplace_back(std::this_thread::get_id(), std::make_unique<Stream>());
    return per_thread_.back().second.get();
  }
  Stream* const stream = among(streams_, handle);
  if (stream != nullptr && stream->is_destroyed) ++uses_after_destruction_;
  return stream == nullptr || stream->is_destroyed ? nullptr : stream;
}

Event* Streams::find_event(Handle handle) {
  return destroyed_events_.contains(handle) ? nullptr : among(events_, handle);
}

// The legacy default stream waits for all that blocking streams were given before, and they for it.
std::shared_ptr<Operation> Streams::append(Stream& stream, std::function<void()> work) {
  auto added = std::make_shared<Operation>();
  added->work = std::move(work);
  const auto after = [&](const Stream& other) {
    if (!cuda_model::is_idle(other)) added->before.push_back(other.last);
  };
  after(stream);
  if (&stream != &legacy_) {
    if (stream.is_blocking) after(legacy_);
  } else {
    for (const auto& [thread, other] : per_thread_) after(*other);
    for (const auto& other : streams_) {
      if (other->is_blocking) after(*other);
    }
  }
  stream.last = added;
  return added;
}

// A mark with nothing before it is done.
void Streams::mark(const std::shared_ptr<Operation>& operation) {
  const auto& before = operation->before;
  if (std::all_of(before.begin(), before.end(), [](const auto& each) { return each->is_done; })) perform(*operation);
}

bool Streams::add(Handle handle, std::function<void()> work) {
  const Lock lock(mutex_);
  Stream* const stream = find(handle);
  if (stream != nullptr) append(*stream, std::move(work));
  return stream != nullptr;
}

bool Streams::record(Handle event, Handle handle) {
  const Lock lock(mutex_);
  Stream* const stream = find(handle);
  Event* const recorded = find_event(event);
  if (stream == nullptr || recorded == nullptr) return false;
  recorded->recorded = append(*stream, {});
  mark(recorded->recorded);
  return true;
}

bool Streams::wait(Handle handle, Handle event) {
  const Lock lock(mutex_);
  Stream* const stream = find(handle);
  const Event* const awaited = find_event(event);
  if (stream == nullptr || awaited == nullptr) return false;
  const std::shared_ptr<Operation> added = append(*stream, {});
  if (awaited->recorded != nullptr && !awaited->recorded->is_done) added->before.push_back(awaited->recorded);
  mark(added);
  return true;
}

bool Streams::synchronise(Handle handle) {
  const Lock lock(mutex_);
  Stream* const stream = find(handle);
  if (stream == nullptr) return false;
  if (stream == &legacy_) append(legacy_, {});  // waits for the blocking streams, too
  if (stream->last != nullptr) perform(*stream->last);
  return true;
}

bool Streams::synchronise_event(Handle handle) {
  const Lock lock(mutex_);
  const Event* const event = find_event(handle);
  if (event == nullptr) return false;
  if (event->recorded != nullptr) perform(*event->recorded);
  return true;
}

void Streams::synchronise_all() {
  const Lock lock(mutex_);
  const auto finish = [](const Stream& stream) {
    if (stream.last != nullptr) perform(*stream.last);
  };
  for (const auto& [thread, stream] : per_thread_) finish(*stream);
  for (const auto& stream : streams_) finish(*stream);
  finish(legacy_);
}

bool Streams::is_idle(Handle handle, bool& answer) {
  const Lock lock(mutex_);
  const Stream* const stream = find(handle);
  if (stream != nullptr) answer = cuda_model::is_idle(*stream);
  return stream != nullptr;
}

bool Streams::is_alive(Handle handle) {
  const Lock lock(mutex_);
  if (handle <= per_thread_stream) return true;
  const Stream* const stream = among(streams_, handle);
  return stream != nullptr && !stream->is_destroyed;
}

bool Streams::is_known(Handle handle) {
  const Lock lock(mutex_);
  return handle <= per_thread_stream || among(streams_, handle) != nullptr;
}

std::uint64_t Streams::uses_after_destruction() {
  const Lock lock(mutex_);
  return uses_after_destruction_;
}

}  // namespace dlspec::conformance::cuda_model
