// look, contents, overwrite: the struct and the elements of a capsule.
#include "capsule.h"

#include "convert.h"
#include "exchange.h"
#include "module.h"

#include <atomic>

#include <dlfcn.h>

#include <dlspec/reference/descriptor/describe.h>
#include <dlspec/reference/descriptor/text.h>
#include <dlspec/reference/rearrange/gather.h>
#include <dlspec/vocabulary/device.h>
#include <dlspec/vocabulary/dtype.h>
#include <dlspec/vocabulary/flags.h>
#include <dlspec/vocabulary/limits.h>
#include <dlspec/vocabulary/status.h>

namespace dlspec::python {
namespace {

bool is_aligned(const void* pointer) { return reinterpret_cast<std::uintptr_t>(pointer) % 8 == 0; }

// The struct's fields beyond the prefix that all major versions share may be read.
bool has_known_fields(const Capsule& capsule) {
  if (!capsule.has_struct() || !is_aligned(capsule.object)) return false;
  return capsule.generation == Generation::legacy || capsule.exported().versioned().version.major == 1;
}

// Every key is present; a field that cannot be read is None.
Object no_facts() {
  static PyObject* const nones = [] {
    Object made(PyDict_New());
    for (const char* name :
         {"generation", "version", "flags", "device", "ndim", "dtype", "dtype_name", "shape", "strides", "byte_offset",
          "data", "null_deleter", "struct", "deleter", "manager_ctx", "text"}) {
      put(made.get(), name, Object::borrowed(Py_None));
    }
    return made.release();
  }();
  return Object(PyDict_Copy(nones));
}

Object address(const void* pointer) { return unsigned_integer(reinterpret_cast<std::uintptr_t>(pointer)); }

template <class Managed>
void put_owner(PyObject* facts, const Managed& managed) {
  put(facts, "null_deleter", boolean(managed.deleter == nullptr));
  put(facts, "deleter", unsigned_integer(reinterpret_cast<std::uintptr_t>(managed.deleter)));
  put(facts, "manager_ctx", address(managed.manager_ctx));
}

void put_prefix(PyObject* facts, const Capsule& capsule) {
  put(facts, "generation", text(generation_name(capsule.generation)));
  put(facts, "struct", address(capsule.object));
  if (!is_aligned(capsule.object)) return;
  if (capsule.generation == Generation::legacy) {
    put_owner(facts, capsule.exported().legacy());
    return;
  }
  const abi::v1::ManagedTensor& managed = capsule.exported().versioned();
  put(facts, "version", pair(managed.version.major, managed.version.minor));
  put(facts, "flags", unsigned_integer(managed.flags));
  put_owner(facts, managed);
}

void put_tensor(PyObject* facts, const abi::Tensor& tensor) {
  const std::int64_t dtype[] = {tensor.dtype.code, tensor.dtype.bits, tensor.dtype.lanes};
  put(facts, "device", pair(tensor.device.device_type, tensor.device.device_id));
  put(facts, "ndim", integer(tensor.ndim));
  put(facts, "dtype", tuple(dtype));
  put(facts, "dtype_name", text(dtype_name(tensor.dtype)));
  put(facts, "byte_offset", unsigned_integer(tensor.byte_offset));
  put(facts, "data", address(tensor.data));
}

bool has_readable_shape(const abi::Tensor& tensor) {
  const bool any = tensor.ndim == 0 || (tensor.shape != nullptr && is_aligned(tensor.shape));
  return any && tensor.ndim >= 0 && tensor.ndim <= max_rank;
}

void put_layout(PyObject* facts, Exported exported) {
  const Descriptor descriptor = reference::describe(exported);
  put(facts, "text", text(reference::print_text(descriptor)));
  if (!has_readable_shape(exported.tensor())) return;
  put(facts, "shape", tuple(descriptor.layout.shape));
  if (descriptor.layout.strides) put(facts, "strides", tuple(*descriptor.layout.strides));
}

// True in a loaded executable or shared library, and false for closures that ctypes and the like make at run time.
bool is_compiled(PyCapsule_Destructor destructor) {
  // Most exports have the destructor of the one before, and looking it up takes as long as half of the facts.
  static std::atomic<PyCapsule_Destructor> last_compiled{nullptr};
  if (destructor == nullptr || destructor == last_compiled) return destructor != nullptr;
  Dl_info info{};
  if (dladdr(reinterpret_cast<void*>(destructor), &info) == 0) return false;
  last_compiled = destructor;
  return true;
}

PyObject* look(PyObject*, PyObject* object) {
  return guarded([&] {
    const Capsule capsule = open_capsule(object);
    Object facts = no_facts();
    put(facts.get(), "name", capsule.name ? text(*capsule.name) : Object::borrowed(Py_None));
    put(facts.get(), "has_destructor", boolean(destructor_of(object) != nullptr));
    put(facts.get(), "compiled_destructor", boolean(is_compiled(destructor_of(object))));
    if (capsule.has_struct()) put_prefix(facts.get(), capsule);
    if (has_known_fields(capsule)) {
      put_tensor(facts.get(), capsule.exported().tensor());
      put_layout(facts.get(), capsule.exported());
    }
    return facts.release();
  });
}

bool is_padded(Exported exported) {
  return exported.generation() == Generation::versioned && (exported.versioned().flags & flags::subbyte_padded) != 0;
}

// The tensor in a capsule, if its elements lie in memory that this process may touch.
Capsule open_host_tensor(PyObject* object) {
  const Capsule capsule = open_unconsumed(object);
  if (!has_known_fields(capsule)) fail(PyExc_BufferError, "the struct cannot be read");
  const abi::Tensor& tensor = capsule.exported().tensor();
  const DeviceRow* const device = find_device(tensor.device.device_type);
  if (device == nullptr || !device->host) fail(PyExc_BufferError, "the elements do not lie in host memory");
  if (!is_aligned(tensor.shape) || !is_aligned(tensor.strides))
    fail(PyExc_BufferError, "shape or strides cannot be read");
  return capsule;
}

void require(Status status) {
  if (status != Status::ok) fail(PyExc_BufferError, "%s", describe(status));
}

PyObject* contents(PyObject*, PyObject* object) {
  return guarded([&] {
    const Exported exported = open_host_tensor(object).exported();
    std::vector<std::uint8_t> gathered;
    require(reference::gather(exported.tensor(), is_padded(exported), gathered));
    return bytes(gathered).release();
  });
}

PyObject* overwrite(PyObject*, PyObject* arguments, PyObject* keywords) {
  return guarded([&] {
    static const char* const names[] = {"capsule", "data", nullptr};
    PyObject* object = nullptr;
    PyObject* data = nullptr;
    parse(arguments, keywords, "OO:overwrite", names, &object, &data);
    const Exported exported = open_host_tensor(object).exported();
    require(reference::scatter(as_bytes(data, "data"), exported.tensor(), is_padded(exported)));
    return none();
  });
}

void release_unconsumed(PyObject* capsule) {
  const ExceptionAside aside;
  for (const Generation generation : {Generation::legacy, Generation::versioned}) {
    const char* const name = capsule_name(generation);
    if (PyCapsule_IsValid(capsule, name) != 0) call_deleter({generation, PyCapsule_GetPointer(capsule, name)});
  }
}

}  // namespace

PyObject* new_capsule(Exported exported) {
  PyObject* const made =
      PyCapsule_New(const_cast<void*>(exported.object()), capsule_name(exported.generation()), &release_unconsumed);
  if (made == nullptr) call_deleter(exported);
  return made;
}

const char* capsule_name(Generation generation) {
  return generation == Generation::versioned ? abi::capsule_name_versioned : abi::capsule_name_legacy;
}

Capsule open_capsule(PyObject* object) {
  if (PyCapsule_CheckExact(object) == 0) fail(PyExc_TypeError, "the object is no capsule");
  Capsule capsule;
  const char* const name = PyCapsule_GetName(object);
  if (name == nullptr && PyErr_Occurred() != nullptr) throw ErrorIsSet{};
  if (name != nullptr) capsule.name = name;
  for (const Generation generation : {Generation::legacy, Generation::versioned}) {
    if (capsule.name != capsule_name(generation)) continue;
    capsule.generation = generation;
    capsule.object = PyCapsule_GetPointer(object, name);
    if (capsule.object == nullptr) throw ErrorIsSet{};
  }
  return capsule;
}

Capsule open_unconsumed(PyObject* object) {
  Capsule capsule = open_capsule(object);
  if (capsule.has_struct()) return capsule;
  if (!capsule.name) fail(PyExc_ValueError, "the capsule has no name");
  fail(PyExc_ValueError, "a capsule named \"%s\" holds no tensor to be taken", capsule.name->c_str());
}

void take_capsule(PyObject* object, Generation generation) {
  const bool versioned = generation == Generation::versioned;
  if (PyCapsule_SetName(object, versioned ? abi::capsule_name_versioned_used : abi::capsule_name_legacy_used) != 0) {
    throw ErrorIsSet{};
  }
}

PyObject* keep_forever(PyObject*, PyObject* object) {
  Py_INCREF(object);
  return none();
}

PyObject* locate(PyObject*, PyObject* object) {
  return guarded([&] {
    const Capsule capsule = open_capsule(object);
    if (!capsule.has_struct()) return none();
    Object found(PyTuple_New(2));
    check(PyTuple_SetItem(found.get(), 0, text(generation_name(capsule.generation)).release()));
    check(
        PyTuple_SetItem(found.get(), 1, unsigned_integer(reinterpret_cast<std::uintptr_t>(capsule.object)).release()));
    return found.release();
  });
}

PyMethodDef capsule_methods[] = {
    {"keep_forever", &keep_forever, METH_O,
     "keep_forever(object): never destroys it, not at the end of the process either."},
    {"locate", &locate, METH_O,
     "locate(capsule): (generation, address) by the capsule's name, nothing of the struct read; None under a name that "
     "is none of DLPack's."},
    {"look", &look, METH_O, "look(capsule): what the capsule and its struct say, as a dictionary. Takes nothing over."},
    {"contents", &contents, METH_O, "contents(capsule): the elements in C order, sub-byte ones packed."},
    with_keywords("overwrite", &overwrite, "overwrite(capsule, data): write the elements through the export."),
    {},
};

}  // namespace dlspec::python
