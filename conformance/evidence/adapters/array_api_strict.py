"""array-api-strict: the array API standard and nothing more, as a thin layer over NumPy."""

import array_api_strict
import numpy
import numpy_orders
import refusals


def version():
    return array_api_strict.__version__


def make(spec):
    refusals.check(spec, "the array API", numpy_orders.DTYPES - {"float16"})
    return array_api_strict.asarray(numpy_orders.array(spec))


def from_dlpack(source, **kwargs):
    return array_api_strict.from_dlpack(source, **kwargs)


def dtype_name(array):
    return str(array.dtype).rpartition(".")[2]


def contents(array):
    name = dtype_name(array)
    number = bool if name == "bool" else complex if "complex" in name else float if "float" in name else int
    return numpy.array([number(array[index]) for index in numpy.ndindex(*array.shape)], name).tobytes()


def write(array, data):
    values = numpy.frombuffer(data, dtype_name(array)).reshape(array.shape)
    array[...] = array_api_strict.asarray(values)


standard = "array-api"
