// Faulty destructors of capsules and deleters of structs, for the Python exhibits: in Python these could neither run
// without the interpreter's lock nor leave an exception in flight alone.
#include <cstring>
#include <list>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>

#include <dlspec/vocabulary/abi.h>

// The interpreter's functions where there is an interpreter: this library is also loaded without one.
extern "C" {
struct PyObject;
[[gnu::weak]] const char* PyCapsule_GetName(PyObject* capsule);
[[gnu::weak]] void* PyCapsule_GetPointer(PyObject* capsule, const char* name);
[[gnu::weak]] int Py_IsInitialized();
[[gnu::weak]] int PyGILState_Ensure();
[[gnu::weak]] void PyGILState_Release(int state);
[[gnu::weak]] PyObject* PyErr_NoMemory();
[[gnu::weak]] void PyErr_Clear();
[[gnu::weak]] void PyErr_Fetch(PyObject** type, PyObject** value, PyObject** traceback);
[[gnu::weak]] void PyErr_Restore(PyObject* type, PyObject* value, PyObject* traceback);
[[gnu::weak]] void Py_IncRef(PyObject* object);
[[gnu::weak]] void Py_DecRef(PyObject* object);
[[gnu::weak]] PyObject* PySys_GetObject(const char* name);
[[gnu::weak]] PyObject* PyObject_CallFunctionObjArgs(PyObject* callable, ...);
[[gnu::weak]] long PyLong_AsLong(PyObject* object);
}

namespace dlspec::zoo {
namespace {

using Legacy = abi::v0::ManagedTensor;
using Versioned = abi::v1::ManagedTensor;

// The struct in a capsule, and what its name says of it.
struct Held {
  void* managed;
  bool versioned;
  bool used;
};

Held open(PyObject* capsule) {
  const char* const name = PyCapsule_GetName(capsule);
  const std::string_view text = name != nullptr ? name : "";
  return {PyCapsule_GetPointer(capsule, name), text.ends_with("versioned"), text.starts_with("used_")};
}

abi::Tensor& tensor_of(const Held& held) {
  return held.versioned ? static_cast<Versioned*>(held.managed)->dl_tensor
                        : static_cast<Legacy*>(held.managed)->dl_tensor;
}

void release(const Held& held) {
  if (held.versioned) {
    auto* const managed = static_cast<Versioned*>(held.managed);
    if (managed->deleter != nullptr) managed->deleter(managed);
  } else {
    auto* const managed = static_cast<Legacy*>(held.managed);
    if (managed->deleter != nullptr) managed->deleter(managed);
  }
}

// --- deleters that stand before the struct's own

enum Fault { none = 0, keeps_elsewhere = 1, sets_error = 2, sets_error_as_last_owner = 3 };

struct Wrapped {
  void* own;  // the deleter that was there
  Fault fault;
  PyObject* array;
  std::thread::id home;
};

struct Registry {
  std::mutex mutex;
  std::map<void*, Wrapped> structs;
  static Registry& instance() {
    static Registry* const registry = new Registry;  // deleters may come at the very end
    return *registry;
  }
};

Wrapped taken_out(void* managed) {
  Registry& registry = Registry::instance();
  const std::lock_guard lock(registry.mutex);
  const auto found = registry.structs.find(managed);
  const Wrapped wrapped = found->second;
  registry.structs.erase(found);
  return wrapped;
}

// Called from C, sys.getrefcount counts no reference of its own. Without a GIL no field of the object has the number.
// An exception in flight is put aside, with which no function may be called.
bool is_last_reference(PyObject* object) {
  PyObject *type = nullptr, *value = nullptr, *traceback = nullptr;
  PyErr_Fetch(&type, &value, &traceback);
  PyObject* const counted = PyObject_CallFunctionObjArgs(PySys_GetObject("getrefcount"), object, nullptr);
  const long count = PyLong_AsLong(counted);
  Py_DecRef(counted);
  PyErr_Restore(type, value, traceback);
  return count == 1;
}

template <class Managed>
void deleter(Managed* managed) {
  const Wrapped wrapped = taken_out(managed);
  reinterpret_cast<void (*)(Managed*)>(wrapped.own)(managed);
  if (Py_IsInitialized() == 0) return;  // as in the sample of the Python specification
  if (wrapped.fault == keeps_elsewhere && std::this_thread::get_id() != wrapped.home) return;
  const int state = PyGILState_Ensure();
  const bool was_last = is_last_reference(wrapped.array);
  Py_DecRef(wrapped.array);
  if (wrapped.fault == sets_error || (wrapped.fault == sets_error_as_last_owner && was_last)) PyErr_NoMemory();
  PyGILState_Release(state);
}

template <class Managed>
void wrap(void* object, Fault fault, PyObject* array) {
  auto* const managed = static_cast<Managed*>(object);
  Py_IncRef(array);
  Registry& registry = Registry::instance();
  const std::lock_guard lock(registry.mutex);
  registry.structs[object] = {reinterpret_cast<void*>(managed->deleter), fault, array, std::this_thread::get_id()};
  managed->deleter = &deleter<Managed>;
}

}  // namespace
}  // namespace dlspec::zoo

// What the exhibits reach by name. Destructors know whether the capsule was consumed.
extern "C" {

[[gnu::visibility("default")]] void zoo_destructor_idle(PyObject*) {}

[[gnu::visibility("default")]] void zoo_destructor_releases_used(PyObject* capsule) {
  dlspec::zoo::release(dlspec::zoo::open(capsule));
}

[[gnu::visibility("default")]] void zoo_destructor_releases_twice(PyObject* capsule) {
  const auto held = dlspec::zoo::open(capsule);
  if (held.used) return;
  dlspec::zoo::release(held);
  dlspec::zoo::release(held);
}

// As if the memory of a consumed struct had been freed, and used for something else.
[[gnu::visibility("default")]] void zoo_destructor_frees_used(PyObject* capsule) {
  const auto held = dlspec::zoo::open(capsule);
  if (held.used)
    std::memset(held.managed, 0xDD, 16);
  else
    dlspec::zoo::release(held);
}

[[gnu::visibility("default")]] void zoo_destructor_clears_memory(PyObject* capsule) {
  const auto held = dlspec::zoo::open(capsule);
  if (held.used) return;
  const bool writable = !held.versioned || (static_cast<dlspec::zoo::Versioned*>(held.managed)->flags & 1) == 0;
  auto* const data = static_cast<char*>(dlspec::zoo::tensor_of(held).data);
  if (writable && data != nullptr) data[0] = static_cast<char>(~data[0]);
  dlspec::zoo::release(held);
}

// Reachable, so that leak checkers have nothing to say.
[[gnu::visibility("default")]] void zoo_destructor_leaves_memory(PyObject* capsule) {
  const auto held = dlspec::zoo::open(capsule);
  if (held.used) return;
  dlspec::zoo::release(held);
  static std::list<std::string> left;
  left.emplace_back(64, ' ');
}

[[gnu::visibility("default")]] void zoo_destructor_clears_error(PyObject* capsule) {
  const auto held = dlspec::zoo::open(capsule);
  if (!held.used) dlspec::zoo::release(held);
  PyErr_Clear();
}

// As a consumer that does not look whether there is one.
[[gnu::visibility("default")]] void zoo_call_deleter(void* managed, int versioned) {
  using namespace dlspec::zoo;
  if (versioned != 0)
    static_cast<Versioned*>(managed)->deleter(static_cast<Versioned*>(managed));
  else
    static_cast<Legacy*>(managed)->deleter(static_cast<Legacy*>(managed));
}

// The struct's deleter also drops a reference to `array`, which it takes here, and has this fault.
[[gnu::visibility("default")]] void zoo_wrap_deleter(void* managed, int versioned, int fault, PyObject* array) {
  using namespace dlspec::zoo;
  if (versioned != 0)
    wrap<Versioned>(managed, static_cast<Fault>(fault), array);
  else
    wrap<Legacy>(managed, static_cast<Fault>(fault), array);
}
}
