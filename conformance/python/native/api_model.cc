// The C exchange table of dlspec's own tensor: a model that uses nothing but C++ and the few calls of Python that it
// names. Functions that take or give an object are called with the interpreter's lock; the allocator needs none.
//
// Source: dlpack.h 1.3, DLPackExchangeAPI. Where the text is silent: after a failure nothing is put out, and the tensor
// of a failed import stays the caller's.
#include "convert.h"
#include "exchange.h"
#include "module.h"

#include <dlspec/reference/descriptor/extent.h>
#include <dlspec/vocabulary/device.h>
#include <dlspec/vocabulary/dtype.h>
#include <dlspec/vocabulary/limits.h>

namespace dlspec::python {
namespace {

using Managed = abi::v1::ManagedTensor;
using SetError = void (*)(void*, const char*, const char*);

// Imports make objects of this type: that of the module which was initialised last.
PyTypeObject* imported_type = nullptr;

View& view_in(void* object) {
  auto* const self = static_cast<PyObject*>(object);
  const auto destroy = reinterpret_cast<destructor>(PyType_GetSlot(Py_TYPE(self), Py_tp_dealloc));
  if (destroy != &Box<View>::destroy) fail(PyExc_TypeError, "the object is no tensor of dlspec's");
  return Box<View>::of(self);
}

// A tensor of zeros after the prototype, whose data, strides and byte_offset have no meaning; or a problem.
Managed* new_tensor(const abi::Tensor& prototype, std::string& problem) {
  const bool is_host = prototype.device.device_type == 1;
  if (!is_host || prototype.ndim < 0 || prototype.ndim > max_rank) {
    problem = is_host ? "no tensor has that rank" : "dlspec makes tensors in host memory only";
    return nullptr;
  }
  Layout layout;
  layout.dtype = prototype.dtype;
  layout.shape.assign(prototype.shape, prototype.shape + prototype.ndim);
  for (const std::int64_t extent : layout.shape) {
    if (extent < 0) problem = "an extent is negative";
  }
  const auto size = byte_size(reference::element_count(layout.shape), element_bits(layout.dtype)).to_uint64();
  if (!size || *size > std::uint64_t{1} << 40) problem = "no memory holds so many elements";
  if (find_dtype_code(layout.dtype.code) == nullptr) problem = "dlspec knows no such dtype";
  if (!problem.empty()) return nullptr;
  const View made = new_view(layout, std::vector<std::uint8_t>(*size), problem);
  return made.holding != nullptr ? export_versioned(made, 0) : nullptr;
}

int allocate(abi::Tensor* prototype, Managed** out, void* context, SetError set_error) noexcept {
  std::string problem;
  const char* kind = "BufferError";
  try {
    if (Managed* const made = new_tensor(*prototype, problem)) {
      *out = made;
      return 0;
    }
  } catch (...) {
    kind = "MemoryError";
  }
  set_error(context, kind, problem.empty() ? "no memory is left for these elements" : problem.c_str());
  return -1;
}

int from_object(void* object, Managed** out) noexcept {
  return guarded(
      [&] {
        const View& view = view_in(object);
        *out = export_versioned(view, view.flags());
        return 0;
      },
      -1);
}

int to_object(Managed* tensor, void** out) noexcept {
  return guarded(
      [&] {
        const Exported exported{Generation::versioned, tensor};
        if (tensor->version.major != abi::newest_version.major) fail(PyExc_BufferError, "another major version");
        const std::string problem = refusal(exported);
        if (!problem.empty()) fail(PyExc_BufferError, "%s", problem.c_str());
        auto made = std::make_unique<View>(view_of(exported));
        auto imported = std::make_shared<Imported>();
        made->holding = imported;
        *out = Box<View>::make(imported_type, std::move(made));
        imported->adopt(exported);
        return 0;
      },
      -1);
}

// Shape and strides lie in the object, which has to be kept for as long as they are read.
int borrow(void* object, abi::Tensor* out) noexcept {
  return guarded(
      [&] {
        View& view = view_in(object);
        if (!view.layout.strides) view.layout.strides = element_strides(view.layout);
        const bool empty = reference::is_empty(view.layout.shape);
        out->data = empty ? nullptr : view.data;
        out->device = view.device;
        out->ndim = static_cast<std::int32_t>(view.layout.shape.size());
        out->dtype = view.layout.dtype;
        out->shape = view.layout.shape.data();
        out->strides = view.layout.strides->data();
        out->byte_offset = empty ? 0 : view.layout.byte_offset;
        return 0;
      },
      -1);
}

// dlspec queues no work: no device has a stream of its own.
int current_stream(std::int32_t device_type, std::int32_t, void** out) noexcept {
  if (find_device(device_type) == nullptr) {
    PyErr_SetString(PyExc_BufferError, "dlspec knows no such device");
    return -1;
  }
  *out = nullptr;
  return 0;
}

abi::v1::ExchangeApi table{
    {abi::newest_version, nullptr}, &allocate, &from_object, &to_object, &borrow, &current_stream};

}  // namespace

void publish_table(PyTypeObject* type) {
  imported_type = type;
  const Object capsule(PyCapsule_New(&table, abi::capsule_name_exchange_api, nullptr));
  check(PyObject_SetAttrString(reinterpret_cast<PyObject*>(type), "__dlpack_c_exchange_api__", capsule.get()));
}

}  // namespace dlspec::python
