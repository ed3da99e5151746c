// ledger: what the exports of a sequence must keep to, compared by one call after each step.
#include "capsule.h"
#include "convert.h"
#include "in_flight.h"
#include "module.h"

#include <dlspec/conformance/oracle/ledger.h>

namespace dlspec::python {
namespace {

using conformance::Hands;
using conformance::Ledger;
using conformance::LedgerDeviation;
using conformance::LedgerEntry;

int number_of(PyObject* object) { return static_cast<int>(as_integer(object, "number")); }

// The ledger and an export that it knows.
struct Known {
  Ledger& ledger;
  int number;

  Known(PyObject* self, PyObject* object) : ledger(Box<Ledger>::of(self)), number(number_of(object)) {
    if (!ledger.has(number)) fail(PyExc_ValueError, "no export %d was entered", number);
  }
};

PyObject* facts_of(const LedgerEntry& entry) {
  Object facts(PyTuple_New(7));
  int place = 0;
  const auto add = [&](Object value) { check(PyTuple_SetItem(facts.get(), place++, value.release())); };
  add(text(generation_name(entry.generation)));
  add(unsigned_integer(entry.flags));
  add(unsigned_integer(entry.first));
  add(tuple(entry.shape));
  add(integer(static_cast<std::int64_t>(entry.item)));
  add(boolean(entry.null_deleter));
  add(boolean(entry.compiled_deleter));
  return facts.release();
}

PyObject* enter(PyObject* self, PyObject* arguments) {
  return guarded([&] {
    int number = 0;
    PyObject* object = nullptr;
    if (PyArg_ParseTuple(arguments, "iO:enter", &number, &object) == 0) throw ErrorIsSet{};
    const Capsule capsule = open_unconsumed(object);
    if (reinterpret_cast<std::uintptr_t>(capsule.object) % 8 != 0) return text("its struct is misaligned").release();
    if (capsule.generation == Generation::versioned && capsule.exported().versioned().version.major != 1)
      return text("its major version is not 1").release();
    Ledger& ledger = Box<Ledger>::of(self);
    const std::string why = ledger.enter(number, capsule.exported());
    return why.empty() ? facts_of(ledger.entry(number)) : text(why).release();
  });
}

PyObject* expect(PyObject* self, PyObject* arguments) {
  return guarded([&] {
    PyObject *object = nullptr, *elements = nullptr;
    if (PyArg_ParseTuple(arguments, "OO:expect", &object, &elements) == 0) throw ErrorIsSet{};
    const Known known(self, object);
    return boolean(known.ledger.expect(known.number, as_bytes(elements, "elements"))).release();
  });
}

PyObject* give(PyObject* self, PyObject* arguments) {
  return guarded([&] {
    PyObject* object = nullptr;
    int hands = 0;
    if (PyArg_ParseTuple(arguments, "Oi:give", &object, &hands) == 0) throw ErrorIsSet{};
    if (hands < 0 || hands > 2) fail(PyExc_ValueError, "hands are 0 (ours), 1 (theirs) or 2 (released)");
    const Known known(self, object);
    known.ledger.give(known.number, static_cast<Hands>(hands));
    return none();
  });
}

PyObject* release(PyObject* self, PyObject* arguments) {
  return guarded([&] {
    PyObject* object = nullptr;
    const char* how = "here";
    if (PyArg_ParseTuple(arguments, "O|s:release", &object, &how) == 0) throw ErrorIsSet{};
    const Known known(self, object);
    const std::string_view way = how;
    const auto act = [&] { known.ledger.release(known.number); };
    if (way == "raise") return text(with_exception_in_flight(act)).release();
    if (way == "here") {
      act();
    } else {
      without_gil(way == "thread", act);
    }
    return none();
  });
}

PyObject* take(PyObject*, PyObject* object) {
  return guarded([&] {
    take_capsule(object, open_unconsumed(object).generation);
    return none();
  });
}

// What `body` gives for the export of this number.
template <class Body>
PyObject* with_known(PyObject* self, PyObject* object, Body body) {
  return guarded([&] {
    const Known known(self, object);
    return body(known.ledger, known.number);
  });
}

PyObject* elements(PyObject* self, PyObject* object) {
  return with_known(self, object, [](auto& ledger, auto number) { return bytes(ledger.elements(number)).release(); });
}

PyObject* write(PyObject* self, PyObject* arguments) {
  return guarded([&] {
    PyObject *object = nullptr, *data = nullptr;
    if (PyArg_ParseTuple(arguments, "OO:write", &object, &data) == 0) throw ErrorIsSet{};
    const Known known(self, object);
    const auto given = as_bytes(data, "elements");
    if (!known.ledger.expect(known.number, given)) fail(PyExc_ValueError, "that is another number of bytes");
    known.ledger.write(known.number, given);
    return none();
  });
}

PyObject* calls(PyObject* self, PyObject* object) {
  return with_known(self, object, [](auto& ledger, auto number) { return integer(ledger.calls(number)).release(); });
}

PyObject* forget(PyObject* self, PyObject* object) {
  return with_known(self, object, [](auto& ledger, auto number) {
    ledger.forget(number);
    return none();
  });
}

const char* name_of(LedgerDeviation::What what) {
  switch (what) {
    case LedgerDeviation::What::description: return "description";
    case LedgerDeviation::What::elements: return "elements";
    case LedgerDeviation::What::calls: break;
  }
  return "calls";
}

PyObject* compare(PyObject* self, PyObject*) {
  return guarded([&] {
    const std::optional<LedgerDeviation> found = Box<Ledger>::of(self).check();
    if (!found) return none();
    Object told(PyTuple_New(3));
    check(PyTuple_SetItem(told.get(), 0, integer(found->number).release()));
    check(PyTuple_SetItem(told.get(), 1, text(name_of(found->what)).release()));
    check(PyTuple_SetItem(told.get(), 2, text(found->observed).release()));
    return told.release();
  });
}

PyMethodDef methods[] = {
    {"enter", &enter, METH_VARARGS,
     "enter(number, capsule): follows its struct from now on. (generation, flags, address of the first element, shape, "
     "bytes of an element, whether the deleter is NULL, whether it is compiled), or a text that says why it cannot be "
     "followed."},
    {"expect", &expect, METH_VARARGS, "expect(number, elements): what it must show from now on. False: another size."},
    {"give", &give, METH_VARARGS, "give(number, hands): 0 ours; 1 theirs, who may call the deleter once; 2 released."},
    {"release", &release, METH_VARARGS,
     "release(number, how='here'): calls the deleter: here, unlocked (without the GIL), on a thread, or with an "
     "exception in flight (raise), of which it then says what became."},
    {"take", &take, METH_O, "take(capsule): renames it as a consumer does."},
    {"elements", &elements, METH_O, "elements(number): as they stand in memory now, in C order."},
    {"write", &write, METH_VARARGS, "write(number, elements): through the struct, as its consumer may."},
    {"calls", &calls, METH_O, "calls(number): calls of its deleter."},
    {"forget", &forget, METH_O, "forget(number)"},
    {"check", &compare, METH_NOARGS,
     "check(): None, or (number, 'description', 'elements' or 'calls', text) of the first that is not as it must be."},
    {},
};

PyType_Slot slots[] = {
    {Py_tp_doc, const_cast<char*>("What the live exports of a sequence must keep to.")},
    {Py_tp_new, reinterpret_cast<void*>(&Box<Ledger>::refuse_new)},
    {Py_tp_dealloc, reinterpret_cast<void*>(&Box<Ledger>::destroy)},
    {Py_tp_methods, methods},
    {0, nullptr},
};

PyObject* new_ledger(PyObject* module, PyObject*) {
  return guarded([&] { return Box<Ledger>::make(state_of(module).ledger_type, std::make_unique<Ledger>()); });
}

}  // namespace

PyType_Spec ledger_spec = {"dlspec._native.Ledger", sizeof(Box<Ledger>), 0, Py_TPFLAGS_DEFAULT, slots};

PyMethodDef ledger_methods[] = {
    {"ledger", &new_ledger, METH_NOARGS, "ledger(): a new one."},
    {},
};

}  // namespace dlspec::python
