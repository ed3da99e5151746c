// A model of the order of work on CUDA streams. It knows no time: work is done when somebody waits for it and not
// before, so that whatever is not ordered is seen undone. A missing synchronisation shows in every run, not in some.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

namespace dlspec::conformance::cuda_model {

using Handle = std::uintptr_t;

// Handles that stand for no stream of their own, as the driver has them.
inline constexpr Handle null_stream = 0;  // the legacy default stream
inline constexpr Handle legacy_stream = 1;
inline constexpr Handle per_thread_stream = 2;

// A piece of work and what has to be done before it.
struct Operation {
  std::function<void()> work;  // empty: a mark, done with what is before it
  std::vector<std::shared_ptr<Operation>> before;
  bool is_done = false;
};

struct Stream {
  bool is_blocking = true;  // ordered against the legacy default stream
  bool is_destroyed = false;
  std::shared_ptr<Operation> last;
};

struct Event {
  std::shared_ptr<Operation> recorded;
};

// Every function may be called by any thread. false: the handle names no stream that is alive.
class Streams {
 public:
  [[nodiscard]] Handle create(bool is_blocking);
  bool destroy(Handle handle);
  [[nodiscard]] Handle create_event();
  bool destroy_event(Handle event);

  bool add(Handle stream, std::function<void()> work);
  bool record(Handle event, Handle stream);
  bool wait(Handle stream, Handle event);

  bool synchronise(Handle stream);
  bool synchronise_event(Handle event);
  void synchronise_all();
  bool is_idle(Handle stream, bool& answer);  // without doing any of its work

  [[nodiscard]] bool is_alive(Handle stream);
  // True for a stream that was made, also when it is destroyed.
  [[nodiscard]] bool is_known(Handle stream);
  // Calls with the handle of a destroyed stream.
  [[nodiscard]] std::uint64_t uses_after_destruction();

 private:
  Stream* find(Handle handle);
  Event* find_event(Handle handle);
  std::shared_ptr<Operation> append(Stream& stream, std::function<void()> work);
  void mark(const std::shared_ptr<Operation>& operation);

  std::recursive_mutex mutex_;  // work may make further calls
  Stream legacy_;
  std::vector<std::pair<std::thread::id, std::unique_ptr<Stream>>> per_thread_;
  std::vector<std::unique_ptr<Stream>> streams_;  // never removed, so that no handle is given twice
  std::vector<std::unique_ptr<Event>> events_;
  std::set<Handle> destroyed_events_;
  std::uint64_t uses_after_destruction_ = 0;
};

}  // namespace dlspec::conformance::cuda_model
