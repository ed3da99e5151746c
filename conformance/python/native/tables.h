// Rows of dlspec's tables as Python sees them.
#pragma once

#include "object.h"

#include <dlspec/vocabulary/rules.h>

namespace dlspec::python {

// Adds the texts of a rule to a dictionary. Throws ErrorIsSet.
void put_rule(PyObject* facts, const Rule& row);

}  // namespace dlspec::python
