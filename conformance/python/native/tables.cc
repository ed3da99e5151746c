// rule, vocabulary: dlspec's tables for Python, so that Python need not restate them.
#include "tables.h"
#include "convert.h"
#include "module.h"

#include <dlspec/vocabulary/device.h>
#include <dlspec/vocabulary/dtype.h>
#include <dlspec/vocabulary/flags.h>

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
    put(facts.get(), "broken", text(verdict_name(row->broken)));
    return facts.release();
  });
}

template <class Row, std::size_t Count, class Value>
Object by_name(const Row (&table)[Count], Value Row::* value) {
  Object values(PyDict_New());
  for (const Row& row : table) put(values.get(), row.name, integer(static_cast<std::int64_t>(row.*value)));
  return values;
}

PyObject* vocabulary(PyObject*, PyObject*) {
  return guarded([] {
    Object facts(PyDict_New());
    put(facts.get(), "devices", by_name(device_table, &DeviceRow::value));
    put(facts.get(), "dtype_codes", by_name(dtype_table, &DtypeCodeRow::value));
    put(facts.get(), "flags", by_name(flags::table, &flags::FlagRow::bit));
    put(facts.get(), "newest_version", pair(abi::newest_version.major, abi::newest_version.minor));
    return facts.release();
  });
}

}  // namespace

PyMethodDef table_methods[] = {
    {"rule", &rule_facts, METH_O,
     "rule(id): the rule's title, level, source and requirement, the array API edition that it comes from or None, "
     "and the status of a deviation."},
    {"vocabulary", &vocabulary, METH_NOARGS,
     "vocabulary(): devices, dtype_codes and flags of dlpack.h by their names, and newest_version."},
    {nullptr, nullptr, 0, nullptr},
};

}  // namespace dlspec::python
