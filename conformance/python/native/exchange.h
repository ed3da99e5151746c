// dlspec's own tensor without Python: its view, the owner of its memory, and its export.
//
// Exports hold C++ objects only. Their deleters therefore run on any thread, without the GIL, and
// after the interpreter is gone.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include <dlspec/vocabulary/exported.h>
#include <dlspec/vocabulary/layout.h>

namespace dlspec::python {

// To be called when the interpreter has ended: foreign deleters are not called from then on, because
// one that takes the GIL would crash. Their memory lives until the end of the process.
void interpreter_ended() noexcept;
[[nodiscard]] bool interpreter_has_ended() noexcept;

// Keeps memory alive until its last owner is destroyed.
class Holding {
 public:
  Holding() = default;
  Holding(const Holding&) = delete;
  Holding& operator=(const Holding&) = delete;
  virtual ~Holding() = default;
};

// The release of a consumed struct: its deleter is called once, at destruction.
class Imported final : public Holding {
 public:
  ~Imported() override;
  // The struct belongs to this object from now on.
  void adopt(Exported exported) noexcept { exported_ = exported; }

 private:
  Exported exported_{Generation::bare, nullptr};
};

// Calls the deleter of a legacy or versioned struct as a consumer does; nothing when it is NULL.
void call_deleter(Exported exported) noexcept;

// A tensor by value; copies share the memory.
struct View {
  std::shared_ptr<const Holding> holding;
  void* data = nullptr;  // as in DLTensor: element (0, ..., 0) lies layout.byte_offset bytes further
  Layout layout;
  abi::Device device{1, 0};
  bool read_only = false;
  bool padded = false;  // sub-byte lanes are stored one to a byte

  // Sub-byte elements without the padded flag are packed.
  [[nodiscard]] std::uint64_t flags() const;
};

// The strides in elements, row-major ones where the layout has none.
[[nodiscard]] std::vector<std::int64_t> element_strides(const Layout& layout);

// Memory of its own that holds `contents`, the elements in C order, sub-byte ones packed. The layout's
// byte_offset counts from the start of the memory, and no element may lie before that. On failure
// the view has no holding, and `problem` is a sentence.
[[nodiscard]] View new_view(const Layout& layout, std::span<const std::uint8_t> contents, std::string& problem);

// The view that a usable struct describes. Takes no ownership.
[[nodiscard]] View view_of(Exported exported);

// Why dlspec cannot use the struct; empty when it can.
[[nodiscard]] std::string refusal(Exported exported);

// New managed structs that keep the view's memory alive until their deleter is called.
[[nodiscard]] abi::v1::ManagedTensor* export_versioned(const View& view, std::uint64_t flags);
[[nodiscard]] abi::v0::ManagedTensor* export_legacy(const View& view);

}  // namespace dlspec::python
