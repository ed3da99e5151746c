// An engine in C++ that takes any array whose type publishes the C exchange table and answers with one of that type:
// engine.scaled(array, factor) for float32 in host memory. The structs are those of dlpack.h from 1.2 on.
#include <cstring>

#include <Python.h>
#include <dlspec/vocabulary/abi.h>

using namespace dlspec::abi;

// The table, found as a capsule on the type, never on the instance. It lives as long as the process.
static const v1::ExchangeApi* table_of(PyObject* object) {
  PyObject* const type = reinterpret_cast<PyObject*>(Py_TYPE(object));
  PyObject* const capsule = PyObject_GetAttrString(type, "__dlpack_c_exchange_api__");
  if (!capsule) return nullptr;
  const auto* header = static_cast<v1::ExchangeApiHeader*>(PyCapsule_GetPointer(capsule, capsule_name_exchange_api));
  Py_DECREF(capsule);
  if (!header) return nullptr;  // an exception is set
  while (header && header->version.major != 1) header = header->prev_api;
  if (!header) PyErr_SetString(PyExc_BufferError, "the type has no exchange table of major version 1");
  return reinterpret_cast<const v1::ExchangeApi*>(header);
}

// Walks both tensors axis by axis, so that any strides will do.
static void scale(const Tensor& from, const Tensor& to, double factor, int axis, std::int64_t read,
                  std::int64_t write) {
  if (axis < from.ndim) {
    for (std::int64_t i = 0; i < from.shape[axis]; ++i)
      scale(from, to, factor, axis + 1, read + i * from.strides[axis], write + i * to.strides[axis]);
    return;
  }
  float value;
  std::memcpy(&value, static_cast<const char*>(from.data) + from.byte_offset + read * 4, sizeof value);
  value = static_cast<float>(value * factor);
  std::memcpy(static_cast<char*>(to.data) + to.byte_offset + write * 4, &value, sizeof value);
}

static void set_error(void*, const char*, const char* message) { PyErr_SetString(PyExc_RuntimeError, message); }

static PyObject* scaled(PyObject*, PyObject* arguments) {
  PyObject* object = nullptr;
  double factor = 1;
  if (!PyArg_ParseTuple(arguments, "Od", &object, &factor)) return nullptr;
  const v1::ExchangeApi* const api = table_of(object);
  v1::ManagedTensor *in = nullptr, *out = nullptr;
  if (!api || api->managed_tensor_from_py_object_no_sync(object, &in) != 0) return nullptr;
  Tensor tensor = in->dl_tensor;
  const bool taken =
      tensor.device == Device{1, 0} && tensor.dtype == DataType{2, 32, 1} && (tensor.ndim == 0 || tensor.strides);
  if (!taken) PyErr_SetString(PyExc_BufferError, "only float32 in host memory can be scaled");
  void* result = nullptr;
  if (taken && api->managed_tensor_allocator(&tensor, &out, nullptr, set_error) == 0) {
    scale(tensor, out->dl_tensor, factor, 0, 0, 0);
    if (api->managed_tensor_to_py_object_no_sync(out, &result) != 0) result = nullptr;  // its exception is set
  }
  if (in->deleter) in->deleter(in);
  return static_cast<PyObject*>(result);
}
static PyMethodDef methods[] = {{"scaled", scaled, METH_VARARGS, nullptr}, {nullptr, nullptr, 0, nullptr}};
static PyModuleDef module = {PyModuleDef_HEAD_INIT, "engine", nullptr, -1, methods, nullptr, nullptr, nullptr, nullptr};
PyMODINIT_FUNC PyInit_engine() { return PyModule_Create(&module); }
