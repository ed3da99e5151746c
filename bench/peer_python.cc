// NumPy and PyTorch as contestants: an interpreter in this process, two arrays over the trial's memory.
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

// PyTorch has no negative strides, and no items of odd sizes.
constexpr const char* torch_source = R"(
import torch

def prepare_torch(to, from_, item, shape, to_strides, from_strides, threads):
    kinds = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64, 16: torch.complex128}
    if item not in kinds or any(s < 0 for s in to_strides + from_strides):
        return None
    torch.set_num_threads(threads)
    def tensor(address, strides):
        items = sum((n - 1) * s for n, s in zip(shape, strides)) + 1
        memory = (ctypes.c_char * (items * item)).from_address(address)
        return torch.frombuffer(memory, dtype=kinds[item]).as_strided(shape, strides)
    destination, source = tensor(to, to_strides), tensor(from_, from_strides)
    def repeat(times):
        copy = destination.copy_
        for _ in range(times):
            copy(source)
    return repeat

torch_version = torch.__version__
)";

// The interpreter, and which of the two it can import.
struct Interpreter {
  PyObject* globals = nullptr;

  Interpreter() {
    Py_InitializeEx(0);
    globals = PyDict_New();
    PyDict_SetItemString(globals, "__builtins__", PyEval_GetBuiltins());
    for (const char* text : {source, torch_source}) {
      PyObject* const done = PyRun_String(text, Py_file_input, globals, globals);
      if (done == nullptr) PyErr_Clear();
      Py_XDECREF(done);
    }
  }

  [[nodiscard]] std::string note(const char* name, const char* variable) const {
    PyObject* const version = PyDict_GetItemString(globals, variable);
    if (version != nullptr) return std::string(name) + " " + PyUnicode_AsUTF8(version);
    return std::string(name) +
           " is missing: the embedded interpreter cannot import it (PYTHONPATH may name its folder)";
  }
};

PyObject* tuple(const std::vector<std::int64_t>& numbers) {
  PyObject* const result = PyTuple_New(static_cast<Py_ssize_t>(numbers.size()));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    PyTuple_SetItem(result, static_cast<Py_ssize_t>(i), PyLong_FromLongLong(numbers[i]));
  }
  return result;
}

// `repeat` is what a prepare function gave: a callable, None, or NULL after an exception.
void add(const char* name, bool single, PyObject* repeat, std::vector<Contestant>& all) {
  if (repeat == nullptr) return PyErr_Print();
  const std::shared_ptr<PyObject> owner(repeat, [](PyObject* object) { Py_DECREF(object); });
  if (repeat == Py_None) return;
  all.push_back(
      {name, false, single, [owner](int times) { Py_XDECREF(PyObject_CallFunction(owner.get(), "i", times)); }});
}

}  // namespace

void add_python_peers(const Trial& trial, std::vector<Contestant>& all, std::vector<std::string>& notes) {
  static Interpreter interpreter;
  notes.push_back(interpreter.note("NumPy", "version"));
  notes.push_back(interpreter.note("PyTorch", "torch_version"));
  const auto to = reinterpret_cast<long long>(trial.to), from = reinterpret_cast<long long>(trial.from);
  const RearrangeCase& item = trial.item;
  if (PyObject* const prepare = PyDict_GetItemString(interpreter.globals, "prepare")) {
    add("numpy", true,
        PyObject_CallFunction(prepare, "LLiNNN", to, from, int{item.item}, tuple(item.shape), tuple(item.to),
                              tuple(item.from)),
        all);
  }
  if (PyObject* const prepare = PyDict_GetItemString(interpreter.globals, "prepare_torch")) {
    add("torch", false,
        PyObject_CallFunction(prepare, "LLiNNNi", to, from, int{item.item}, tuple(item.shape), tuple(item.to),
                              tuple(item.from), trial.threads),
        all);
  }
}

}  // namespace dlspec::bench

#else

namespace dlspec::bench {

void add_python_peers(const Trial&, std::vector<Contestant>&, std::vector<std::string>& notes) {
  notes.emplace_back("NumPy and PyTorch are missing: built without an interpreter to embed (Debian: python3-dev)");
}

}  // namespace dlspec::bench

#endif
