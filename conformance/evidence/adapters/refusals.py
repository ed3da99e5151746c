"""Shared by adapters: what a library lacks is refused with the reason."""

# Names of an order for the integers and floats that most libraries have.
NUMBERS = frozenset(
    ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64")
)


def check(spec, library, dtypes, strides="any", readonly=False):
    """Raises NotImplementedError unless the library has such arrays.

    strides: "any", "not negative" or "row-major"; readonly: whether it has read-only arrays.
    """
    if spec.dtype not in dtypes:
        raise NotImplementedError(f"{library} has no {spec.dtype}")
    if strides == "row-major" and spec.strides is not None:
        raise NotImplementedError(f"{library} has row-major arrays only")
    if strides == "not negative" and any(stride < 0 for stride in spec.strides or ()):
        raise NotImplementedError(f"{library} has no negative strides")
    if spec.readonly and not readonly:
        raise NotImplementedError(f"{library} has no read-only arrays")
