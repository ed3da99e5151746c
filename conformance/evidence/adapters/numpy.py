"""NumPy 1.22 and later: the first release with from_dlpack."""

import warnings

import numpy
import numpy_orders
import refusals


def version():
    return numpy.__version__


def make(spec):
    refusals.check(spec, "NumPy", numpy_orders.DTYPES, readonly=True)
    return numpy_orders.array(spec)


def odd(kind, spec):
    values = numpy_orders.values(spec)
    if kind == "byte-order":
        return values.astype(values.dtype.newbyteorder())
    if kind == "record-field":
        records = numpy.zeros(spec.shape, [("field", values.dtype), ("other", "u1")])
        records["field"] = values
        return records["field"]
    if kind == "dtype":
        return numpy.zeros(spec.shape, "datetime64[s]")
    raise NotImplementedError(f"NumPy has no {kind} arrays")


def from_dlpack(source, **kwargs):
    return numpy.from_dlpack(source, **kwargs)


def contents(array):
    return array.astype(array.dtype.newbyteorder("="), copy=False).tobytes()


def write(array, data):
    array[...] = numpy.frombuffer(data, array.dtype).reshape(array.shape)


def mutate(array, kind):
    if kind != "reshape":
        raise NotImplementedError("resize(refcheck=False) is for memory that nobody else uses, by its documentation")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of NumPy 2.5
        array.shape = (1, *array.shape)


standard = "array-api"
