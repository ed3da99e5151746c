// The arrays of a sequence in the native worker: exported, imported, read and given up by calls of the plug-in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include <dlspec/conformance/worker/native/native_case.h>
#include <dlspec/plugin.h>

namespace dlspec::conformance {

// The elements in another succession: still valid for their dtype.
[[nodiscard]] std::vector<std::uint8_t> turned(const std::vector<std::uint8_t>& bytes, std::size_t item,
                                               std::size_t turns);

struct SequenceArray {
  NativeCase order;
  bool own = false;          // dlspec's, else the plug-in's
  void* imported = nullptr;  // what the plug-in made of a struct
};

class SequencePlugin {
 public:
  explicit SequencePlugin(const DlspecPlugin& plugin) : plugin_(plugin) {}

  [[nodiscard]] bool imports() const { return plugin_.import_tensor != nullptr; }
  // A new struct of the array's elements, by dlspec or by the plug-in; NULL when it refuses.
  [[nodiscard]] void* managed_of(const SequenceArray& array, int generation) const;
  // Imports a versioned struct; false when the plug-in refuses, after which it has released the struct.
  [[nodiscard]] bool import(void* managed, void*& imported) const;
  // What an exchange table has refused and left to its caller; `calls`: of its deleter so far.
  void release_if_left(void* managed, int calls) const;
  // The elements of an import; those of the order where the plug-in shows none.
  [[nodiscard]] std::vector<std::uint8_t> shown_by(const SequenceArray& array) const;
  void release(void* imported) const;
  void drop_import(SequenceArray& array) const;

 private:
  const DlspecPlugin& plugin_;
};

}  // namespace dlspec::conformance
