// rule, mitigation, vocabulary: dlspec's tables for Python, so that Python need not restate them.
#include "tables.h"
#include "convert.h"
#include "module.h"

#include <cstddef>

#include <dlspec/conformance/oracle/hostile_structs.h>
#include <dlspec/vocabulary/device.h>
#include <dlspec/vocabulary/dtype.h>
#include <dlspec/vocabulary/flags.h>
#include <dlspec/vocabulary/mitigations.h>

namespace dlspec::python {

void put_rule(PyObject* facts, const Rule& row) {
  put(facts, "rule", text(row.id));
  put(facts, "title", text(row.title));
  put(facts, "level", text(level_name(row.level)));
  put(facts, "source", text(row.source));
  put(facts, "requirement", text(row.requirement));
}

namespace {

// The year of the array API edition that a rule comes from; None for rules that hold for every library.
Object edition_of(const Rule& row) {
  if (row.interval.scope != Interval::Scope::array_api) return Object(none());
  return integer(row.interval.first.major);
}

PyObject* rule_facts(PyObject*, PyObject* object) {
  return guarded([&] {
    const std::string id = as_text(object, "rule");
    const Rule* const row = find_rule(id);
    if (row == nullptr) fail(PyExc_ValueError, "there is no rule \"%s\"", id.c_str());
    Object facts(PyDict_New());
    put_rule(facts.get(), *row);
    put(facts.get(), "edition", edition_of(*row));
    put(facts.get(), "violated", text(verdict_name(row->violated)));
    return facts.release();
  });
}

PyObject* mitigation_verdict(PyObject*, PyObject* object) {
  return guarded([&] {
    const std::string id = as_text(object, "mitigation");
    const Mitigation* const row = find_mitigation(id);
    if (row == nullptr) fail(PyExc_ValueError, "there is no mitigation \"%s\"", id.c_str());
    return text(verdict_name(row->verdict)).release();
  });
}

template <class Row, std::size_t Count, class Value>
Object by_name(const Row (&table)[Count], Value Row::* value) {
  Object values(PyDict_New());
  for (const Row& row : table) put(values.get(), row.name, integer(static_cast<std::int64_t>(row.*value)));
  return values;
}

template <class Managed>
Object managed_offsets() {
  Object offsets(PyDict_New());
  put(offsets.get(), "size", integer(sizeof(Managed)));
  put(offsets.get(), "dl_tensor", integer(offsetof(Managed, dl_tensor)));
  put(offsets.get(), "manager_ctx", integer(offsetof(Managed, manager_ctx)));
  put(offsets.get(), "deleter", integer(offsetof(Managed, deleter)));
  return offsets;
}

// Bytes from the start of a struct to its members.
Object offsets() {
  Object tensor(PyDict_New());
  put(tensor.get(), "size", integer(sizeof(abi::Tensor)));
  put(tensor.get(), "device", integer(offsetof(abi::Tensor, device)));
  put(tensor.get(), "ndim", integer(offsetof(abi::Tensor, ndim)));
  put(tensor.get(), "dtype", integer(offsetof(abi::Tensor, dtype)));
  put(tensor.get(), "shape", integer(offsetof(abi::Tensor, shape)));
  put(tensor.get(), "strides", integer(offsetof(abi::Tensor, strides)));
  put(tensor.get(), "byte_offset", integer(offsetof(abi::Tensor, byte_offset)));
  Object structs(PyDict_New());
  put(structs.get(), "tensor", std::move(tensor));
  put(structs.get(), "legacy", managed_offsets<abi::v0::ManagedTensor>());
  put(structs.get(), "versioned", managed_offsets<abi::v1::ManagedTensor>());
  return structs;
}

PyObject* vocabulary(PyObject*, PyObject*) {
  return guarded([] {
    Object facts(PyDict_New());
    put(facts.get(), "devices", by_name(device_table, &DeviceRow::value));
    put(facts.get(), "dtype_codes", by_name(dtype_table, &DtypeCodeRow::value));
    put(facts.get(), "flags", by_name(flags::table, &flags::FlagRow::bit));
    put(facts.get(), "offsets", offsets());
    put(facts.get(), "newest_version", pair(abi::newest_version.major, abi::newest_version.minor));
    return facts.release();
  });
}

PyObject* hostile_structs(PyObject*, PyObject*) {
  return guarded([] {
    Object rows(PyDict_New());
    for (const conformance::HostileStruct& row : conformance::hostile_structs()) {
      Object facts(PyDict_New());
      put(facts.get(), "says", text(row.says));
      put(facts.get(), "shows_elements", boolean(row.shows_elements));
      put(rows.get(), row.name, std::move(facts));
    }
    return rows.release();
  });
}

}  // namespace

PyMethodDef table_methods[] = {
    {"rule", &rule_facts, METH_O,
     "rule(id): the rule's title, level, source and requirement, the array API edition that it comes from or None, and "
     "the status of a deviation."},
    {"mitigation", &mitigation_verdict, METH_O,
     "mitigation(id): the status, warn or info, that this row of the table of mitigations gives."},
    {"vocabulary", &vocabulary, METH_NOARGS,
     "vocabulary(): devices, dtype_codes and flags of dlpack.h by their names, offsets of the structs' members, and "
     "newest_version."},
    {"hostile_structs", &hostile_structs, METH_NOARGS,
     "hostile_structs(): name -> of the struct that Offer(hostile=name) makes, what it says and whether it shows "
     "elements."},
    {},
};

}  // namespace dlspec::python
