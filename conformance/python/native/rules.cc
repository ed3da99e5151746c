// validate, judge: findings on a capsule's struct, with the facts of the rule table.
#include "capsule.h"
#include "convert.h"
#include "module.h"
#include "tables.h"

#include <set>

#include <dlspec/conformance/core/outcome.h>
#include <dlspec/conformance/oracle/claimed_elements.h>
#include <dlspec/conformance/oracle/struct_outcomes.h>
#include <dlspec/conformance/worker/protocol/messages.h>
#include <dlspec/reference/validate/validate.h>
#include <dlspec/vocabulary/finding.h>
#include <dlspec/vocabulary/rules.h>

namespace dlspec::python {
namespace {

using conformance::Outcome;

// An Origin and the layout that it points to.
struct KnownOrigin {
  Layout layout;
  Origin origin;

  [[nodiscard]] const Origin* get() const { return &origin; }
};

Known as_known(PyObject* object) {
  if (object == nullptr) return Known::unknown;
  return as_truth(object) ? Known::yes : Known::no;
}

void check_keys(PyObject* dictionary) {
  static const std::set<std::string> known = {"dtype",  "shape",  "strides",   "read_only",
                                              "copied", "padded", "allocation"};
  PyObject* key = nullptr;
  PyObject* value = nullptr;
  Py_ssize_t position = 0;
  while (PyDict_Next(dictionary, &position, &key, &value) != 0) {
    const std::string name = as_text(key, "a key of origin");
    if (known.count(name) == 0) fail(PyExc_ValueError, "origin has no part \"%s\"", name.c_str());
  }
}

// dtype and shape make a layout only together.
bool read_layout(PyObject* dictionary, Layout& layout) {
  PyObject* const dtype = item(dictionary, "dtype");
  PyObject* const shape = item(dictionary, "shape");
  PyObject* const strides = item(dictionary, "strides");
  if ((dtype == nullptr) != (shape == nullptr)) fail(PyExc_ValueError, "origin needs dtype and shape together");
  if (dtype == nullptr) return false;
  layout.dtype = as_dtype(dtype, "dtype");
  layout.shape = as_integers(shape, "shape");
  if (strides != nullptr) layout.strides = as_integers(strides, "strides");
  return true;
}

void read_origin(PyObject* dictionary, KnownOrigin& known) {
  if (dictionary == Py_None) return;
  if (PyDict_Check(dictionary) == 0) fail(PyExc_TypeError, "origin is no dictionary");
  check_keys(dictionary);
  if (read_layout(dictionary, known.layout)) known.origin.layout = &known.layout;
  known.origin.read_only = as_known(item(dictionary, "read_only"));
  known.origin.copied = as_known(item(dictionary, "copied"));
  known.origin.padded = as_known(item(dictionary, "padded")) == Known::yes;
  if (PyObject* const allocation = item(dictionary, "allocation")) {
    if (PySequence_Check(allocation) == 0 || PySequence_Size(allocation) != 2) {
      fail(PyExc_TypeError, "allocation is no pair of addresses");
    }
    known.origin.allocation_begin = as_unsigned(Object(PySequence_GetItem(allocation, 0)).get(), "allocation");
    known.origin.allocation_end = as_unsigned(Object(PySequence_GetItem(allocation, 1)).get(), "allocation");
  }
}

Object finding_facts(const Finding& finding) {
  Object facts(PyDict_New());
  put_rule(facts.get(), rule(finding.rule));
  put(facts.get(), "verdict", text(verdict_name(verdict_of(finding))));
  if (const Mitigation* const row = mitigation_of(finding)) put(facts.get(), "mitigation", text(row->id));
  put(facts.get(), "observed", text(observed_text(finding)));
  put(facts.get(), "allowed", text(allowed_text(finding)));
  return facts;
}

PyObject* validate(PyObject*, PyObject* arguments, PyObject* keywords) {
  return guarded([&] {
    static const char* const names[] = {"capsule", "origin", nullptr};
    PyObject* object = nullptr;
    PyObject* dictionary = Py_None;
    parse(arguments, keywords, "O|O:validate", names, &object, &dictionary);
    KnownOrigin origin;
    read_origin(dictionary, origin);
    Object list(PyList_New(0));
    for (const Finding& finding : reference::validate(open_unconsumed(object).exported(), origin.get())) {
      check(PyList_Append(list.get(), finding_facts(finding).get()));
    }
    return list.release();
  });
}

bool is_struct_rule(RuleId id) {
  static const std::set<RuleId> rules = [] {
    std::set<RuleId> found;
    for (const FindingRow& row : finding_table()) found.insert(row.rule);
    return found;
  }();
  return rules.contains(id);
}

// In the form of the worker's answers, which leave out empty fields.
Object outcome_facts(const Outcome& outcome) {
  Object facts(PyDict_New());
  put(facts.get(), "outcome", text(conformance::outcome_name(outcome.kind)));
  if (!outcome.observed.empty()) put(facts.get(), "observed", text(outcome.observed));
  if (!outcome.allowed.empty()) put(facts.get(), "allowed", text(outcome.allowed));
  if (outcome.verdict) put(facts.get(), "verdict", text(verdict_name(*outcome.verdict)));
  if (outcome.mitigation != nullptr) put(facts.get(), "mitigation", text(outcome.mitigation->id));
  return facts;
}

// Outcomes of those of the rules that can be read off the struct.
Object struct_outcomes(PyObject* rules, Exported exported, const Origin* origin, const Findings& findings) {
  Object outcomes(PyDict_New());
  const Py_ssize_t count = PySequence_Size(rules);
  check(count < 0 ? -1 : 0);
  for (Py_ssize_t i = 0; i < count; ++i) {
    const std::string id = as_text(Object(PySequence_GetItem(rules, i)).get(), "a rule");
    const Rule* const row = find_rule(id);
    if (row == nullptr || !is_struct_rule(row->rule)) continue;
    put(outcomes.get(), row->id, outcome_facts(conformance::struct_outcome(row->rule, exported, origin, findings)));
  }
  return outcomes;
}

PyObject* judge(PyObject*, PyObject* arguments, PyObject* keywords) {
  return guarded([&] {
    static const char* const names[] = {"capsule", "rules", "origin", "contents", nullptr};
    PyObject* object = nullptr;
    PyObject* rules = nullptr;
    PyObject* dictionary = Py_None;
    PyObject* contents = nullptr;
    parse(arguments, keywords, "OO|OO:judge", names, &object, &rules, &dictionary, &contents);
    KnownOrigin origin;
    read_origin(dictionary, origin);
    const Exported exported = open_unconsumed(object).exported();
    std::span<const std::uint8_t> held;
    if (contents != nullptr) held = as_bytes(contents, "contents");
    const Findings findings = conformance::validate_by_elements(exported, origin.get(), held);
    Object judged(PyDict_New());
    put(judged.get(), "outcomes", struct_outcomes(rules, exported, origin.get(), findings));
    put(judged.get(), "readable", boolean(conformance::contents_readable(findings)));
    return judged.release();
  });
}

}  // namespace

PyMethodDef rule_methods[] = {
    with_keywords("validate", &validate,
                  "validate(capsule, origin=None): the findings on the capsule's struct. origin: what is known of the "
                  "tensor, any of dtype (with shape), strides, read_only, copied, padded, allocation."),
    with_keywords("judge", &judge,
                  "judge(capsule, rules, origin=None, contents=b''): outcomes of those rules that can be read off the "
                  "struct, and whether its elements can be read. contents: the source's elements in C order; strides "
                  "that lead to them are not reported as strides in bytes."),
    {},
};

}  // namespace dlspec::python
