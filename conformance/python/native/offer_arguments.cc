#include "offer_arguments.h"

#include "convert.h"

#include <string>
#include <utility>

namespace dlspec::python {
namespace {

using conformance::OfferRequest;
using conformance::Placement;

// The arguments of the constructor, in the order of the names.
struct Arguments {
  PyObject* dtype = nullptr;
  PyObject* shape = nullptr;
  PyObject* strides = Py_None;
  PyObject* byte_offset = nullptr;
  PyObject* contents = nullptr;
  PyObject* generation = nullptr;
  PyObject* version = nullptr;
  PyObject* flags = nullptr;
  PyObject* device = nullptr;
  PyObject* code = Py_None;
  PyObject* bits = Py_None;
  PyObject* lanes = Py_None;
  PyObject* ndim = Py_None;
  PyObject* misaligned = nullptr;
  PyObject* manager_ctx = Py_None;
  PyObject* surroundings = nullptr;
  PyObject* placement = nullptr;
  PyObject* data = Py_None;
  int null_data = 0;
  int null_deleter = 0;
  int null_shape = 0;
  int strides_nowhere = 0;
  int prefix_only = 0;
  PyObject* hostile = nullptr;
  int poison_on_release = 1;
  int hooked = 0;
};

Placement as_placement(PyObject* object) {
  const std::string name = as_text(object, "placement");
  if (name == "aligned") return Placement::aligned;
  if (name == "end") return Placement::end;
  if (name == "start") return Placement::start;
  fail(PyExc_ValueError, "placement is aligned, end or start");
}

const conformance::HostileStruct* as_hostile(PyObject* object) {
  const std::string name = as_text(object, "hostile");
  const conformance::HostileStruct* const found = conformance::find_hostile_struct(name);
  if (found == nullptr) fail(PyExc_ValueError, "there is no hostile struct \"%s\"", name.c_str());
  return found;
}

Arguments parse_arguments(PyObject* positional, PyObject* keywords) {
  static const char* const names[] = {"dtype",
                                      "shape",
                                      "strides",
                                      "byte_offset",
                                      "contents",
                                      "generation",
                                      "version",
                                      "flags",
                                      "device",
                                      "code",
                                      "bits",
                                      "lanes",
                                      "ndim",
                                      "misaligned",
                                      "manager_ctx",
                                      "surroundings",
                                      "placement",
                                      "data",
                                      "hostile",
                                      "null_data",
                                      "null_deleter",
                                      "null_shape",
                                      "strides_nowhere",
                                      "prefix_only",
                                      "poison_on_release",
                                      "hooked",
                                      nullptr};
  Arguments a;
  parse(positional, keywords, "OO|OOOOOOOOOOOOOOOOOppppppp:Offer", names, &a.dtype, &a.shape, &a.strides,
        &a.byte_offset, &a.contents, &a.generation, &a.version, &a.flags, &a.device, &a.code, &a.bits, &a.lanes,
        &a.ndim, &a.misaligned, &a.manager_ctx, &a.surroundings, &a.placement, &a.data, &a.hostile, &a.null_data,
        &a.null_deleter, &a.null_shape, &a.strides_nowhere, &a.prefix_only, &a.poison_on_release, &a.hooked);
  return a;
}

template <class Integer>
Integer as_field(PyObject* object, Integer otherwise, const char* what) {
  if (object == Py_None) return otherwise;
  const std::int64_t value = as_integer(object, what);
  if (!std::in_range<Integer>(value)) fail(PyExc_ValueError, "%s does not fit in its field", what);
  return static_cast<Integer>(value);
}

abi::Version as_version(PyObject* object) {
  const auto [major, minor] = as_pair(object, "version");
  if (!std::in_range<std::uint32_t>(major) || !std::in_range<std::uint32_t>(minor)) {
    fail(PyExc_ValueError, "version does not fit in 32 bits");
  }
  return {static_cast<std::uint32_t>(major), static_cast<std::uint32_t>(minor)};
}

Descriptor as_descriptor(const Arguments& a) {
  Descriptor descriptor;
  descriptor.layout.dtype = as_dtype(a.dtype, "dtype");
  descriptor.layout.shape = as_integers(a.shape, "shape");
  if (a.strides != Py_None) descriptor.layout.strides = as_integers(a.strides, "strides");
  if (a.byte_offset != nullptr) descriptor.layout.byte_offset = as_unsigned(a.byte_offset, "byte_offset");
  if (a.generation != nullptr) descriptor.generation = as_generation(a.generation);
  if (a.version != nullptr) descriptor.version = as_version(a.version);
  if (a.flags != nullptr) descriptor.flags = as_unsigned(a.flags, "flags");
  if (a.device != nullptr) descriptor.device = as_device(a.device, "device");
  descriptor.null_data = a.null_data != 0;
  return descriptor;
}

OfferRequest as_request(const Arguments& a, void (*release_hook)()) {
  OfferRequest request;
  request.descriptor = as_descriptor(a);
  if (a.contents != nullptr) {
    const auto contents = as_bytes(a.contents, "contents");
    request.contents.assign(contents.begin(), contents.end());
  }
  const abi::DataType ordered = request.descriptor.layout.dtype;
  request.dtype = abi::DataType{as_field(a.code, ordered.code, "code"), as_field(a.bits, ordered.bits, "bits"),
                                as_field(a.lanes, ordered.lanes, "lanes")};
  if (a.ndim != Py_None) request.ndim = as_field(a.ndim, std::int32_t{0}, "ndim");
  if (a.misaligned != nullptr) request.misaligned = as_field(a.misaligned, std::uint8_t{0}, "misaligned");
  if (a.manager_ctx != Py_None) request.manager_ctx = as_unsigned(a.manager_ctx, "manager_ctx");
  if (a.surroundings != nullptr) request.surroundings = as_unsigned(a.surroundings, "surroundings");
  if (a.placement != nullptr) request.placement = as_placement(a.placement);
  if (a.data != Py_None) request.data = as_unsigned(a.data, "data");
  if (a.hostile != nullptr) request.hostile = as_hostile(a.hostile);
  if (a.hooked != 0) request.on_release = release_hook;
  request.null_shape = a.null_shape != 0;
  request.strides_nowhere = a.strides_nowhere != 0;
  request.prefix_only = a.prefix_only != 0;
  request.null_deleter = a.null_deleter != 0;
  request.poison_on_release = a.poison_on_release != 0;
  return request;
}

}  // namespace

OfferRequest offer_request(PyObject* positional, PyObject* keywords, void (*release_hook)()) {
  return as_request(parse_arguments(positional, keywords), release_hook);
}

}  // namespace dlspec::python
