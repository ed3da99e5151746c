// A complete struct for tests, with everything that it points to, made from a Descriptor.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include <dlspec/vocabulary/abi.h>
#include <dlspec/vocabulary/exported.h>
#include <dlspec/vocabulary/layout.h>

namespace dlspec::testing {

// Owns a struct of the descriptor's generation, its shape and strides, and the zeroed memory of its elements. The
// fields are those of the descriptor; tests then change single ones.
//
//   Specimen specimen(*reference::parse_text("float32 (3,4) @cpu v1.2"));
//   specimen.tensor().ndim = -1;
//   validate(specimen.exported());
//
// Pointers into a specimen stay valid when it is moved, and dangle after its destruction.
class Specimen {
 public:
  // Tensors that need more bytes than this get no memory.
  static constexpr std::size_t default_memory_limit = std::size_t{1} << 26;
  // `data` of those tensors: aligned, not NULL, far from both ends of the address space; not readable.
  static constexpr std::uintptr_t fake_address = std::uintptr_t{1} << 46;
  // `data` is a multiple of this.
  static constexpr std::size_t alignment = 256;

  // With `padded`, each sub-byte lane has a byte of the memory. The flag bit is set by the descriptor alone: bare and
  // legacy structs have none.
  explicit Specimen(const Descriptor& descriptor, bool padded = false, std::size_t memory_limit = default_memory_limit);
  ~Specimen();
  Specimen(Specimen&&) noexcept;
  Specimen& operator=(Specimen&&) noexcept;

  [[nodiscard]] Exported exported() const;
  [[nodiscard]] Generation generation() const;

  // The struct, of any generation; writable, so that a test can make it faulty.
  [[nodiscard]] abi::Tensor& tensor();
  [[nodiscard]] const abi::Tensor& tensor() const;
  // Meaningful for Generation::versioned and Generation::legacy respectively.
  [[nodiscard]] abi::v1::ManagedTensor& versioned();
  [[nodiscard]] abi::v0::ManagedTensor& legacy();

  // The arrays that shape and strides point to. For rank 0, and for strides that are NULL, they
  // hold one number that no struct points to.
  [[nodiscard]] std::vector<std::int64_t>& shape();
  [[nodiscard]] std::vector<std::int64_t>& strides();

  // The whole memory: the reach of the layout and the address in `data`; empty when data is NULL or fake.
  [[nodiscard]] std::span<std::uint8_t> memory();
  // False when the elements cannot be accessed: data is NULL, or fake.
  [[nodiscard]] bool has_memory() const;

  // How often the struct's deleter was called. It counts, and frees nothing.
  [[nodiscard]] int deletions() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace dlspec::testing
