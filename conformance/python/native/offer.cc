// Offer: dlspec's own tensor, in capsules for consumers.
#include "capsule.h"
#include "convert.h"
#include "exchange.h"
#include "module.h"
#include "offer_arguments.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <optional>
#include <set>
#include <unordered_map>

#include <dlspec/conformance/oracle/offer.h>

namespace dlspec::python {
namespace {

using conformance::Offer;
using conformance::OfferCounts;

// An offer and the counts of its capsules. Capsules share it, because they may outlive the Python
// object.
struct CapsuleOffer {
  std::unique_ptr<Offer> offer;
  std::atomic<int> destructor_calls{0};
  std::atomic<int> released_capsules{0};  // dropped unconsumed
};
using SharedOffer = std::shared_ptr<CapsuleOffer>;

// The context of a capsule of ours, which carries the number. Kept by the struct's address: when a foreign
// destructor replaced ours, the context is dropped as soon as the address is reused.
struct CapsuleContext {
  SharedOffer offer;
  Exported exported;
  std::uintptr_t number;
};

struct CapsuleContexts {
  std::mutex mutex;
  std::unordered_map<const void*, CapsuleContext> by_struct;
};
CapsuleContexts& capsule_contexts() {
  static auto* contexts = new CapsuleContexts;
  return *contexts;
}

// Takes the context of a dying capsule; none when another capsule has replaced it.
std::optional<CapsuleContext> take_context(PyObject* capsule) {
  const char* const name = PyCapsule_GetName(capsule);
  const void* const self = PyCapsule_GetPointer(capsule, name);
  const auto number = reinterpret_cast<std::uintptr_t>(PyCapsule_GetContext(capsule));
  CapsuleContexts& contexts = capsule_contexts();
  const std::lock_guard lock(contexts.mutex);
  const auto found = contexts.by_struct.find(self);
  if (found == contexts.by_struct.end() || found->second.number != number) return std::nullopt;
  CapsuleContext context = found->second;
  contexts.by_struct.erase(found);
  return context;
}

SharedOffer& offer_of(PyObject* self) { return Box<SharedOffer>::of(self); }

bool is_used(const char* name) { return name != nullptr && std::string_view(name).substr(0, 5) == "used_"; }

// The capsule's destructor: releases an unconsumed tensor, as the Python specification demands.
void destroy_capsule(PyObject* capsule) {
  const ExceptionAside aside;
  const char* const name = PyCapsule_GetName(capsule);
  const std::optional<CapsuleContext> context = take_context(capsule);
  if (!context) {
    PyErr_Clear();
    return;
  }
  ++context->offer->destructor_calls;
  if (is_used(name)) return;
  ++context->offer->released_capsules;
  Offer::leave_to_capsule(context->exported.object());
  call_deleter(context->exported);
}

PyObject* repeated_releases(PyObject*, PyObject*) {
  return guarded([&] { return integer(Offer::all_repeated_calls()).release(); });
}

PyObject* releases(PyObject*, PyObject*) {
  return guarded([&] { return integer(Offer::all_releases()).release(); });
}

// CPython keeps the pointer only, and a capsule may outlive the module.
const char* lasting(const std::string& name) {
  static auto* names = new std::set<std::string>;
  static std::mutex mutex;
  const std::lock_guard lock(mutex);
  return names->insert(name).first->c_str();
}

PyObject* capsule(PyObject* self, PyObject* arguments, PyObject* keywords) {
  return guarded([&] {
    static const char* const names[] = {"name", nullptr};
    PyObject* given = Py_None;
    parse(arguments, keywords, "|O:capsule", names, &given);
    const SharedOffer& offer = offer_of(self);
    const char* const ordinary = capsule_name(offer->offer->request().descriptor.generation);
    const char* const name = given == Py_None ? ordinary : lasting(as_text(given, "name"));
    static std::atomic<std::uintptr_t> last_number{0};
    const CapsuleContext context{offer, offer->offer->share(), ++last_number};
    Object made(PyCapsule_New(const_cast<void*>(context.exported.object()), name, nullptr));
    check(PyCapsule_SetContext(made.get(), reinterpret_cast<void*>(context.number)));
    {
      CapsuleContexts& contexts = capsule_contexts();
      const std::lock_guard lock(contexts.mutex);
      contexts.by_struct.insert_or_assign(context.exported.object(), context);
    }
    check(PyCapsule_SetDestructor(made.get(), &destroy_capsule));
    return made.release();
  });
}

// The function that deleters of hooked offers call.
PyObject* release_hook = nullptr;
std::mutex release_hook_mutex;

// A reference of the caller's own, or NULL.
PyObject* taken_hook() {
  const std::lock_guard lock(release_hook_mutex);
  Py_XINCREF(release_hook);
  return release_hook;
}

// On whatever thread the deleter was called, with or without the GIL.
void call_release_hook() {
  if (interpreter_has_ended()) return;
  const PyGILState_STATE state = PyGILState_Ensure();
  if (PyObject* const hook = taken_hook(); hook != nullptr) {
    const ExceptionAside aside;
    Py_XDECREF(PyObject_CallFunction(hook, nullptr));
    PyErr_Clear();
    Py_DECREF(hook);
  }
  PyGILState_Release(state);
}

PyObject* set_quarantine(PyObject*, PyObject* object) {
  return guarded([&] {
    Offer::set_quarantine(static_cast<std::size_t>(as_unsigned(object, "count")));
    return none();
  });
}

PyObject* set_release_hook(PyObject*, PyObject* object) {
  return guarded([&] {
    PyObject* const made = object == Py_None ? nullptr : object;
    Py_XINCREF(made);
    PyObject* old = nullptr;
    {
      const std::lock_guard lock(release_hook_mutex);
      old = std::exchange(release_hook, made);
    }
    Py_XDECREF(old);
    return none();
  });
}

PyObject* new_offer(PyTypeObject* type, PyObject* positional, PyObject* keywords) {
  return guarded([&] {
    std::string problem;
    auto offer = Offer::make(offer_request(positional, keywords, &call_release_hook), problem);
    if (offer == nullptr) fail(PyExc_ValueError, "%s", problem.c_str());
    auto shared = std::make_shared<CapsuleOffer>();
    shared->offer = std::move(offer);
    return Box<SharedOffer>::make(type, std::make_unique<SharedOffer>(std::move(shared)));
  });
}

PyObject* struct_intact(PyObject* self, PyObject*) {
  return guarded([&] { return boolean(offer_of(self)->offer->struct_intact()).release(); });
}

PyObject* memory_intact(PyObject* self, PyObject*) {
  return guarded([&] { return boolean(offer_of(self)->offer->memory_intact()).release(); });
}

PyObject* close_on_release(PyObject* self, PyObject*) {
  return guarded([&] {
    offer_of(self)->offer->close_on_release();
    return none();
  });
}

PyObject* let_write(PyObject* self, PyObject*) {
  return guarded([&] {
    offer_of(self)->offer->let_write();
    return none();
  });
}

PyObject* contents(PyObject* self, PyObject*) {
  return guarded([&] { return bytes(offer_of(self)->offer->contents()).release(); });
}

template <int OfferCounts::* count>
PyObject* get_count(PyObject* self, void*) {
  return guarded([&] { return integer(offer_of(self)->offer->counts().*count).release(); });
}

template <std::atomic<int> CapsuleOffer::* count>
PyObject* get_capsule_count(PyObject* self, void*) {
  return guarded([&] { return integer(((*offer_of(self)).*count).load()).release(); });
}

PyObject* get_data_address(PyObject* self, void*) {
  return guarded(
      [&] { return unsigned_integer(reinterpret_cast<std::uintptr_t>(offer_of(self)->offer->data())).release(); });
}

PyMethodDef methods[] = {
    with_keywords("capsule", &capsule,
                  "capsule(name=None): a new capsule with a managed struct of its own; any name may be ordered."),
    {"struct_intact", &struct_intact, METH_NOARGS,
     "No struct, shape or strides were written to, before or after the release."},
    {"memory_intact", &memory_intact, METH_NOARGS,
     "No byte beside the elements was written to, and after the last release none at all."},
    {"close_on_release", &close_on_release, METH_NOARGS,
     "From now on a release makes struct, shape, strides and data untouchable: whoever reads them then ends the "
     "process."},
    {"let_write", &let_write, METH_NOARGS, "READ_ONLY data may be written from now on; before, that ends the process."},
    {"contents", &contents, METH_NOARGS, "The elements as they are, or as they were at the last release."},
    {},
};

PyGetSetDef attributes[] = {
    attribute_row("exports", &get_count<&OfferCounts::exports>, "structs made"),
    attribute_row("live_exports", &get_count<&OfferCounts::live>, "structs not released yet"),
    attribute_row("deleter_calls", &get_count<&OfferCounts::deleter_calls>, "all calls of a deleter"),
    attribute_row("repeated_calls", &get_count<&OfferCounts::repeated_calls>, "calls for a struct released before"),
    attribute_row("wrong_self", &get_count<&OfferCounts::wrong_self>, "calls with the address of something else"),
    attribute_row("foreign_thread_calls", &get_count<&OfferCounts::foreign_thread_calls>, "calls from other threads"),
    attribute_row("altered_structs", &get_count<&OfferCounts::altered_structs>,
                  "structs written to before the release"),
    attribute_row("late_writes", &get_count<&OfferCounts::late_writes>, "writes after the release"),
    attribute_row("destructor_calls", &get_capsule_count<&CapsuleOffer::destructor_calls>, "capsules destroyed"),
    attribute_row("released_capsules", &get_capsule_count<&CapsuleOffer::released_capsules>,
                  "capsules destroyed untaken"),
    attribute_row("data_address", &get_data_address, "where the memory starts"),
    {},
};

PyType_Slot slots[] = {
    {Py_tp_doc,
     const_cast<char*>(
         "Offer(dtype, shape, strides=None, byte_offset=0, contents=b'', generation='versioned', version=(1, 3), "
         "flags=0, device=(1, 0), code=None, bits=None, lanes=None, ndim=None, misaligned=0, manager_ctx=None, "
         "surroundings=0, placement='aligned', hostile=None, null_data=False, null_deleter=False, null_shape=False, "
         "strides_nowhere=False, prefix_only=False, poison_on_release=True, hooked=False)\n\n"
         "dlspec's own tensor for consumers. strides=None makes them NULL in the struct, whatever the version. code, "
         "bits, lanes and ndim go into the struct in place of what dtype and shape say. misaligned: bytes from a "
         "multiple of 256 to data. surroundings: each word of the memory around a legacy struct. hostile: the name of "
         "what is spoilt. strides_nowhere: who reads a stride of a scalar ends the process. prefix_only: who reads "
         "beyond the flags ends the process.")},
    {Py_tp_new, reinterpret_cast<void*>(&new_offer)},
    {Py_tp_dealloc, reinterpret_cast<void*>(&Box<SharedOffer>::destroy)},
    {Py_tp_methods, methods},
    {Py_tp_getset, attributes},
    {0, nullptr},
};

}  // namespace

PyMethodDef offer_methods[] = {
    {"releases", &releases, METH_NOARGS, "Exports of offers that were released, in the whole process."},
    {"repeated_releases", &repeated_releases, METH_NOARGS,
     "Calls of deleters, in the whole process, with structs of offers that had been released before, none of both "
     "times by the destructor of a capsule."},
    {"set_quarantine", &set_quarantine, METH_O, "set_quarantine(count): how many released exports of offers are kept."},
    {"set_release_hook", &set_release_hook, METH_O,
     "set_release_hook(callable or None): what deleters of offers made with hooked=True call, with the GIL."},
    {},
};

PyType_Spec offer_spec = {"dlspec._native.Offer", sizeof(Box<SharedOffer>), 0, Py_TPFLAGS_DEFAULT, slots};

}  // namespace dlspec::python
