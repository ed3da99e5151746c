// The arguments of Offer(...) in Python.
#pragma once

#include "object.h"

#include <dlspec/conformance/oracle/offer.h>

namespace dlspec::python {

// Throws what convert.h throws where an argument is no such value. `release_hook` is called by the deleters of hooked
// offers.
[[nodiscard]] conformance::OfferRequest offer_request(PyObject* positional, PyObject* keywords, void (*release_hook)());

}  // namespace dlspec::python
