// api_table: C exchange tables whose functions ask a Python object, for sources that consumers are offered and for test
// doubles. api_model.cc has the table of dlspec's own tensor, which needs no Python.
#include "capsule.h"
#include "convert.h"
#include "exchange.h"
#include "module.h"

#include <dlfcn.h>

#include <array>
#include <atomic>
#include <utility>

namespace dlspec::python {
namespace {

constexpr std::int32_t most_axes = 1024;  // of a prototype: tables may make what dlspec does not read

using Managed = abi::v1::ManagedTensor;
using Api = abi::v1::ExchangeApi;
using SetError = void (*)(void*, const char*, const char*);

// A table and the object that answers for it. C functions have no context, so that each slot has functions of its own;
// tables live as long as the process, as DLPack demands.
struct Slot {
  Api api{};
  PyObject* handler = nullptr;
};
constexpr std::size_t slot_count = 64;
std::array<Slot, slot_count> slots;
std::atomic<std::size_t> slots_taken{0};

// Whether the calling thread holds the interpreter's lock; unknown interpreters are believed. PyGILState_Check is no
// part of the limited API, but every CPython exports it.
bool is_attached() {
  static const auto ask = reinterpret_cast<int (*)()>(dlsym(RTLD_DEFAULT, "PyGILState_Check"));
  return ask == nullptr || ask() != 0;
}

// The lock, whoever has it.
class Attached {
 public:
  Attached() : was_attached_(is_attached()), state_(PyGILState_Ensure()) {}
  ~Attached() { PyGILState_Release(state_); }
  Attached(const Attached&) = delete;
  Attached& operator=(const Attached&) = delete;
  // 1 when the caller had it already, for PyObject_CallMethod.
  [[nodiscard]] int before() const { return was_attached_ ? 1 : 0; }

 private:
  bool was_attached_;
  PyGILState_STATE state_;
};

// Takes the struct of a capsule over.
Managed* taken_from(PyObject* object) {
  const Capsule opened = open_unconsumed(object);
  if (opened.generation != Generation::versioned) fail(PyExc_BufferError, "a versioned struct is wanted");
  take_capsule(object, opened.generation);
  return static_cast<Managed*>(const_cast<void*>(opened.object));
}

// --- the functions

void report(SetError set_error, void* context) {
  PyObject* type = nullptr;
  PyObject* value = nullptr;
  PyObject* traceback = nullptr;
  PyErr_Fetch(&type, &value, &traceback);
  PyErr_NormalizeException(&type, &value, &traceback);
  std::string message = "unknown";
  const bool is_buffer_error = PyErr_GivenExceptionMatches(type, PyExc_BufferError) != 0;
  (void)guarded(
      [&] {
        message = as_text(Object(PyObject_Str(value)).get(), "message");
        return 0;
      },
      -1);
  PyErr_Clear();
  Py_XDECREF(type);
  Py_XDECREF(value);
  Py_XDECREF(traceback);
  if (set_error != nullptr) set_error(context, is_buffer_error ? "BufferError" : "RuntimeError", message.c_str());
}

int allocate(const Slot& slot, const abi::Tensor& prototype, Managed** out, void* context, SetError set_error) {
  const Attached lock;
  const int status = guarded(
      [&] {
        if (prototype.ndim < 0 || prototype.ndim > most_axes) fail(PyExc_BufferError, "that rank is too high");
        const std::int64_t dtype[] = {prototype.dtype.code, prototype.dtype.bits, prototype.dtype.lanes};
        const Object type = tuple(dtype);
        const Object shape = tuple({prototype.shape, static_cast<std::size_t>(prototype.ndim)});
        const Object device = pair(prototype.device.device_type, prototype.device.device_id);
        const Object made(PyObject_CallMethod(slot.handler, "allocate", "OOOii", type.get(), shape.get(), device.get(),
                                              set_error != nullptr ? 1 : 0, lock.before()));
        *out = taken_from(made.get());
        return 0;
      },
      -1);
  if (status != 0) report(set_error, context);
  return status;
}

// What the handler's method answers to an object, in the hands of `take`.
template <class Take>
int ask_about(const Slot& slot, const char* method, void* object, Take take) {
  const Attached lock;
  return guarded(
      [&] {
        const Object made(
            PyObject_CallMethod(slot.handler, method, "Oi", static_cast<PyObject*>(object), lock.before()));
        take(made.get());
        return 0;
      },
      -1);
}

int from_object(const Slot& slot, void* object, Managed** out) {
  return ask_about(slot, "export", object, [&](PyObject* made) { *out = taken_from(made); });
}

// After a failure the tensor is the caller's: what the handler has not consumed is not released here.
int to_object(const Slot& slot, Managed* tensor, void** out) {
  const Attached lock;
  return guarded(
      [&] {
        const Object capsule(new_capsule({Generation::versioned, tensor}));
        PyObject* const made = PyObject_CallMethod(slot.handler, "import_", "Oi", capsule.get(), lock.before());
        if (PyCapsule_IsValid(capsule.get(), abi::capsule_name_versioned) != 0) {
          take_capsule(capsule.get(), Generation::versioned);
        }
        *out = Object(made).release();
        return 0;
      },
      -1);
}

// The handler's object keeps the capsule that it gives.
int borrow(const Slot& slot, void* object, abi::Tensor* out) {
  return ask_about(slot, "borrow", object, [&](PyObject* lent) { *out = open_unconsumed(lent).exported().tensor(); });
}

int current_stream(const Slot& slot, std::int32_t device_type, std::int32_t device_id, void** out) {
  const Attached lock;
  return guarded(
      [&] {
        const Object stream(PyObject_CallMethod(slot.handler, "stream", "iii", device_type, device_id, lock.before()));
        *out = stream.get() == Py_None ? nullptr : reinterpret_cast<void*>(as_unsigned(stream.get(), "stream"));
        return 0;
      },
      -1);
}

template <std::size_t number>
void fill_in(Api& api) {
  api.managed_tensor_allocator = [](abi::Tensor* prototype, Managed** out, void* context, SetError set_error) {
    return allocate(slots[number], *prototype, out, context, set_error);
  };
  api.managed_tensor_from_py_object_no_sync = [](void* object, Managed** out) {
    return from_object(slots[number], object, out);
  };
  api.managed_tensor_to_py_object_no_sync = [](Managed* tensor, void** out) {
    return to_object(slots[number], tensor, out);
  };
  api.dltensor_from_py_object_no_sync = [](void* object, abi::Tensor* out) {
    return borrow(slots[number], object, out);
  };
  api.current_work_stream = [](std::int32_t device_type, std::int32_t device_id, void** out) {
    return current_stream(slots[number], device_type, device_id, out);
  };
}

template <std::size_t... numbers>
constexpr std::array<void (*)(Api&), slot_count> all_fillers(std::index_sequence<numbers...>) {
  return {&fill_in<numbers>...};
}
constexpr auto fillers = all_fillers(std::make_index_sequence<slot_count>{});

// --- for Python

std::uint32_t as_number(std::int64_t value) {
  if (!std::in_range<std::uint32_t>(value)) fail(PyExc_ValueError, "version does not fit in 32 bits");
  return static_cast<std::uint32_t>(value);
}

PyObject* api_table(PyObject*, PyObject* arguments, PyObject* keywords) {
  return guarded([&] {
    static const char* const names[] = {"handler", "version", "previous", nullptr};
    PyObject *handler = nullptr, *version = nullptr, *previous = nullptr;
    parse(arguments, keywords, "O|OO:api_table", names, &handler, &version, &previous);
    abi::Version stated = abi::newest_version;
    if (version != nullptr) {
      const auto [major, minor] = as_pair(version, "version");
      stated = {as_number(major), as_number(minor)};
    }
    auto* const older = previous == nullptr
                            ? nullptr
                            : reinterpret_cast<abi::v1::ExchangeApiHeader*>(as_unsigned(previous, "previous"));
    const std::size_t number = slots_taken++;
    if (number >= slot_count) fail(PyExc_RuntimeError, "a process has at most %zu such tables", slot_count);
    Slot& slot = slots[number];
    Py_INCREF(handler);
    slot.handler = handler;
    slot.api.header = {stated, older};
    fillers[number](slot.api);
    return unsigned_integer(reinterpret_cast<std::uintptr_t>(&slot.api)).release();
  });
}

void idle_destructor(PyObject*) {}

PyObject* api_publish(PyObject*, PyObject* arguments, PyObject* keywords) {
  return guarded([&] {
    static const char* const names[] = {"table", "name", "destructor", nullptr};
    PyObject* table = nullptr;
    const char* name = abi::capsule_name_exchange_api;
    int destructor = 0;
    parse(arguments, keywords, "O|sp:api_publish", names, &table, &name, &destructor);
    auto* const lasting = new std::string(name);  // a capsule keeps only the address of its name
    return Object(PyCapsule_New(reinterpret_cast<void*>(as_unsigned(table, "table")), lasting->c_str(),
                                destructor != 0 ? &idle_destructor : nullptr))
        .release();
  });
}

}  // namespace

PyMethodDef api_table_methods[] = {
    with_keywords(
        "api_table", &api_table,
        "api_table(handler, version=(1, 3), previous=0): the address of a new table, which lives as long as the "
        "process. Its functions call handler.allocate(dtype, shape, device, has_set_error, attached), .export(object, "
        "attached), .import_(capsule, attached), .borrow(object, attached) and .stream(type, id, attached), which give "
        "a capsule, an object, or an integer or None; attached: whether the caller held the interpreter's lock."),
    with_keywords("api_publish", &api_publish,
                  "api_publish(table, name='dlpack_exchange_api', destructor=False): a capsule of a table, for a "
                  "type's attribute."),
    {},
};

}  // namespace dlspec::python
