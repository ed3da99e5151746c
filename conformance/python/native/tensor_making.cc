// Functions that make tensors: from elements, and from a capsule.
#include "capsule.h"
#include "convert.h"
#include "exchange.h"
#include "module.h"

#include <dlspec/reference/descriptor/extent.h>
#include <dlspec/vocabulary/device.h>
#include <dlspec/vocabulary/dtype.h>

namespace dlspec::python {
namespace {

// --- constructors

std::uint64_t bytes_of_elements(std::int64_t elements, abi::DataType dtype) {
  const auto bits = reference::Wide(elements) * element_bits(dtype);
  const auto size = floor_divide(bits, 8).to_uint64();
  if (!size || floor_modulo(bits, 8) != 0)
    fail(PyExc_ValueError, "an offset of that many elements is no whole number of bytes");
  return *size;
}

PyObject* new_tensor(PyObject* module, PyObject* arguments, PyObject* keywords) {
  return guarded([&] {
    static const char* const names[] = {"contents", "dtype", "shape", "strides", "offset", "readonly", nullptr};
    PyObject *contents = nullptr, *dtype = nullptr, *shape = nullptr, *strides = Py_None, *offset = nullptr;
    int readonly = 0;
    parse(arguments, keywords, "OOO|OOp:tensor", names, &contents, &dtype, &shape, &strides, &offset, &readonly);
    Layout layout;
    layout.dtype = as_dtype(dtype, "dtype");
    layout.shape = as_integers(shape, "shape");
    if (strides != Py_None) layout.strides = as_integers(strides, "strides");
    if (offset != nullptr) layout.byte_offset = bytes_of_elements(as_integer(offset, "offset"), layout.dtype);
    std::string problem;
    View made = new_view(layout, as_bytes(contents, "contents"), problem);
    if (made.holding == nullptr) fail(PyExc_ValueError, "%s", problem.c_str());
    made.read_only = readonly != 0;
    return Box<View>::make(state_of(module).tensor_type, std::make_unique<View>(std::move(made)));
  });
}

Capsule open_for_import(PyObject* object) {
  Capsule capsule = open_capsule(object);
  if (capsule.has_struct()) return capsule;
  if (!capsule.name) fail(PyExc_BufferError, "the capsule has no name");
  if (capsule.name == abi::capsule_name_legacy_used || capsule.name == abi::capsule_name_versioned_used) {
    fail(PyExc_BufferError, "the capsule has been consumed already");
  }
  fail(PyExc_BufferError, "a capsule named \"%s\" is none of DLPack's", capsule.name->c_str());
}

// In a struct of a foreign major version only the deleter may be used.
void release_foreign_major(PyObject* object, const Capsule& capsule) {
  const auto address = reinterpret_cast<std::uintptr_t>(capsule.object);
  if (capsule.generation != Generation::versioned || address % alignof(abi::v1::ManagedTensor) != 0) return;
  const abi::Version version = capsule.exported().versioned().version;
  if (version.major == abi::newest_version.major) return;
  take_capsule(object, capsule.generation);
  call_deleter(capsule.exported());
  fail(PyExc_BufferError, "the tensor is of DLPack %u.%u, and dlspec knows major version %u", version.major,
       version.minor, abi::newest_version.major);
}

// Until the capsule is renamed it owns the tensor, and releases it after a refusal; from then on
// `imported` releases it, whatever fails.
PyObject* import_capsule(PyObject* module, PyObject* object) {
  return guarded([&] {
    const Capsule capsule = open_for_import(object);
    release_foreign_major(object, capsule);
    const std::string problem = refusal(capsule.exported());
    if (!problem.empty()) fail(PyExc_BufferError, "%s", problem.c_str());
    auto imported = std::make_shared<Imported>();
    auto made = std::make_unique<View>(view_of(capsule.exported()));
    take_capsule(object, capsule.generation);
    imported->adopt(capsule.exported());
    made->holding = std::move(imported);
    return Box<View>::make(state_of(module).tensor_type, std::move(made));
  });
}

PyObject* device_of_text(PyObject*, PyObject* object) {
  return guarded([&] {
    const std::string name = as_text(object, "device");
    const auto device = parse_device(name);
    if (!device) fail(PyExc_ValueError, "\"%s\" is the name of no device", name.c_str());
    return pair(device->device_type, device->device_id).release();
  });
}

}  // namespace

PyMethodDef tensor_methods[] = {
    with_keywords("tensor", &new_tensor,
                  "tensor(contents, dtype, shape, strides=None, offset=0, readonly=False): a tensor with memory of its "
                  "own. contents: the elements in C order, sub-byte ones packed; strides and offset in elements, the "
                  "offset from the memory's start."),
    {"import_capsule", &import_capsule, METH_O, "import_capsule(capsule): consumes a capsule and gives a Tensor."},
    {"device_of_text", &device_of_text, METH_O, "device_of_text('cuda:1'): the device as a pair."},
    {},
};

}  // namespace dlspec::python
