// Calls of foreign code under unusual circumstances: with an exception in flight, without the GIL, on a new thread.
#pragma once

#include "object.h"

#include <thread>

namespace dlspec::python {

// What happened to an exception that was in flight during `act`: "kept", "cleared" or "replaced".
template <class Act>
[[nodiscard]] const char* with_exception_in_flight(Act act) {
  const Object marker(PyObject_CallFunction(PyExc_LookupError, "s", "in flight"));
  PyErr_SetObject(PyExc_LookupError, marker.get());
  act();
  PyObject* type = nullptr;
  PyObject* value = nullptr;
  PyObject* traceback = nullptr;
  PyErr_Fetch(&type, &value, &traceback);
  const char* const verdict = type == nullptr ? "cleared" : value == marker.get() ? "kept" : "replaced";
  Py_XDECREF(type);
  Py_XDECREF(value);
  Py_XDECREF(traceback);
  return verdict;
}

// Without the GIL, on this thread or on one that Python does not know.
template <class Act>
void without_gil(bool on_thread, Act act) {
  const WithoutGil others_run;
  if (on_thread) {
    std::thread(act).join();
  } else {
    act();
  }
}

}  // namespace dlspec::python
