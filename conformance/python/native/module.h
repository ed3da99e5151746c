// What the files of the extension offer to its module, and the types that a module instance holds.
#pragma once

#include "object.h"

namespace dlspec::python {

struct ModuleState {
  PyTypeObject* offer_type;
  PyTypeObject* watch_type;
  PyTypeObject* tensor_type;
};

// Of the module that a function belongs to.
[[nodiscard]] inline ModuleState& state_of(PyObject* module) {
  return *static_cast<ModuleState*>(PyModule_GetState(module));
}

// Method tables; each ends with an empty row.
extern PyMethodDef capsule_methods[];
extern PyMethodDef watch_methods[];
extern PyMethodDef channel_methods[];
extern PyMethodDef tensor_methods[];
extern PyMethodDef rule_methods[];

// Descriptions of the types.
extern PyType_Spec offer_spec;
extern PyType_Spec watch_spec;
extern PyType_Spec tensor_spec;

}  // namespace dlspec::python
