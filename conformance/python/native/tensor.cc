// Tensor: dlspec's own array type, a producer through __dlpack__.
#include "capsule.h"
#include "convert.h"
#include "exchange.h"
#include "module.h"

#include <dlspec/conformance/oracle/elements.h>
#include <dlspec/reference/descriptor/extent.h>
#include <dlspec/reference/descriptor/text.h>
#include <dlspec/reference/rearrange/gather.h>
#include <dlspec/vocabulary/device.h>
#include <dlspec/vocabulary/dtype.h>
#include <dlspec/vocabulary/flags.h>
#include <dlspec/vocabulary/status.h>

namespace dlspec::python {
namespace {

const View& view(PyObject* self) { return Box<View>::of(self); }

bool is_on_host(const View& viewed) {
  const DeviceRow* const row = find_device(viewed.device.device_type);
  return row != nullptr && row->host;
}

void require_host(const View& viewed) {
  if (is_on_host(viewed)) return;
  fail(PyExc_BufferError, "the elements lie on %s, where dlspec does not touch them",
       device_text(viewed.device).c_str());
}

std::vector<std::uint8_t> gathered(const View& viewed) {
  require_host(viewed);
  std::vector<std::uint8_t> contents;
  const Status status = conformance::get_elements(viewed.layout, viewed.padded, viewed.data, contents);
  if (status != Status::ok) fail(PyExc_BufferError, "%s", describe(status));
  return contents;
}

std::string text_of(const View& viewed) {
  Descriptor descriptor;
  descriptor.layout = viewed.layout;
  descriptor.device = viewed.device;
  descriptor.flags = viewed.flags();
  descriptor.null_data = viewed.data == nullptr;
  return reference::print_text(descriptor);
}

// --- export

// A compact, writable copy.
View copy_of(const View& viewed) {
  Layout compact = viewed.layout;
  compact.strides.reset();
  compact.byte_offset = 0;
  std::string problem;
  View copy = new_view(compact, gathered(viewed), problem);
  if (copy.holding == nullptr) fail(PyExc_BufferError, "%s", problem.c_str());
  copy.device = viewed.device;
  return copy;
}

// The arguments of __dlpack__.
struct Wish {
  bool versioned = false;
  bool copy = false;
};

void check_stream(const View& viewed, PyObject* stream) {
  if (stream == Py_None) return;
  if (is_on_host(viewed)) fail(PyExc_ValueError, "stream is None for memory of the host");
  // -1: the consumer wants no synchronisation, and dlspec queues no work.
  if (as_integer(stream, "stream") != -1) fail(PyExc_BufferError, "dlspec cannot synchronise with a stream");
}

void check_device(const View& viewed, PyObject* device) {
  if (device == Py_None) return;
  const abi::Device wanted = as_device(device, "dl_device");
  if (wanted == viewed.device) return;
  fail(PyExc_BufferError, "the tensor lies on %s, and dlspec moves nothing to %s", device_text(viewed.device).c_str(),
       device_text(wanted).c_str());
}

Wish understand(const View& viewed, PyObject* stream, PyObject* max_version, PyObject* device, PyObject* copy) {
  check_stream(viewed, stream);
  check_device(viewed, device);
  Wish wish;
  wish.versioned = max_version != Py_None && as_pair(max_version, "max_version").first >= 1;
  wish.copy = copy != Py_None && as_truth(copy);
  return wish;
}

// A legacy struct has no flags for these.
void check_legacy(const View& viewed) {
  if (viewed.read_only) fail(PyExc_BufferError, "a legacy capsule cannot say that the tensor is read-only");
  if (viewed.padded) fail(PyExc_BufferError, "a legacy capsule cannot say that sub-byte elements are padded");
}

PyObject* dlpack(PyObject* self, PyObject* arguments, PyObject* keywords) {
  return guarded([&] {
    static const char* const names[] = {"stream", "max_version", "dl_device", "copy", nullptr};
    PyObject* stream = Py_None;
    PyObject* max_version = Py_None;
    PyObject* device = Py_None;
    PyObject* copy = Py_None;
    parse(arguments, keywords, "|$OOOO:__dlpack__", names, &stream, &max_version, &device, &copy);
    const Wish wish = understand(view(self), stream, max_version, device, copy);
    const View exported = wish.copy ? copy_of(view(self)) : view(self);
    if (wish.versioned) {
      return new_capsule(export_versioned(exported, exported.flags() | (wish.copy ? flags::is_copied : 0)));
    }
    check_legacy(exported);
    return new_capsule(export_legacy(exported));
  });
}

PyObject* dlpack_device(PyObject* self, PyObject*) {
  return guarded([&] { return pair(view(self).device.device_type, view(self).device.device_id).release(); });
}

// --- contents

PyObject* tobytes(PyObject* self, PyObject*) {
  return guarded([&] { return bytes(gathered(view(self))).release(); });
}

PyObject* overwrite(PyObject* self, PyObject* data) {
  return guarded([&] {
    const View& viewed = view(self);
    if (viewed.read_only) fail(PyExc_ValueError, "the tensor is read-only");
    const std::size_t size = gathered(viewed).size();
    const auto given = as_bytes(data, "data");
    if (given.size() != size) fail(PyExc_ValueError, "%zu bytes were given for elements of %zu", given.size(), size);
    conformance::put_elements(viewed.layout, viewed.padded, viewed.data, given);
    return none();
  });
}

PyObject* copy(PyObject* self, PyObject*) {
  return guarded([&] { return Box<View>::make(Py_TYPE(self), std::make_unique<View>(copy_of(view(self)))); });
}

// --- attributes

PyObject* repr(PyObject* self) {
  return guarded([&] { return text(text_of(view(self))).release(); });
}

template <class Get>
PyObject* attribute(PyObject* self, Get get) {
  return guarded([&] { return get(view(self)).release(); });
}

std::uint64_t byte_count(const View& viewed) {
  const auto count = reference::element_count(viewed.layout.shape);
  return byte_size(count, element_bits(viewed.layout.dtype)).to_uint64().value_or(0);
}

PyObject* get_shape(PyObject* self, void*) {
  return attribute(self, [](const View& v) { return tuple(v.layout.shape); });
}
PyObject* get_strides(PyObject* self, void*) {
  return attribute(self, [](const View& v) { return tuple(element_strides(v.layout)); });
}
PyObject* get_byte_offset(PyObject* self, void*) {
  return attribute(self, [](const View& v) { return unsigned_integer(v.layout.byte_offset); });
}
PyObject* get_dtype(PyObject* self, void*) {
  return attribute(self, [](const View& v) { return text(dtype_name(v.layout.dtype)); });
}
PyObject* get_device(PyObject* self, void*) {
  return attribute(self, [](const View& v) { return pair(v.device.device_type, v.device.device_id); });
}
PyObject* get_readonly(PyObject* self, void*) {
  return attribute(self, [](const View& v) { return boolean(v.read_only); });
}
PyObject* get_ndim(PyObject* self, void*) {
  return attribute(self, [](const View& v) { return integer(static_cast<std::int64_t>(v.layout.shape.size())); });
}
PyObject* get_nbytes(PyObject* self, void*) {
  return attribute(self, [](const View& v) { return unsigned_integer(byte_count(v)); });
}

PyMethodDef methods[] = {
    with_keywords("__dlpack__", &dlpack, "__dlpack__(*, stream=None, max_version=None, dl_device=None, copy=None)"),
    {"__dlpack_device__", &dlpack_device, METH_NOARGS, "The device as a pair: type and index."},
    {"tobytes", &tobytes, METH_NOARGS, "The elements in C order, sub-byte ones packed."},
    {"overwrite", &overwrite, METH_O, "overwrite(data): write the elements, given as tobytes gives them."},
    {"copy", &copy, METH_NOARGS, "A compact, writable copy with memory of its own."},
    {},
};

PyGetSetDef attributes[] = {
    attribute_row("shape", &get_shape, "extents"),
    attribute_row("strides", &get_strides, "in elements"),
    attribute_row("byte_offset", &get_byte_offset, "bytes from the data pointer to element (0, ..., 0)"),
    attribute_row("dtype", &get_dtype, "its name"),
    attribute_row("device", &get_device, "type and index, as from __dlpack_device__"),
    attribute_row("readonly", &get_readonly, "the elements may not be written"),
    attribute_row("ndim", &get_ndim, "rank"),
    attribute_row("nbytes", &get_nbytes, "length of tobytes()"),
    {},
};

PyType_Slot slots[] = {
    {Py_tp_doc, const_cast<char*>("A tensor of dlspec's: made by dlspec.tensor or dlspec.from_dlpack.")},
    {Py_tp_new, reinterpret_cast<void*>(&Box<View>::refuse_new)},
    {Py_tp_dealloc, reinterpret_cast<void*>(&Box<View>::destroy)},
    {Py_tp_repr, reinterpret_cast<void*>(&repr)},
    {Py_tp_methods, methods},
    {Py_tp_getset, attributes},
    {0, nullptr},
};

}  // namespace

PyType_Spec tensor_spec = {"dlspec.Tensor", sizeof(Box<View>), 0, Py_TPFLAGS_DEFAULT, slots};

}  // namespace dlspec::python
