// The memory of the model's devices: host memory, of which the model knows what kind it is and whether it is freed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>

namespace dlspec::conformance::cuda_model {

enum class Kind : std::uint8_t { device, pinned, managed };

struct Block {
  Kind kind = Kind::device;
  int device = 0;
  std::size_t size = 0;
  bool is_freed = false;
};

class Memory {
 public:
  // Aligned to 256 bytes, as the driver's.
  [[nodiscard]] std::uintptr_t allocate(Kind kind, int device, std::size_t size);
  // It is never given to anybody again, so that a late access harms nobody. false: not the start of a live block.
  bool release(std::uintptr_t address);
  // The live block that has all of these bytes.
  [[nodiscard]] std::optional<Block> find(std::uintptr_t address, std::size_t size);

 private:
  std::mutex mutex_;
  std::map<std::uintptr_t, Block> blocks_;
};

}  // namespace dlspec::conformance::cuda_model
