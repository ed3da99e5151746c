// A capsule taken apart. Every function throws ErrorIsSet.
#pragma once

#include "object.h"

#include <optional>
#include <string>

#include <dlspec/vocabulary/exported.h>

namespace dlspec::python {

struct Capsule {
  std::optional<std::string> name;           // none: NULL
  Generation generation = Generation::bare;  // bare: the name is neither "dltensor" nor "dltensor_versioned"
  const void* object = nullptr;              // the managed struct; NULL with any other name, a used one included

  [[nodiscard]] bool has_struct() const { return generation != Generation::bare; }
  [[nodiscard]] Exported exported() const { return {generation, object}; }
};

// TypeError when the object is no capsule.
[[nodiscard]] Capsule open_capsule(PyObject* object);

// The same, with ValueError when its name is not that of an unconsumed capsule.
[[nodiscard]] Capsule open_unconsumed(PyObject* object);

// Renames an unconsumed capsule to used_...: its struct is the caller's to release from then on.
void take_capsule(PyObject* object, Generation generation);

// The name of an unconsumed capsule of this generation. Static storage.
[[nodiscard]] const char* capsule_name(Generation generation);

// The capsule's own destructor, also while a watch stands in front of it.
[[nodiscard]] PyCapsule_Destructor destructor_of(PyObject* object);

}  // namespace dlspec::python
