// NumPy as a contestant: an interpreter in this process, two arrays over the trial's memory, np.copyto.
#include "contestants.h"

#ifdef DLSPEC_BENCH_PYTHON
#include <Python.h>

namespace dlspec::bench {
namespace {

constexpr const char* source = R"(
import ctypes
import numpy as np

def array(address, item, shape, strides):
    kinds = {1: "u1", 2: "u2", 4: "u4", 8: "u8", 16: "c16"}
    dtype = np.dtype(kinds.get(item, "V%d" % item))
    low = sum((n - 1) * s for n, s in zip(shape, strides) if s < 0) * item
    high = (sum((n - 1) * s for n, s in zip(shape, strides) if s > 0) + 1) * item
    memory = (ctypes.c_char * (high - low)).from_address(address + low)
    return np.ndarray(shape, dtype, memory, -low, [s * item for s in strides])

def prepare(to, from_, item, shape, to_strides, from_strides):
    destination, source = array(to, item, shape, to_strides), array(from_, item, shape, from_strides)
    def repeat(times):
        copyto = np.copyto
        for _ in range(times):
            copyto(destination, source)
    return repeat

version = np.__version__
)";

struct Interpreter {
  PyObject* globals = nullptr;
  std::string note;

  Interpreter() {
    Py_InitializeEx(0);
    globals = PyDict_New();
    PyDict_SetItemString(globals, "__builtins__", PyEval_GetBuiltins());
    if (PyRun_String(source, Py_file_input, globals, globals) == nullptr) {
      PyErr_Clear();
      note = "NumPy is missing: the embedded interpreter cannot import it (set PYTHONPATH to a folder that has it)";
    } else {
      note = std::string("NumPy ") + PyUnicode_AsUTF8(PyDict_GetItemString(globals, "version"));
    }
  }
};

PyObject* tuple(const std::vector<std::int64_t>& numbers) {
  PyObject* const result = PyTuple_New(static_cast<Py_ssize_t>(numbers.size()));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    PyTuple_SetItem(result, static_cast<Py_ssize_t>(i), PyLong_FromLongLong(numbers[i]));
  }
  return result;
}

}  // namespace

void add_numpy(const Trial& trial, std::vector<Contestant>& all, std::string& note) {
  static Interpreter interpreter;
  note = interpreter.note;
  PyObject* const prepare = PyDict_GetItemString(interpreter.globals, "prepare");
  if (prepare == nullptr) return;
  PyObject* const repeat = PyObject_CallFunction(prepare, "LLiNNN", reinterpret_cast<long long>(trial.to),
                                                 reinterpret_cast<long long>(trial.from), int{trial.item.item},
                                                 tuple(trial.item.shape), tuple(trial.item.to), tuple(trial.item.from));
  if (repeat == nullptr) {
    PyErr_Print();
    return;
  }
  const std::shared_ptr<PyObject> owner(repeat, [](PyObject* object) { Py_DECREF(object); });
  all.push_back({"numpy", false, true, [owner](int times) {
                   Py_XDECREF(PyObject_CallFunction(owner.get(), "i", times));
                 }});
}

}  // namespace dlspec::bench

#else

namespace dlspec::bench {

void add_numpy(const Trial&, std::vector<Contestant>&, std::string& note) {
  note = "NumPy is missing: built without an interpreter to embed (Debian: python3-dev)";
}

}  // namespace dlspec::bench

#endif
