// Python objects in C++: owned references, errors as exceptions, entry points that let no exception escape.
//
// Only the limited API of CPython 3.9 may be used (the build defines Py_LIMITED_API, but for a free-threaded
// interpreter, which has none before 3.15); a test compares the imports of the extension with a list. What threads
// share has a lock or is atomic, since no GIL need be there to guard it. No lock is held while Python runs.
#pragma once

#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <exception>
#include <memory>
#include <new>
#include <utility>

namespace dlspec::python {

// A Python exception is set; whoever catches this answers the interpreter with NULL.
struct ErrorIsSet : std::exception {};

// Sets a Python exception and throws. `format` as in PyErr_Format.
template <class... Arguments>
[[noreturn]] void fail(PyObject* type, const char* format, Arguments... arguments) {
  PyErr_Format(type, format, arguments...);
  throw ErrorIsSet{};
}

// An owned reference.
class Object {
 public:
  Object() = default;
  // Takes ownership of a new reference; NULL means that an exception is set.
  explicit Object(PyObject* owned) : object_(owned) {
    if (owned == nullptr) throw ErrorIsSet{};
  }
  static Object borrowed(PyObject* object) {
    Py_INCREF(object);
    return Object(object);
  }
  Object(Object&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Object& operator=(Object&& other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Object() { Py_XDECREF(object_); }

  [[nodiscard]] PyObject* get() const { return object_; }
  // Gives up ownership of the reference.
  [[nodiscard]] PyObject* release() { return std::exchange(object_, nullptr); }

 private:
  PyObject* object_ = nullptr;
};

inline void check(int result) {
  if (result < 0) throw ErrorIsSet{};
}

[[nodiscard]] inline PyObject* none() {
  Py_INCREF(Py_None);
  return Py_None;
}

// Turns whatever `body` throws into a Python exception and `failure`.
template <class Body, class Result>
Result guarded(Body body, Result failure) noexcept {
  try {
    return body();
  } catch (const ErrorIsSet&) {
  } catch (const std::bad_alloc&) {
    PyErr_NoMemory();
  } catch (const std::exception& error) {
    PyErr_SetString(PyExc_RuntimeError, error.what());
  } catch (...) {
    PyErr_SetString(PyExc_RuntimeError, "an unknown C++ exception");
  }
  return failure;
}
template <class Body>
PyObject* guarded(Body body) noexcept {
  return guarded(std::move(body), static_cast<PyObject*>(nullptr));
}

// Saves an exception that is in flight while other code runs Python, and restores it.
class ExceptionAside {
 public:
  ExceptionAside() { PyErr_Fetch(&type_, &value_, &traceback_); }
  ~ExceptionAside() { PyErr_Restore(type_, value_, traceback_); }
  ExceptionAside(const ExceptionAside&) = delete;
  ExceptionAside& operator=(const ExceptionAside&) = delete;

 private:
  PyObject* type_ = nullptr;
  PyObject* value_ = nullptr;
  PyObject* traceback_ = nullptr;
};

// Releases the GIL for as long as it lives.
class WithoutGil {
 public:
  WithoutGil() : state_(PyEval_SaveThread()) {}
  ~WithoutGil() { PyEval_RestoreThread(state_); }
  WithoutGil(const WithoutGil&) = delete;
  WithoutGil& operator=(const WithoutGil&) = delete;

 private:
  PyThreadState* state_;
};

// A row of a method table: a function with keywords, cast to the type of the table.
using KeywordFunction = PyObject* (*)(PyObject*, PyObject*, PyObject*);
[[nodiscard]] inline PyMethodDef with_keywords(const char* name, KeywordFunction function, const char* text) {
  return {name, reinterpret_cast<PyCFunction>(reinterpret_cast<void (*)()>(function)), METH_VARARGS | METH_KEYWORDS,
          text};
}

// A row of an attribute table: one that cannot be assigned.
[[nodiscard]] constexpr PyGetSetDef attribute_row(const char* name, getter get, const char* text) {
  return {name, get, nullptr, text, nullptr};
}

// PyArg_ParseTupleAndKeywords, whose list of names is not const.
template <std::size_t Count, class... Targets>
void parse(PyObject* positional, PyObject* keywords, const char* format, const char* const (&names)[Count],
           Targets... targets) {
  if (PyArg_ParseTupleAndKeywords(positional, keywords, format, const_cast<char**>(names), targets...) == 0) {
    throw ErrorIsSet{};
  }
}

// A Python object that owns a C++ one.
template <class Payload>
struct Box {
  PyObject_HEAD Payload* payload;

  static Payload& of(PyObject* self) { return *reinterpret_cast<Box*>(self)->payload; }

  static PyObject* make(PyTypeObject* type, std::unique_ptr<Payload> payload) {
    const auto allocate = reinterpret_cast<allocfunc>(PyType_GetSlot(type, Py_tp_alloc));
    Object self(allocate(type, 0));
    reinterpret_cast<Box*>(self.get())->payload = payload.release();
    return self.release();
  }

  // tp_dealloc. The payload's destructor may call foreign code.
  static void destroy(PyObject* self) {
    const ExceptionAside aside;
    PyTypeObject* const type = Py_TYPE(self);
    delete reinterpret_cast<Box*>(self)->payload;
    reinterpret_cast<freefunc>(PyType_GetSlot(type, Py_tp_free))(self);
    Py_DECREF(type);
  }

  // tp_new of types whose objects come from functions only.
  static PyObject* refuse_new(PyTypeObject*, PyObject*, PyObject*) {
    PyErr_SetString(PyExc_TypeError, "objects of this type are made by functions of dlspec");
    return nullptr;
  }
};

}  // namespace dlspec::python
