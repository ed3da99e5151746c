"""What array libraries commonly call things: the lines that `dlspec init` tries in an adapter."""

DTYPES = [
    "float32",
    "bool",
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "float16",
    "float64",
    "complex64",
    "complex128",
]

# How a library makes an array of the NumPy array `values`, or of what the order says. {m}: the module.
MAKERS = (
    "{m}.array(values)",
    "{m}.tensor(values)",
    "{m}.asarray(values.copy())",
    "{m}.from_numpy(values.copy())",
    "{m}.to_tensor(values)",
    "{m}.convert_to_tensor(values)",
    "{m}.constant(values)",
    "{m}.numpy.array(values)",
    "{m}.nd.array(values, dtype=values.dtype)",
    "{m}.Tensor(values)",
    "{m}.from_dlpack(values.copy())",
    "{m}.tensor(spec.bytes, spec.dtype, spec.shape)",
    "{m}.from_bytes(spec.bytes, spec.dtype, spec.shape)",
)
# The same of classes: where `from_dlpack` is a method of a class, arrays are often made by one as well.
CLASS_MAKER = "{{m}}.{kind}.{method}(values.copy())"
CLASS_IMPORTER = "{{m}}.{kind}.from_dlpack(source, **kwargs)"
# Settings after which a library keeps dtypes that it would narrow.
SWITCHES = ('{m}.config.update("{m}_enable_x64", True)', "{m}.config.enable_x64(True)", "{m}.enable_x64(True)")
READERS = (
    "array.tobytes()",
    "array.numpy().tobytes()",
    "numpy.asarray(array).tobytes()",
    "{m}.asnumpy(array).tobytes()",
    "array.asnumpy().tobytes()",
    "array.to_numpy().tobytes()",
    "bytes(array)",
    "numpy.from_dlpack(array).tobytes()",
)
IMPORTERS = (
    "{m}.from_dlpack(source, **kwargs)",
    "{m}.numpy.from_dlpack(source, **kwargs)",
    "{m}.utils.dlpack.from_dlpack(source)",
    "{m}.dlpack.from_dlpack(source, **kwargs)",
    "{m}.from_dlpack(source.__dlpack__())",
    "{m}.experimental.dlpack.from_dlpack(source.__dlpack__())",
)
# How a library exports arrays that have no __dlpack__.
EXPORTERS = ("{m}.to_dlpack(array)", "{m}.utils.dlpack.to_dlpack(array)", "{m}.dlpack.to_dlpack(array)")
# {of_values}: the maker of the array `values`, which UNPACK has of the bytes `data`.
WRITERS = ("array[...] = {of_values}", "array.copy_({of_values})", "array[:] = {of_values}")
UNPACK = 'numpy.frombuffer(data, str(array.dtype).rpartition(".")[2]).reshape(tuple(array.shape))'
# `memory` and `view` are NumPy's: all elements in a row, and the ordered array in them. {of_view}: the maker of them.
STRIDERS = (
    "{m}.lib.stride_tricks.as_strided(memory[spec.offset :], spec.shape, view.strides)",
    "{m}.as_strided({of_memory}, spec.shape, spec.strides, spec.offset)",
    "{m}.as_strided({of_memory}, spec.shape, spec.strides, spec.offset * memory.itemsize)",
    "{m}.asarray(view)",
    "{m}.from_dlpack(view)",
    "{of_view}",
)
MOST_AXES = 32  # that are tried; every release of NumPy has them
LOCKS = ("array.flags.writeable = False", "array.setflags(write=False)")
LAYOUTS = {"positive": ((1, 3), 0), "gaps": ((8, 2), 3), "negative": ((-4, -1), 11)}
VIEW = """\
    span = spec.offset + sum(max(0, (extent - 1) * stride) for extent, stride in zip(spec.shape, spec.strides))
    memory = numpy.zeros(span + 1 if values.size else 0, spec.dtype)
    steps = [stride * memory.itemsize for stride in spec.strides]
    view = numpy.lib.stride_tricks.as_strided(memory[spec.offset :], spec.shape, steps)
    view[...] = values
"""
