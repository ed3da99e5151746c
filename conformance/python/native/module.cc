// The module dlspec._native: multi-phase initialisation against the limited API.
#include "module.h"

#include "exchange.h"

namespace dlspec::python {
namespace {

ModuleState* state_or_null(PyObject* module) { return static_cast<ModuleState*>(PyModule_GetState(module)); }

void add_type(PyObject* module, PyType_Spec& spec, const char* name, PyTypeObject*& slot) {
  slot = reinterpret_cast<PyTypeObject*>(Object(PyType_FromSpec(&spec)).release());
  PyObject* const type = reinterpret_cast<PyObject*>(slot);
  Py_INCREF(type);
  if (PyModule_AddObject(module, name, type) < 0) {
    Py_DECREF(type);
    throw ErrorIsSet{};
  }
}

// After this, deleters can no longer use Python. Py_AtExit takes at most 32 functions; where it
// refuses this one, only the mark is missing.
void note_the_end_once() {
  static const int registered = Py_AtExit([]() {
    interpreter_ended();
    release_held();
  });
  (void)registered;
}

int execute(PyObject* module) {
  return guarded(
      [&] {
        note_the_end_once();
        ModuleState& state = state_of(module);
        add_type(module, offer_spec, "Offer", state.offer_type);
        add_type(module, watch_spec, "Watch", state.watch_type);
        add_type(module, tensor_spec, "Tensor", state.tensor_type);
        publish_table(state.tensor_type);
        add_type(module, ledger_spec, "Ledger", state.ledger_type);
        for (PyMethodDef* methods :
             {capsule_methods, watch_methods, channel_methods, tensor_methods, rule_methods, table_methods,
              cycle_methods, offer_methods, ledger_methods, api_call_methods, api_table_methods}) {
          check(PyModule_AddFunctions(module, methods));
        }
        check(PyModule_AddStringConstant(module, "version", DLSPEC_VERSION));
        return 0;
      },
      -1);
}

// What the garbage collector finds in a module's state.
constexpr PyTypeObject* ModuleState::* types[] = {&ModuleState::offer_type, &ModuleState::watch_type,
                                                  &ModuleState::tensor_type, &ModuleState::ledger_type};

int traverse(PyObject* module, visitproc visit, void* arg) {
  ModuleState* const state = state_or_null(module);
  if (state == nullptr) return 0;
  for (const auto type : types) Py_VISIT(state->*type);
  return 0;
}

int clear(PyObject* module) {
  ModuleState* const state = state_or_null(module);
  if (state == nullptr) return 0;
  for (const auto type : types) Py_CLEAR(state->*type);
  return 0;
}

void release(void* module) { clear(static_cast<PyObject*>(module)); }

PyModuleDef_Slot slots[] = {
    {Py_mod_exec, reinterpret_cast<void*>(&execute)},
#ifdef Py_GIL_DISABLED
    // What threads share has locks of its own: the library is judged as it runs, without the GIL.
    {Py_mod_gil, Py_MOD_GIL_NOT_USED},
#endif
    {0, nullptr},
};

PyModuleDef definition = {
    PyModuleDef_HEAD_INIT,
    "dlspec._native",
    "What dlspec reads off capsules, offers to consumers, and its own tensor. For the package's own use.",
    sizeof(ModuleState),
    nullptr,
    slots,
    &traverse,
    &clear,
    &release,
};

}  // namespace
}  // namespace dlspec::python

// NOLINTNEXTLINE(bugprone-reserved-identifier,readability-identifier-naming): the name that CPython looks for
PyMODINIT_FUNC PyInit__native() { return PyModuleDef_Init(&dlspec::python::definition); }
