// The method tables and types of the extension, by file, and the state of a module instance.
#pragma once

#include "object.h"

namespace dlspec::python {

struct ModuleState {
  PyTypeObject* offer_type;
  PyTypeObject* watch_type;
  PyTypeObject* tensor_type;
  PyTypeObject* ledger_type;
};

// The state of the module that a function belongs to.
[[nodiscard]] inline ModuleState& state_of(PyObject* module) {
  return *static_cast<ModuleState*>(PyModule_GetState(module));
}

// Calls the deleters that watches hold, after the interpreter has ended.
void release_held() noexcept;
// Reports on the channel, if it is open, that a deleter was "entered" or has "returned" at the end of the process.
void report_exit(const char* word) noexcept;

// Gives dlspec's tensor type its C exchange table.
void publish_table(PyTypeObject* type);

// Method tables; each ends with an empty row.
extern PyMethodDef capsule_methods[];
extern PyMethodDef watch_methods[];
extern PyMethodDef channel_methods[];
extern PyMethodDef tensor_methods[];
extern PyMethodDef rule_methods[];
extern PyMethodDef table_methods[];
extern PyMethodDef cycle_methods[];
extern PyMethodDef offer_methods[];
extern PyMethodDef ledger_methods[];
extern PyMethodDef api_call_methods[];
extern PyMethodDef api_table_methods[];

// Descriptions of the types.
extern PyType_Spec offer_spec;
extern PyType_Spec watch_spec;
extern PyType_Spec tensor_spec;
extern PyType_Spec ledger_spec;

}  // namespace dlspec::python
