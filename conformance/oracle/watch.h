// A counting deleter in the place of a producer's own: sees how often, with which pointer and from
// which thread an export is released.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include <dlspec/vocabulary/exported.h>

namespace dlspec::conformance {

struct WatchCounts {
  int calls = 0;                 // of the struct's deleter
  int finished = 0;              // calls that came back from the producer's deleter
  int repeated_calls = 0;        // calls after the first; they are not passed on
  int wrong_self = 0;            // calls with the address of something else than the struct itself
  int foreign_thread_calls = 0;  // calls from another thread than the one that attached the watch
  std::string threw;             // the type of a C++ exception that came out; it goes no further
  std::string damaged;           // what the call changed that its convention keeps ("rbx"); it is whole again
};

// One watch sees one export. It stays readable after the export was freed, and another export at the
// same address does not count for it. All functions may be called from any thread; the counting
// deleter needs nothing but the C++ library, so it may be called without the GIL and while the
// process exits.
class Watch {
 public:
  // Puts the counting deleter into the struct. A NULL deleter stays NULL: then nothing is ever
  // counted. `exported` is a readable struct, legacy or versioned (NULL is answered for a bare one,
  // or when it is watched already), and nobody else touches it meanwhile.
  [[nodiscard]] static std::shared_ptr<Watch> attach(Exported exported);
  // Releases an export whose struct is also that of a watched one which lives: the producer's own deleter is called,
  // and no call is counted. False, and nothing is called, when no watched export lives there.
  static bool release_beside_watched(Exported exported);
  ~Watch();
  Watch(const Watch&) = delete;
  Watch& operator=(const Watch&) = delete;

  [[nodiscard]] WatchCounts counts() const;
  [[nodiscard]] int calls() const;  // counts().calls
  [[nodiscard]] bool null_deleter() const;
  // The deleter is part of a loaded file. Others are made while the program runs, as by ctypes, and
  // commonly need their interpreter.
  [[nodiscard]] bool compiled() const;
  // Calls the struct's deleter as a consumer would. False when there is none, or when the export has
  // been released already.
  bool release();

  // Deleter calls, in the whole process, with a pointer that leads to no watched export.
  [[nodiscard]] static int stray_calls();

 private:
  struct Record;
  struct Registry;
  explicit Watch(std::shared_ptr<Record> record) : record_(std::move(record)) {}

  std::shared_ptr<Record> record_;
};

}  // namespace dlspec::conformance
