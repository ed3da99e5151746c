#: keywords table-import=unknown-dtype code=200
#: keywords table-import=unknown-device device=(99, 0)
#: keywords table-import=major-2 version=(2, 0)
#: keywords table-allocator=rank shape=(1,) * 200
#: keywords table-allocator=huge shape=(1 << 40, 1 << 20)
#: keywords table-allocator=negative shape=(-3, 4)
#: keywords table-allocator=overflow shape=(1 << 32, 1 << 32)
#: keywords table-allocator=unknown-device device=(99, 0)
#: keywords table-allocator=unknown-dtype dtype=(200, 32, 1)
#: keywords table-stream=unknown-device device_type=99

#: part table uses reading
EXCHANGE_API, OLDER_EXCHANGE_API = "__dlpack_c_exchange_api__", "__c_dlpack_exchange_api__"  # of 1.3 and of 1.2
NOT_PUBLISHED = object()


def published(array):
    """What the type has under the name of 1.3, else under that of 1.2."""
    found = getattr(type(array), EXCHANGE_API, NOT_PUBLISHED)
    return getattr(type(array), OLDER_EXCHANGE_API, NOT_PUBLISHED) if found is NOT_PUBLISHED else found


def table_of(array):
    """The exchange table that the array's type publishes."""
    value = published(array)
    if value is NOT_PUBLISHED:
        verdict(False, "the type publishes no exchange table")
    address = value if isinstance(value, int) else capsule_pointer(value, capsule_name(value))
    return DLPackExchangeAPI.from_address(address)


def call(array, name, *arguments):
    """(status, None) of a function of the array's table; where it leaves an exception, (None, the exception)."""
    address = getattr(table_of(array), name)
    return attempt(ctypes.PYFUNCTYPE(ctypes.c_int, *[ctypes.c_uint64] * len(arguments))(address), *arguments)


def call_export(array):
    """(status, exception, address of the tensor or 0)."""
    out = ctypes.c_uint64()
    status, error = call(array, "managed_tensor_from_py_object_no_sync", id(array), ctypes.addressof(out))
    return status, error, out.value


def call_borrow(array, fill=0):
    """(status, exception, the tensor), which is lent into a struct of nothing but this byte."""
    tensor = DLTensor.from_buffer_copy(bytes([fill]) * ctypes.sizeof(DLTensor))
    status, error = call(array, "dltensor_from_py_object_no_sync", id(array), ctypes.addressof(tensor))
    return status, error, tensor


def release_at(address):
    """Releases a versioned tensor, as its owner does."""
    deleter = DLManagedTensorVersioned.from_address(address).deleter
    if deleter:
        ctypes.PYFUNCTYPE(None, ctypes.c_uint64)(deleter)(address)


def elements_at(address):
    managed = DLManagedTensorVersioned.from_address(address)
    return elements(managed.tensor, managed.flags & DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED)


#: part export in table-export uses table
wrapped = python["PyCapsule_New"]
wrapped.restype, wrapped.argtypes = ctypes.py_object, [ctypes.c_uint64, ctypes.c_char_p, ctypes.c_void_p]


def export(array, **keywords):
    """A capsule with what the exchange table exports."""
    status, error, address = call_export(array)
    if error or status or not address:
        raise error or RuntimeError(f"status {status}, tensor {address:#x}")
    return wrapped(address, b"dltensor_versioned", None)


#: part offered uses table offer
def any_array():
    """One that the library can make: of it only the type matters."""
    plain = {"dtype": "float32", "shape": (2,), "strides": None, "offset": 0, "readonly": False, "bytes": bytes(8)}
    made, misfit = attempt(make, spec)
    return made if misfit is None else make(types.SimpleNamespace(**{**vars(spec), **plain}))


def call_import(array, offered):
    """(status, exception, the object or None)."""
    out = ctypes.c_uint64()
    struct = ctypes.addressof(offered.structs["versioned"])
    status, error = call(array, "managed_tensor_to_py_object_no_sync", struct, ctypes.addressof(out))
    return status, error, owned_object(out.value) if out.value and not status and not error else None


def owned_object(address):
    """The object of a new reference, which goes with the result."""
    object_of_reference = ctypes.cast(address, ctypes.py_object).value
    python["Py_DecRef"](ctypes.py_object(object_of_reference))
    return object_of_reference


#: part allocator uses table
set_error_calls = []
set_error = ctypes.CFUNCTYPE(None, ctypes.c_uint64, ctypes.c_char_p, ctypes.c_char_p)(
    lambda context, kind, message: set_error_calls.append((context, kind, message))
)
CONTEXT = 0x1000


def call_allocator(array, dtype=None, shape=None, device=None, strides=0, byte_offset=0):
    """(status, exception, address of the tensor or 0)."""
    shape = spec.shape if shape is None else shape
    extents = (ctypes.c_int64 * max(1, len(shape)))(*shape)
    place = ctypes.addressof(extents)
    prototype = DLTensor(0, *(device or spec.device), len(shape), *(dtype or DTYPE), place, strides, byte_offset)
    out, told = ctypes.c_uint64(), ctypes.cast(set_error, ctypes.c_void_p).value
    where = ctypes.addressof(prototype), ctypes.addressof(out)
    status, error = call(array, "managed_tensor_allocator", *where, CONTEXT, told)
    return status, error, out.value


#: part asked in table-export uses table
status, error, given = call_export(make(spec))
#: part asked in table-borrow uses table
status, error, given = call_borrow(make(spec))
#: part asked in table-import table-import=unknown-dtype table-import=unknown-device table-import=major-2 uses offered
status, error, given = call_import(any_array(), Offer(spec, generation="versioned", **KEYWORDS))
#: part asked in table-stream table-stream=unknown-device uses table
given = ctypes.c_uint64(0xDEADBEE0)
device = KEYWORDS.get("device_type", kDLCPU), 0
status, error = call(make(spec), "current_work_stream", *device, ctypes.addressof(given))
#: part asked uses allocator
status, error, given = call_allocator(make(spec), **KEYWORDS)

#: rule exchange.attr-on-type uses table
array = make(spec)
names = [name for name in (EXCHANGE_API, OLDER_EXCHANGE_API) if hasattr(array, name)]
value = published(array)
is_on_type = value is not NOT_PUBLISHED and not hasattr(type(value), "__get__")
verdict(names and not is_on_type, f"{names} of the instance; its type has {'it' if is_on_type else 'no table'}")
#: rule exchange.attr-name uses table
value = getattr(type(make(spec)), EXCHANGE_API, None)
verdict(value is not None and type(value).__name__ != "PyCapsule", f"{EXCHANGE_API} is of type {type(value).__name__}")
#: rule exchange.capsule-name uses table
name = capsule_name(getattr(type(make(spec)), EXCHANGE_API))
verdict(name != b"dlpack_exchange_api", f"the capsule's name is {name}")
#: rule exchange.attr-legacy-int uses table
array = make(spec)
value, newer = (getattr(type(array), name, None) for name in (OLDER_EXCHANGE_API, EXCHANGE_API))
same = newer is None or not isinstance(value, int) or value == capsule_pointer(newer, capsule_name(newer))
verdict(
    value is not None and (not isinstance(value, int) or not same),
    f"{OLDER_EXCHANGE_API} is of type {type(value).__name__}; {'the same table' if same else 'another address'}",
)
#: rule exchange.dunder-also-offered uses table
array = make(spec)
missing = [name for name in ("__dlpack__", "__dlpack_device__") if not hasattr(type(array), name)]
verdict(published(array) is not NOT_PUBLISHED and missing, f"the type publishes a table; missing: {missing}")
#: rule exchange.header-version uses table
table = table_of(make(spec))
verdict((table.major, table.minor) < (1, 2), f"the header says {table.major}.{table.minor}")
#: rule exchange.prev-null-or-older uses table
table = table_of(make(spec))
versions, newer, count = [(table.major, table.minor)], table, 0
while newer.prev_api and count < 16:
    newer, count = DLPackExchangeAPI.from_address(newer.prev_api), count + 1
    versions.append((newer.major, newer.minor))
is_older = all(later < earlier for earlier, later in zip(versions, versions[1:]))
verdict(not is_older or count == 16, f"versions of the tables: {versions}")
#: rule exchange.fn-allocator-nonnull exchange.fn-from-nonnull exchange.fn-to-nonnull uses table
#: rule exchange.fn-stream-nonnull uses table
name = {
    "exchange.fn-allocator-nonnull": "managed_tensor_allocator",
    "exchange.fn-from-nonnull": "managed_tensor_from_py_object_no_sync",
    "exchange.fn-to-nonnull": "managed_tensor_to_py_object_no_sync",
    "exchange.fn-stream-nonnull": "current_work_stream",
}[RULE]
address = getattr(table_of(make(spec)), name)
verdict(not address, f"{name} is {'not ' * bool(address)}NULL")
#: rule exchange.process-lifetime uses table
array = make(spec)
before = bytes(table_of(array))
exports = [call_export(array) for _ in range(3)]
verdict(bytes(table_of(array)) != before, f"after three exports the table is {bytes(table_of(array)).hex()}")
#: rule exchange.return-int in table-allocator table-allocator=huge table-allocator=negative uses asked
#: rule exchange.return-int in table-allocator=overflow table-allocator=unknown-device uses asked
#: rule exchange.return-int in table-allocator=unknown-dtype uses asked
verdict(status not in (0, -1, None), f"status {status}")
#: rule exchange.pyerr-on-failure uses asked
verdict(status not in (0, None) and error is None, f"status {status}, exception {error!r}")
#: rule exchange.no-pyerr-on-success uses asked
verdict(error is not None and bool(given), f"put out: {given}, exception {error!r}")
#: rule exchange.no-cpp-exceptions uses lethal asked
verdict(False, f"status {status}, exception {error!r}")
#: rule exchange.buffererror uses table
for kind in ("dtype", "byte-order", "record-field", "sparse", "distributed"):
    array, misfit = attempt(odd, kind, spec)
    if misfit or not isinstance(attempt(lambda made=array: made.__dlpack__(max_version=NEWEST))[1], BufferError):
        continue
    status, error, address = call_export(array)
    if error is not None and not isinstance(error, BufferError):
        verdict(True, f"an array that __dlpack__ refuses with BufferError: {error!r}")
verdict(False, "BufferError")
