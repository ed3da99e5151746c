// The name, generation and struct of a capsule. Every function throws ErrorIsSet.
#pragma once

#include "object.h"

#include <optional>
#include <string>

#include <dlspec/vocabulary/exported.h>

namespace dlspec::python {

struct Capsule {
  std::optional<std::string> name;           // none: NULL
  Generation generation = Generation::bare;  // bare: the name is neither "dltensor" nor "dltensor_versioned"
  const void* object = nullptr;              // the managed struct; NULL with any other name, also a consumed one

  [[nodiscard]] bool has_struct() const { return generation != Generation::bare; }
  [[nodiscard]] Exported exported() const { return {generation, object}; }
};

// TypeError when the object is no capsule.
[[nodiscard]] Capsule open_capsule(PyObject* object);

// The same, with ValueError when its name is not that of an unconsumed capsule.
[[nodiscard]] Capsule open_unconsumed(PyObject* object);

// Consumes a capsule: renames it to used_...; from then on the caller must release its struct.
void take_capsule(PyObject* object, Generation generation);

// The name of an unconsumed capsule of this generation. Static storage.
[[nodiscard]] const char* capsule_name(Generation generation);

// A capsule that owns the struct: its destructor releases what nobody has consumed. Where no capsule can be made, the
// struct is released at once.
[[nodiscard]] PyObject* new_capsule(Exported exported);

// The capsule's own destructor, also while a watch wraps it.
[[nodiscard]] PyCapsule_Destructor destructor_of(PyObject* object);

}  // namespace dlspec::python
