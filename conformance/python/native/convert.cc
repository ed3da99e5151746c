#include "convert.h"

#include <limits>
#include <mutex>
#include <unordered_map>

#include <dlspec/vocabulary/dtype.h>

namespace dlspec::python {
namespace {

// Borrowed. The strings live for ever; two threads that make the same one get one object.
PyObject* string_of(const char* name) {
  static auto* strings = new std::unordered_map<const void*, PyObject*>;
  static std::mutex mutex;
  {
    const std::lock_guard lock(mutex);
    const auto found = strings->find(name);
    if (found != strings->end()) return found->second;
  }
  PyObject* const made = PyUnicode_InternFromString(name);
  if (made == nullptr) throw ErrorIsSet{};
  const std::lock_guard lock(mutex);
  return strings->emplace(name, made).first->second;
}

}  // namespace

Object text(std::string_view value) {
  return Object(PyUnicode_FromStringAndSize(value.data(), static_cast<Py_ssize_t>(value.size())));
}

Object integer(std::int64_t value) { return Object(PyLong_FromLongLong(value)); }
Object unsigned_integer(std::uint64_t value) { return Object(PyLong_FromUnsignedLongLong(value)); }
Object boolean(bool value) { return Object(PyBool_FromLong(value ? 1 : 0)); }

Object bytes(std::span<const std::uint8_t> value) {
  return Object(
      PyBytes_FromStringAndSize(reinterpret_cast<const char*>(value.data()), static_cast<Py_ssize_t>(value.size())));
}

Object tuple(std::span<const std::int64_t> values) {
  Object made(PyTuple_New(static_cast<Py_ssize_t>(values.size())));
  for (std::size_t i = 0; i < values.size(); ++i) {
    check(PyTuple_SetItem(made.get(), static_cast<Py_ssize_t>(i), integer(values[i]).release()));
  }
  return made;
}

Object pair(std::int64_t first, std::int64_t second) {
  const std::int64_t both[] = {first, second};
  return tuple(both);
}

const char* generation_name(Generation generation) {
  if (generation == Generation::legacy) return "legacy";
  return generation == Generation::versioned ? "versioned" : "bare";
}

void put(PyObject* dictionary, const char* name, Object value) {
  check(PyDict_SetItem(dictionary, string_of(name), value.get()));
}

PyObject* item(PyObject* dictionary, const char* name) {
  PyObject* const found = PyDict_GetItemString(dictionary, name);
  return found != Py_None ? found : nullptr;
}

std::int64_t as_integer(PyObject* object, const char* what) {
  const long long value = PyLong_AsLongLong(object);
  if (value != -1 || PyErr_Occurred() == nullptr) return value;
  if (PyErr_ExceptionMatches(PyExc_OverflowError) != 0) fail(PyExc_ValueError, "%s does not fit in 64 bits", what);
  fail(PyExc_TypeError, "%s is no integer", what);
}

std::uint64_t as_unsigned(PyObject* object, const char* what) {
  if (PyLong_Check(object) == 0) fail(PyExc_TypeError, "%s is no integer", what);
  const unsigned long long value = PyLong_AsUnsignedLongLong(object);
  if (PyErr_Occurred() != nullptr) fail(PyExc_ValueError, "%s does not fit in 64 bits without a sign", what);
  return value;
}

std::string as_text(PyObject* object, const char* what) {
  if (PyUnicode_Check(object) == 0) fail(PyExc_TypeError, "%s is no string", what);
  const Object encoded(PyUnicode_AsUTF8String(object));
  return PyBytes_AsString(encoded.get());
}

std::vector<std::int64_t> as_integers(PyObject* object, const char* what) {
  if (PySequence_Check(object) == 0 || PyUnicode_Check(object) != 0) {
    fail(PyExc_TypeError, "%s is no sequence of integers", what);
  }
  const Py_ssize_t size = PySequence_Size(object);
  if (size < 0) throw ErrorIsSet{};
  std::vector<std::int64_t> values;
  for (Py_ssize_t i = 0; i < size; ++i) {
    const Object element(PySequence_GetItem(object, i));
    values.push_back(as_integer(element.get(), what));
  }
  return values;
}

std::pair<std::int64_t, std::int64_t> as_pair(PyObject* object, const char* what) {
  const std::vector<std::int64_t> values = as_integers(object, what);
  if (values.size() != 2) fail(PyExc_TypeError, "%s is no pair of integers", what);
  return {values[0], values[1]};
}

std::span<const std::uint8_t> as_bytes(PyObject* object, const char* what) {
  if (PyBytes_Check(object) == 0) fail(PyExc_TypeError, "%s is not of type bytes", what);
  char* start = nullptr;
  Py_ssize_t size = 0;
  check(PyBytes_AsStringAndSize(object, &start, &size));
  return {reinterpret_cast<const std::uint8_t*>(start), static_cast<std::size_t>(size)};
}

bool as_truth(PyObject* object) {
  const int truth = PyObject_IsTrue(object);
  check(truth);
  return truth != 0;
}

abi::Device as_device(PyObject* object, const char* what) {
  const auto [type, id] = as_pair(object, what);
  using Limits = std::numeric_limits<std::int32_t>;
  if (type < Limits::min() || type > Limits::max() || id < Limits::min() || id > Limits::max()) {
    fail(PyExc_ValueError, "%s does not fit in 32 bits", what);
  }
  return {static_cast<std::int32_t>(type), static_cast<std::int32_t>(id)};
}

abi::DataType as_dtype(PyObject* object, const char* what) {
  const std::string name = as_text(object, what);
  const auto dtype = parse_dtype(name);
  if (!dtype) fail(PyExc_ValueError, "%s \"%s\" is the name of no dtype", what, name.c_str());
  return *dtype;
}

Generation as_generation(PyObject* object) {
  const std::string name = as_text(object, "generation");
  if (name == "legacy") return Generation::legacy;
  if (name == "versioned") return Generation::versioned;
  fail(PyExc_ValueError, "generation is \"legacy\" or \"versioned\", not \"%s\"", name.c_str());
}

}  // namespace dlspec::python
