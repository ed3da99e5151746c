// The GPU of --device, through the functions of CUDA's driver, which is loaded at run time. Whatever is asked here is
// done when the function returns, after all work that anybody has queued on this GPU.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>

#include <dlspec/vocabulary/abi.h>

namespace dlspec::conformance {

struct CudaFunctions;

class Gpu {
 public:
  enum class Kind : std::uint8_t { device, managed, pinned };
  // What an address leads to.
  struct Memory {
    Kind kind;
    int ordinal;  // of the GPU
  };

  // The GPU that DLSPEC_DEVICE names ("cuda:0"), the same in the whole process; NULL without that, and where this
  // machine has none: `problem` then says so.
  static const Gpu* asked(std::string& problem);

  [[nodiscard]] abi::Device device() const;

  // nullopt: unknown to the driver.
  [[nodiscard]] std::optional<Memory> memory_of(std::uintptr_t address) const;
  // 0: there is none left.
  [[nodiscard]] std::uintptr_t allocate(std::size_t size, Kind kind = Kind::device) const;
  void release(std::uintptr_t address, Kind kind = Kind::device) const;
  // false: the driver refuses these addresses.
  [[nodiscard]] bool write(std::uintptr_t to, std::span<const std::uint8_t> bytes) const;
  [[nodiscard]] bool read(std::uintptr_t from, std::span<std::uint8_t> bytes) const;

 private:
  Gpu(std::shared_ptr<const CudaFunctions> driver, void* context, int ordinal);
  static const Gpu* find(const std::string& name, std::string& problem);
  bool settle() const;
  void use() const;

  std::shared_ptr<const CudaFunctions> driver_;
  void* context_;
  int ordinal_;
};

[[nodiscard]] const char* name_of(Gpu::Kind kind);  // "pinned"

}  // namespace dlspec::conformance
