// Sequences carried out by a worker that is replaced when it dies, or when what it showed may have damaged it.
#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/subject/launch.h>
#include <dlspec/conformance/worker/supervisor/worker.h>

namespace dlspec::conformance {

// A page that a worker writes into before each step. It outlives the worker, and so names the step at which it died.
class SequenceJournal {
 public:
  struct Place {
    std::size_t index = 0;  // of the sequence
    std::size_t step = 0;
    std::string functions = {};  // that were running: a line each, the innermost first; "" where it is not known
  };
  SequenceJournal();
  ~SequenceJournal();
  SequenceJournal(const SequenceJournal&) = delete;
  SequenceJournal& operator=(const SequenceJournal&) = delete;

  // Empty when it could not be created.
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] Place read() const;
  void clear() const;

 private:
  std::string path_;
};

// How a batch of sequences ended.
struct BatchEnd {
  enum class Kind : std::uint8_t { clean, finding, death, fault, interrupted };
  Kind kind = Kind::clean;
  SequenceReport report;             // of clean and finding
  SequenceReport::Finding finding;   // of finding and death
  std::optional<Death::Kind> death;  // of death
  std::string functions;             // of death: SequenceJournal::Place
  std::string fault;                 // a sentence: nothing can be judged

  // The same rule was violated, or the worker died in the same way.
  [[nodiscard]] bool is_like(const BatchEnd& other) const;
};

class SequenceAttempts {
 public:
  SequenceAttempts(const Launch& launch, const WorkerLimits& limits) : launch_(launch), limits_(limits) {}

  // Starts a worker where none runs. After anything but `clean` the next call starts a new one.
  [[nodiscard]] BatchEnd carry_out(const std::vector<std::string>& sequences, bool control = false);
  void renew() { worker_.reset(); }
  // What the worker said of itself; none before the first one started.
  [[nodiscard]] const std::optional<Ready>& ready() const { return ready_; }
  // The reason why no worker starts; "" otherwise. Starts one.
  [[nodiscard]] std::string start();

 private:
  [[nodiscard]] BatchEnd death(const std::vector<std::string>& sequences, const Death& death) const;

  const Launch& launch_;
  WorkerLimits limits_;
  SequenceJournal journal_;
  std::unique_ptr<Worker> worker_;
  std::optional<Ready> ready_;
};

}  // namespace dlspec::conformance
