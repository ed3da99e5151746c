// Times of work on a GPU without what its launches cost the host: by a graph of the driver, where there is one.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string_view>

#include <dlspec/optimized/cuda/library.h>

namespace dlspec::bench {

// Enqueues call number i on a stream; false: CUDA reports an error.
using Enqueue = std::function<bool(std::size_t i, void* stream)>;

// Several calls of the same work, one after another. Not thread-safe; of the device that was current.
class Repeated {
 public:
  virtual ~Repeated() = default;
  // Nanoseconds of one call, or a negative number if one fails.
  [[nodiscard]] virtual double time() = 0;
};

class Timer {
 public:
  // Loads the driver's library. Memory of the current device must have been allocated before.
  explicit Timer(const optimized::cuda::LibraryTable& table);
  ~Timer();
  Timer(const Timer&) = delete;
  Timer& operator=(const Timer&) = delete;

  // How it measures, for a result.
  [[nodiscard]] std::string_view text() const;
  // NULL if CUDA reports an error.
  [[nodiscard]] std::unique_ptr<Repeated> repeated(std::size_t calls, Enqueue enqueue) const;

 private:
  struct Driver;
  const optimized::cuda::LibraryTable& table_;
  std::unique_ptr<Driver> driver_;  // NULL without the driver: the host's clock measures
  class Graph;
  class Loop;
};

}  // namespace dlspec::bench
