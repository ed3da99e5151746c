// watch: a spy in the place of a struct's deleter, and the acts of a consumer.
#include "capsule.h"
#include "convert.h"
#include "in_flight.h"
#include "module.h"

#include <atomic>
#include <map>
#include <mutex>
#include <vector>

#include <dlspec/conformance/oracle/kept_registers.h>
#include <dlspec/conformance/oracle/watch.h>

namespace dlspec::python {
namespace {

using conformance::Watch;
using conformance::WatchCounts;

// The watch on a capsule's struct, and the capsule for as long as it lives: the watch does not keep it
// alive, because cases drop it to observe its destructor.
struct CapsuleWatch {
  std::shared_ptr<Watch> watch;
  Generation generation = Generation::legacy;
  std::atomic<PyObject*> capsule{nullptr};  // borrowed; NULL once it is destroyed

  ~CapsuleWatch();
};

// Capsules with a watch, and the destructor that each had before ours.
struct Watched {
  CapsuleWatch* watch;  // NULL when the watch is gone
  PyCapsule_Destructor destructor;
};
std::map<PyObject*, Watched>& watched_capsules() {
  static auto* capsules = new std::map<PyObject*, Watched>;
  return *capsules;
}
std::mutex watched_mutex;  // of the map, and of the watches that it leads to

CapsuleWatch::~CapsuleWatch() {
  const std::lock_guard lock(watched_mutex);
  const auto found = watched_capsules().find(capsule);
  if (found != watched_capsules().end() && found->second.watch == this) found->second.watch = nullptr;
}

// Takes the row of a dying capsule; its watch knows then that it is gone.
PyCapsule_Destructor forget_capsule(PyObject* capsule) {
  const std::lock_guard lock(watched_mutex);
  const auto found = watched_capsules().find(capsule);
  if (found == watched_capsules().end()) return nullptr;
  const Watched watched = found->second;
  watched_capsules().erase(found);
  if (watched.watch != nullptr) watched.watch->capsule = nullptr;
  return watched.destructor;
}

// Records that the capsule is gone, and calls its own destructor.
void notice_destruction(PyObject* capsule) {
  if (const PyCapsule_Destructor own = forget_capsule(capsule)) own(capsule);
}

void follow_capsule(CapsuleWatch& watch, PyObject* capsule) {
  const PyCapsule_Destructor own = destructor_of(capsule);
  if (PyCapsule_SetDestructor(capsule, &notice_destruction) != 0) throw ErrorIsSet{};
  const std::lock_guard lock(watched_mutex);
  watch.capsule = capsule;
  watched_capsules()[capsule] = {&watch, own};
}

PyObject* watch(PyObject* module, PyObject* object) {
  return guarded([&] {
    const Capsule capsule = open_unconsumed(object);
    auto made = std::make_unique<CapsuleWatch>();
    made->generation = capsule.generation;
    made->watch = Watch::attach(capsule.exported());
    if (made->watch == nullptr) fail(PyExc_ValueError, "the capsule's struct is watched already");
    follow_capsule(*made, object);
    return Box<CapsuleWatch>::make(state_of(module).watch_type, std::move(made));
  });
}

PyObject* take(PyObject* self, PyObject*) {
  return guarded([&] {
    const CapsuleWatch& watch = Box<CapsuleWatch>::of(self);
    if (watch.capsule == nullptr) fail(PyExc_ValueError, "the capsule is gone");
    (void)open_unconsumed(watch.capsule);
    take_capsule(watch.capsule, watch.generation);
    return none();
  });
}

PyObject* release(PyObject* self, PyObject* arguments, PyObject* keywords) {
  return guarded([&] {
    static const char* const names[] = {"gil", "thread", "exception", nullptr};
    int gil = 1;
    int thread = 0;
    int exception = 0;
    parse(arguments, keywords, "|ppp:release", names, &gil, &thread, &exception);
    const std::shared_ptr<Watch> watch = Box<CapsuleWatch>::of(self).watch;
    if (exception != 0) return text(with_exception_in_flight([&] { watch->release(); })).release();
    if (gil == 0 || thread != 0) {
      without_gil(thread != 0, [&] { watch->release(); });
    } else {
      watch->release();
    }
    return none();
  });
}

PyObject* drop_in_flight(PyObject*, PyObject* list) {
  return guarded([&] {
    if (PyList_Check(list) == 0 || PyList_Size(list) != 1) fail(PyExc_TypeError, "a list of one object is wanted");
    Object last = Object::borrowed(PyList_GetItem(list, 0));
    check(PyList_SetSlice(list, 0, 1, nullptr));
    return text(with_exception_in_flight([&] { Py_DECREF(last.release()); })).release();
  });
}

template <int WatchCounts::* count>
PyObject* get_count(PyObject* self, void*) {
  return guarded([&] { return integer(Box<CapsuleWatch>::of(self).watch->counts().*count).release(); });
}

PyObject* get_alive(PyObject* self, void*) {
  return guarded([&] { return boolean(Box<CapsuleWatch>::of(self).capsule != nullptr).release(); });
}

PyObject* get_null_deleter(PyObject* self, void*) {
  return guarded([&] { return boolean(Box<CapsuleWatch>::of(self).watch->null_deleter()).release(); });
}

template <std::string WatchCounts::* word>
PyObject* get_word(PyObject* self, void*) {
  return guarded([&] { return text(Box<CapsuleWatch>::of(self).watch->counts().*word).release(); });
}

PyObject* get_compiled(PyObject* self, void*) {
  return guarded([&] { return boolean(Box<CapsuleWatch>::of(self).watch->compiled()).release(); });
}

// Released after the interpreter has ended.
std::vector<std::shared_ptr<Watch>>& held_watches() {
  static auto* held = new std::vector<std::shared_ptr<Watch>>;
  return *held;
}

PyObject* hold(PyObject* self, PyObject*) {
  return guarded([&] {
    const std::lock_guard lock(watched_mutex);
    held_watches().push_back(Box<CapsuleWatch>::of(self).watch);
    return none();
  });
}

PyObject* stray_calls(PyObject*, PyObject*) {
  return guarded([&] { return integer(Watch::stray_calls()).release(); });
}

PyObject* get_sees_registers(PyObject*, void*) {
  return guarded([] { return boolean(!conformance::kept_registers().empty()).release(); });
}

PyMethodDef methods[] = {
    {"hold", &hold, METH_NOARGS,
     "Keeps the struct, whose deleter is called when the interpreter has ended; both is said on the channel."},
    {"take", &take, METH_NOARGS, "Renames the capsule as a consumer does: the struct is the caller's to release."},
    with_keywords("release", &release,
                  "release(gil=True, thread=False, exception=False): calls the struct's deleter, once. Without the "
                  "GIL; on a thread that Python does not know, without the GIL; or with an exception in flight: then "
                  "the answer is \"kept\", \"cleared\" or \"replaced\"."),
    {},
};

PyGetSetDef attributes[] = {
    attribute_row("calls", &get_count<&WatchCounts::calls>, "calls of the struct's deleter"),
    attribute_row("finished", &get_count<&WatchCounts::finished>, "calls that came back from the producer's deleter"),
    attribute_row("repeated_calls", &get_count<&WatchCounts::repeated_calls>, "calls after the first"),
    attribute_row("wrong_self", &get_count<&WatchCounts::wrong_self>, "calls with the address of something else"),
    attribute_row("foreign_thread_calls", &get_count<&WatchCounts::foreign_thread_calls>, "calls from other threads"),
    attribute_row("null_deleter", &get_null_deleter, "the struct has no deleter: nothing is counted"),
    attribute_row("threw", &get_word<&WatchCounts::threw>,
                  "the type of a C++ exception that the deleter let out, or \"\""),
    attribute_row("damaged", &get_word<&WatchCounts::damaged>,
                  "registers that the deleter changed and has to keep, or \"\""),
    attribute_row("sees_registers", &get_sees_registers, "which registers a function keeps is known of this processor"),
    attribute_row("compiled", &get_compiled, "the deleter is part of a loaded file"),
    attribute_row("capsule_alive", &get_alive, "the capsule has not been destroyed"),
    {},
};

PyType_Slot slots[] = {
    {Py_tp_doc, const_cast<char*>("A counting deleter in the place of a producer's own.")},
    {Py_tp_new, reinterpret_cast<void*>(&Box<CapsuleWatch>::refuse_new)},
    {Py_tp_dealloc, reinterpret_cast<void*>(&Box<CapsuleWatch>::destroy)},
    {Py_tp_methods, methods},
    {Py_tp_getset, attributes},
    {0, nullptr},
};

}  // namespace

void release_held() noexcept {
  for (const std::shared_ptr<Watch>& watch : held_watches()) {
    report_exit("entered");
    watch->release();
    report_exit("returned");
  }
}

PyCapsule_Destructor destructor_of(PyObject* object) {
  const PyCapsule_Destructor present = PyCapsule_GetDestructor(object);
  if (present == nullptr && PyErr_Occurred() != nullptr) throw ErrorIsSet{};
  if (present != &notice_destruction) return present;
  const std::lock_guard lock(watched_mutex);
  const auto found = watched_capsules().find(object);
  return found != watched_capsules().end() ? found->second.destructor : nullptr;
}

PyType_Spec watch_spec = {"dlspec._native.Watch", sizeof(Box<CapsuleWatch>), 0, Py_TPFLAGS_DEFAULT, slots};

PyMethodDef watch_methods[] = {
    {"watch", &watch, METH_O, "watch(capsule): puts a counting deleter into the struct of an unconsumed capsule."},
    {"drop_in_flight", &drop_in_flight, METH_O,
     "drop_in_flight([object]): empties the list and drops the object with an exception in flight. What became of "
     "that: \"kept\", \"cleared\" or \"replaced\"."},
    {"stray_calls", &stray_calls, METH_NOARGS, "Calls of a counting deleter with a pointer that leads nowhere."},
    {},
};

}  // namespace dlspec::python
