// cycle, heap_bytes: many exports one after the other, and the memory that they leave allocated.
#include "capsule.h"
#include "convert.h"
#include "exchange.h"
#include "module.h"

#include <chrono>

#include <dlspec/conformance/platform/heap.h>

namespace dlspec::python {
namespace {

using Clock = std::chrono::steady_clock;

// What a consumer does, from the consumption of the capsule to the release.
void consume(PyObject* capsule) {
  const Capsule opened = open_unconsumed(capsule);
  take_capsule(capsule, opened.generation);
  call_deleter(opened.exported());
}

PyObject* cycle(PyObject*, PyObject* arguments, PyObject* keywords) {
  return guarded([&] {
    static const char* const names[] = {"dlpack", "keywords", "count", "least", "consumed", nullptr};
    PyObject* dlpack = nullptr;
    PyObject* given = nullptr;
    long count = 0;
    long least = 0;
    int consumed = 1;
    parse(arguments, keywords, "OOllp:cycle", names, &dlpack, &given, &count, &least, &consumed);
    const Object nothing(PyTuple_New(0));
    constexpr auto patience = std::chrono::milliseconds(100);
    const auto began = Clock::now();
    long done = 0;
    for (; done < count; ++done) {
      if (done >= least && Clock::now() - began > patience) break;
      const Object capsule(PyObject_Call(dlpack, nothing.get(), given));
      if (consumed != 0) consume(capsule.get());
    }
    return integer(done).release();
  });
}

PyObject* heap_bytes(PyObject*, PyObject*) {
  return guarded([&] { return unsigned_integer(conformance::heap_bytes()).release(); });
}

}  // namespace

PyMethodDef cycle_methods[] = {
    with_keywords("cycle", &cycle,
                  "cycle(dlpack, keywords, count, least, consumed): calls dlpack(**keywords) `count` times, and "
                  "consumes and releases each capsule or just drops it. Stops early when that takes long, but not "
                  "before `least`. How often it was done."),
    {"heap_bytes", &heap_bytes, METH_NOARGS, "Bytes in use on the C heap; 0 where the allocator does not say."},
    {},
};

}  // namespace dlspec::python
