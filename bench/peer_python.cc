// NumPy and PyTorch: an embedded interpreter with two arrays over the trial's memory.
#include "implementations.h"

#ifdef DLSPEC_BENCH_PYTHON
#include <Python.h>

namespace dlspec::bench {
namespace {

constexpr const char* source = R"(
import ctypes
import numpy as np

def array(address, element_size, shape, strides):
    kinds = {1: "u1", 2: "u2", 4: "u4", 8: "u8", 16: "c16"}
    dtype = np.dtype(kinds.get(element_size, "V%d" % element_size))
    low = sum((n - 1) * s for n, s in zip(shape, strides) if s < 0) * element_size
    high = (sum((n - 1) * s for n, s in zip(shape, strides) if s > 0) + 1) * element_size
    memory = (ctypes.c_char * (high - low)).from_address(address + low)
    return np.ndarray(shape, dtype, memory, -low, [s * element_size for s in strides])

def prepare(to, from_, element_size, shape, to_strides, from_strides):
    destination, source = array(to, element_size, shape, to_strides), array(from_, element_size, shape, from_strides)
    def repeat(times):
        copyto = np.copyto
        for _ in range(times):
            copyto(destination, source)
    return repeat

version = np.__version__
)";

// PyTorch has no negative strides and no elements of 3, 6 or 12 bytes.
constexpr const char* torch_source = R"(
import torch

def prepare_torch(to, from_, element_size, shape, to_strides, from_strides, threads):
    kinds = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64, 16: torch.complex128}
    if element_size not in kinds or any(s < 0 for s in to_strides + from_strides):
        return None
    torch.set_num_threads(threads)
    def tensor(address, strides):
        items = sum((n - 1) * s for n, s in zip(shape, strides)) + 1
        memory = (ctypes.c_char * (items * element_size)).from_address(address)
        return torch.frombuffer(memory, dtype=kinds[element_size]).as_strided(shape, strides)
    destination, source = tensor(to, to_strides), tensor(from_, from_strides)
    def repeat(times):
        copy = destination.copy_
        for _ in range(times):
            copy(source)
    return repeat

torch_version = torch.__version__
)";

// The interpreter, and which of the two libraries it can import.
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

// `repeat` is the result of a prepare function: a callable, None, or NULL after an exception.
void add(const char* name, bool single, PyObject* repeat, std::vector<Implementation>& all) {
  if (repeat == nullptr) return PyErr_Print();
  const std::shared_ptr<PyObject> owner(repeat, [](PyObject* object) { Py_DECREF(object); });
  if (repeat == Py_None) return;
  all.push_back(
      {name, false, single, [owner](int times) { Py_XDECREF(PyObject_CallFunction(owner.get(), "i", times)); }});
}

}  // namespace

void add_python_peers(const Trial& trial, std::vector<Implementation>& all, std::vector<std::string>& notes) {
  static Interpreter interpreter;
  notes.push_back(interpreter.note("NumPy", "version"));
  notes.push_back(interpreter.note("PyTorch", "torch_version"));
  const auto to = reinterpret_cast<long long>(trial.to), from = reinterpret_cast<long long>(trial.from);
  const RearrangeCase& bench_case = trial.bench_case;
  if (PyObject* const prepare = PyDict_GetItemString(interpreter.globals, "prepare")) {
    add("numpy", true,
        PyObject_CallFunction(prepare, "LLiNNN", to, from, int{bench_case.element_size}, tuple(bench_case.shape),
                              tuple(bench_case.to), tuple(bench_case.from)),
        all);
  }
  if (PyObject* const prepare = PyDict_GetItemString(interpreter.globals, "prepare_torch")) {
    add("torch", false,
        PyObject_CallFunction(prepare, "LLiNNNi", to, from, int{bench_case.element_size}, tuple(bench_case.shape),
                              tuple(bench_case.to), tuple(bench_case.from), trial.threads),
        all);
  }
}

}  // namespace dlspec::bench

#endif
