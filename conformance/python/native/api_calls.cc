// api_*: calls of the functions of a C exchange table (DLPackExchangeAPI) by their addresses, and what each call left:
// the status, a pending Python exception, a C++ exception that came out, the output.
#include "capsule.h"
#include "convert.h"
#include "exchange.h"
#include "in_flight.h"
#include "module.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

#include <dlspec/conformance/oracle/checked_call.h>

namespace dlspec::python {
namespace {

using Managed = abi::v1::ManagedTensor;
using Api = abi::v1::ExchangeApi;

// Calls `act` as a C function is called.
template <class Act>
conformance::CallReport checked(Act act) {
  return conformance::checked_call([](void* self) { (*static_cast<Act*>(self))(); }, &act,
                                   conformance::Callee::table_function);
}

// The pending exception without its traceback, which would keep arrays alive; None when there is none.
Object take_pending() {
  PyObject* type = nullptr;
  PyObject* value = nullptr;
  PyObject* traceback = nullptr;
  PyErr_Fetch(&type, &value, &traceback);
  if (type == nullptr) return Object(none());
  PyErr_NormalizeException(&type, &value, &traceback);
  Py_XDECREF(type);
  Py_XDECREF(traceback);
  return value != nullptr ? Object(value) : Object(none());
}

// "status" (None after a C++ exception), "threw" and "error". First of all, so that nothing else meets the exception.
Object facts_of(const conformance::CallReport& report, int status) {
  Object error = take_pending();
  Object facts(PyDict_New());
  put(facts.get(), "status", report.threw ? Object(none()) : integer(status));
  put(facts.get(), "threw", text(report.threw && report.exception.empty() ? "an exception" : report.exception));
  put(facts.get(), "error", std::move(error));
  return facts;
}

struct Called {
  Object facts;
  bool succeeded;
};

// Makes a call that gives a status, `attached`: with the GIL.
template <class Call>
Called called(bool attached, Call call) {
  int status = 0;
  const auto act = [&] { return checked([&] { status = call(); }); };
  conformance::CallReport report;
  if (attached) {
    report = act();
  } else {
    without_gil(false, [&] { report = act(); });
  }
  return {facts_of(report, status), status == 0 && !report.threw};
}

template <class Function>
Function as_function(PyObject* object) {
  const std::uint64_t address = as_unsigned(object, "function");
  if (address == 0) fail(PyExc_ValueError, "NULL is no function");
  return reinterpret_cast<Function>(address);
}

// The capsule of what a call put out, or None. Misaligned pointers lead to no struct.
Object capsule_of(Managed* managed) {
  if (managed == nullptr || reinterpret_cast<std::uintptr_t>(managed) % alignof(Managed) != 0) return Object(none());
  return Object(new_capsule({Generation::versioned, managed}));
}

// --- the allocator

// What SetError was told. One call of an allocator is watched at a time, in the whole process.
struct ErrorNotes {
  struct Note {
    std::string kind, message;
    bool has_context;  // that the caller gave
  };
  std::vector<Note> notes;
};
ErrorNotes* watched_errors = nullptr;

std::string text_or_null(const char* given) { return given != nullptr ? given : "NULL"; }

// Needs nothing of Python: allocators may be called without the lock.
void note_error(void* context, const char* kind, const char* message) noexcept {
  if (watched_errors == nullptr) return;
  watched_errors->notes.push_back({text_or_null(kind), text_or_null(message), context == watched_errors});
}

Object list_of(const ErrorNotes& errors) {
  Object list(PyList_New(0));
  for (const ErrorNotes::Note& note : errors.notes) {
    Object row(PyTuple_New(3));
    check(PyTuple_SetItem(row.get(), 0, text(note.kind).release()));
    check(PyTuple_SetItem(row.get(), 1, text(note.message).release()));
    check(PyTuple_SetItem(row.get(), 2, boolean(note.has_context).release()));
    check(PyList_Append(list.get(), row.get()));
  }
  return list;
}

// A prototype whose members that have no meaning hold what must not be used.
struct Prototype {
  abi::Tensor tensor{};
  std::vector<std::int64_t> shape;

  Prototype(PyObject* dtype, PyObject* given_shape, PyObject* device, PyObject* rest) {
    const auto numbers = as_integers(dtype, "dtype");
    const auto others = as_integers(rest, "rest");
    if (numbers.size() != 3) fail(PyExc_ValueError, "dtype is (code, bits, lanes)");
    if (others.size() != 3) fail(PyExc_ValueError, "rest is (data, strides, byte_offset)");
    shape = as_integers(given_shape, "shape");
    tensor.dtype = {static_cast<std::uint8_t>(numbers[0]), static_cast<std::uint8_t>(numbers[1]),
                    static_cast<std::uint16_t>(numbers[2])};
    tensor.device = as_device(device, "device");
    tensor.ndim = static_cast<std::int32_t>(shape.size());
    tensor.shape = shape.data();
    tensor.data = reinterpret_cast<void*>(others[0]);
    tensor.strides = reinterpret_cast<std::int64_t*>(others[1]);
    tensor.byte_offset = static_cast<std::uint64_t>(others[2]);
  }
};

PyObject* api_allocate(PyObject*, PyObject* arguments, PyObject* keywords) {
  return guarded([&] {
    static const char* const names[] = {"function", "dtype", "shape", "device", "rest", "attached", nullptr};
    PyObject *function = nullptr, *dtype = nullptr, *shape = nullptr, *device = nullptr, *rest = nullptr;
    int attached = 1;
    parse(arguments, keywords, "OOOOO|p:api_allocate", names, &function, &dtype, &shape, &device, &rest, &attached);
    Prototype prototype(dtype, shape, device, rest);
    const abi::Tensor before = prototype.tensor;
    const auto allocate = as_function<decltype(Api::managed_tensor_allocator)>(function);
    Managed* out = nullptr;
    ErrorNotes errors;
    watched_errors = &errors;
    auto [facts, succeeded] =
        called(attached != 0, [&] { return allocate(&prototype.tensor, &out, &errors, &note_error); });
    watched_errors = nullptr;
    put(facts.get(), "errors", list_of(errors));
    put(facts.get(), "altered", boolean(std::memcmp(&before, &prototype.tensor, sizeof before) != 0));
    static std::vector<std::int64_t> spoilt;  // until the next call: what still leads there is seen
    spoilt = std::move(prototype.shape);
    std::fill(spoilt.begin(), spoilt.end(), 11);
    put(facts.get(), "capsule", succeeded ? capsule_of(out) : Object(none()));
    return facts.release();
  });
}

// --- the functions that take or give an object

PyObject* api_export(PyObject*, PyObject* arguments) {
  return guarded([&] {
    PyObject *function = nullptr, *object = nullptr;
    if (PyArg_ParseTuple(arguments, "OO:api_export", &function, &object) == 0) throw ErrorIsSet{};
    const auto convert = as_function<decltype(Api::managed_tensor_from_py_object_no_sync)>(function);
    Managed* out = nullptr;
    auto [facts, succeeded] = called(true, [&] { return convert(object, &out); });
    put(facts.get(), "capsule", succeeded ? capsule_of(out) : Object(none()));
    return facts.release();
  });
}

PyObject* api_borrow(PyObject*, PyObject* arguments) {
  return guarded([&] {
    PyObject *function = nullptr, *object = nullptr;
    int fill = 0;
    if (PyArg_ParseTuple(arguments, "OOi:api_borrow", &function, &object, &fill) == 0) throw ErrorIsSet{};
    const auto borrow = as_function<decltype(Api::dltensor_from_py_object_no_sync)>(function);
    abi::Tensor tensor;
    std::memset(static_cast<void*>(&tensor), fill, sizeof tensor);
    Object facts = called(true, [&] { return borrow(object, &tensor); }).facts;
    put(facts.get(), "raw", bytes({reinterpret_cast<const std::uint8_t*>(&tensor), sizeof tensor}));
    return facts.release();
  });
}

PyObject* api_import(PyObject*, PyObject* arguments) {
  return guarded([&] {
    PyObject *function = nullptr, *address = nullptr;
    if (PyArg_ParseTuple(arguments, "OO:api_import", &function, &address) == 0) throw ErrorIsSet{};
    const auto convert = as_function<decltype(Api::managed_tensor_to_py_object_no_sync)>(function);
    auto* const managed = reinterpret_cast<Managed*>(as_unsigned(address, "address"));
    void* out = nullptr;
    auto [facts, succeeded] = called(true, [&] { return convert(managed, &out); });
    auto* const object = static_cast<PyObject*>(out);
    const bool is_given = succeeded && object != nullptr;
    put(facts.get(), "is_null", boolean(object == nullptr));
    put(facts.get(), "references", integer(is_given ? Py_REFCNT(object) : 0));
    put(facts.get(), "object", is_given ? Object(object) : Object(none()));
    return facts.release();
  });
}

PyObject* api_stream(PyObject*, PyObject* arguments, PyObject* keywords) {
  return guarded([&] {
    static const char* const names[] = {"function", "device", "preset", "attached", nullptr};
    PyObject *function = nullptr, *device = nullptr, *preset = nullptr;
    int attached = 1;
    parse(arguments, keywords, "OOO|p:api_stream", names, &function, &device, &preset, &attached);
    const abi::Device asked = as_device(device, "device");
    const auto current = as_function<decltype(Api::current_work_stream)>(function);
    auto* stream = reinterpret_cast<void*>(as_unsigned(preset, "preset"));
    Object facts = called(attached != 0, [&] { return current(asked.device_type, asked.device_id, &stream); }).facts;
    put(facts.get(), "stream", unsigned_integer(reinterpret_cast<std::uintptr_t>(stream)));
    return facts.release();
  });
}

// --- beside the calls

PyObject* api_capsule(PyObject*, PyObject* object) {
  return guarded([&] {
    if (PyCapsule_CheckExact(object) == 0) return none();
    const char* const name = PyCapsule_GetName(object);
    void* const pointer = PyCapsule_GetPointer(object, name);
    const bool has_destructor = PyCapsule_GetDestructor(object) != nullptr;
    if (PyErr_Occurred() != nullptr) throw ErrorIsSet{};
    Object found(PyTuple_New(3));
    check(PyTuple_SetItem(found.get(), 0, name != nullptr ? text(name).release() : none()));
    check(PyTuple_SetItem(found.get(), 1, unsigned_integer(reinterpret_cast<std::uintptr_t>(pointer)).release()));
    check(PyTuple_SetItem(found.get(), 2, boolean(has_destructor).release()));
    return found.release();
  });
}

// A managed struct around a DLTensor that somebody else owns.
struct Wrapped {
  Managed managed{};

  static void release(Managed* self) noexcept { delete static_cast<Wrapped*>(self->manager_ctx); }
};

PyObject* api_wrap(PyObject*, PyObject* raw) {
  return guarded([&] {
    const auto given = as_bytes(raw, "raw");
    if (given.size() != sizeof(abi::Tensor)) fail(PyExc_ValueError, "raw is no DLTensor");
    auto made = std::make_unique<Wrapped>();
    made->managed.version = abi::newest_version;
    made->managed.manager_ctx = made.get();
    made->managed.deleter = &Wrapped::release;
    std::memcpy(static_cast<void*>(&made->managed.dl_tensor), given.data(), given.size());
    return new_capsule({Generation::versioned, &made.release()->managed});
  });
}

PyObject* api_untouchable(PyObject*, PyObject*) {
  return guarded([&] {
    static void* const page = ::mmap(nullptr, 4096, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) fail(PyExc_OSError, "no page can be mapped");
    return unsigned_integer(reinterpret_cast<std::uintptr_t>(page)).release();
  });
}

}  // namespace

PyMethodDef api_call_methods[] = {
    with_keywords(
        "api_allocate", &api_allocate,
        "api_allocate(function, dtype, shape, device, rest, attached=True): calls managed_tensor_allocator with a "
        "prototype. dtype: (code, bits, lanes); rest: its data, strides and byte_offset. What every call gives: status "
        "(None after a C++ exception), threw, error; here also errors, a list of (kind, message, own context) that "
        "SetError was told, altered (the prototype was) and capsule, which owns the tensor, or None."),
    {"api_export", &api_export, METH_VARARGS,
     "api_export(function, object): calls managed_tensor_from_py_object_no_sync. capsule: owns the tensor, or None."},
    {"api_borrow", &api_borrow, METH_VARARGS,
     "api_borrow(function, object, fill): calls dltensor_from_py_object_no_sync. raw: the DLTensor, each byte of which "
     "was `fill` before."},
    {"api_import", &api_import, METH_VARARGS,
     "api_import(function, address): calls managed_tensor_to_py_object_no_sync with the struct at this address, which "
     "is the function's from then on if it succeeds. object, is_null, and references that it had when it came."},
    with_keywords("api_stream", &api_stream,
                  "api_stream(function, device, preset, attached=True): calls current_work_stream. stream: preset, or "
                  "what the function put in its place."),
    {"api_capsule", &api_capsule, METH_O,
     "api_capsule(object): (name, pointer, has_destructor) of a capsule of any name; None for what is no capsule."},
    {"api_wrap", &api_wrap, METH_O,
     "api_wrap(raw): a capsule of a versioned struct around a copy of this DLTensor, which owns nothing of it."},
    {"api_untouchable", &api_untouchable, METH_NOARGS, "The address of a page that nobody may read or write."},
    {},
};

}  // namespace dlspec::python
